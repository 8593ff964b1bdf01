// The moment that a dispute is about: the board as a role saw it, what happened around it by which rules, and what of that is ticked.
import { linkTo } from "../address.js";
import { call, randomKey } from "../api.js";
import { place } from "../game.js";
import { Eyes, known, PastHouse, past } from "../past.js";
import { choose, keep } from "../places.js";
import { batch, h, signal, useEffect, useLayoutEffect, useRef, useState } from "../vendor/preact.js";
import { BOARD, DESK, TABLE } from "../words.js";
import { nameOf, Refusal, RuleButton, roleName, titleOf } from "./names.js";

/** @typedef {import("../api.js").View} View */
/** @typedef {import("../api.js").TraceStep} Step */
/** @typedef {import("../api.js").Problem} Problem */
/** @typedef {import("../api.js").Schemas["DisputeView"]} Dispute */
/** @typedef {import("../vendor/preact.js").ComponentChildren} Children */

/** Steps around what is disputed, and those that come with *Earlier* and *Later*. */
const AROUND = 3;
const MORE = 10;
/** Steps at most that are told at once. */
const MOST_STEPS = 60;

/** The moment: a commit, through whose eyes, and the stretch of steps around it. */
export const at = signal(0);
export const eyes = signal("");
const traced = signal({ from: 1, to: 1 });
/** What is ticked as evidence. */
export const ticks = signal({
  commits: /** @type {readonly number[]} */ ([]),
  rules: /** @type {readonly string[]} */ ([]),
});

/**
 * Look at the end of a stretch, with what happened around it.
 * @param {number} first
 * @param {number} last
 */
export function lookAround(first, last) {
  batch(() => {
    at.value = last;
    traced.value = { from: Math.max(1, first - AROUND), to: Math.min(last + AROUND, first + MOST_STEPS) };
  });
}

/**
 * Look at a moment.
 * @param {number} number
 * @param {string} [as] through whose eyes, if not through those that look already
 */
export function lookAt(number, as = eyes.peek()) {
  const { from, to } = traced.peek();
  eyes.value = as;
  if (number < from || number > to) lookAround(number, number);
  else at.value = number;
}

/**
 * What happened in a stretch of commits, as a role was told.
 * @param {number} from
 * @param {number} to
 * @param {string} as
 */
export function useTrace(from, to, as) {
  const [steps, setSteps] = useState(/** @type {readonly Step[]} */ ([]));
  useEffect(() => {
    const of = place.peek();
    if (!of) return undefined;
    const off = new AbortController();
    void call("get", "/v1/games/{game}/trace", {
      path: { game: of.game },
      token: of.token,
      signal: off.signal,
      query: { from, to, as, names: true, limit: to - from + 1 },
    }).then((answer) => !off.signal.aborted && answer.ok && setSteps(answer.data.steps));
    return () => off.abort();
  }, [from, to, as]);
  return steps;
}

/** @param {{seen: View}} props */
export function Moment({ seen }) {
  const when = at.value;
  const as = eyes.value;
  const [told, setTold] = useState(
    /** @type {{at: number, as: string, seen?: View | undefined, problem?: Problem | undefined}} */ ({ at: 0, as: "" }),
  );
  useEffect(() => {
    let isWanted = true;
    void past(when, as).then((one) => isWanted && setTold({ at: when, as, seen: one.data, problem: one.problem }));
    return () => {
      isWanted = false;
    };
  }, [when, as]);
  const then = known(when, as) ?? told.seen;
  const isBehind = told.at !== when || told.as !== as;
  return [
    h(
      "div",
      { class: "when" },
      h(
        "button",
        { type: "button", "aria-label": DESK.before, disabled: when <= 1, onClick: () => lookAt(when - 1) },
        "‹",
      ),
      h("div", { role: "status" }, h("h2", null, DESK.after(when))),
      h(
        "button",
        { type: "button", "aria-label": DESK.next, disabled: when >= seen.version, onClick: () => lookAt(when + 1) },
        "›",
      ),
      h(Eyes, {
        seen,
        as,
        look: (as) => {
          eyes.value = as;
        },
      }),
    ),
    told.problem && !isBehind && h("div", { class: "detail", role: "alert" }, h(Refusal, { problem: told.problem })),
    h("div", { class: "board" }, then && h(PastHouse, { seen: then, at: when, as })),
    then && h(Holdings, { then }),
    seen.sandbox === null &&
      seen.status === "started" &&
      (seen.role === "referee" || seen.you !== null || !then?.haunt) && // a haunt's sides have seats that a spectator does not get
      h(WhatIf, { number: when, isHalved: seen.role !== "referee" && !!then?.haunt }),
  ];
}

/** @param {{then: View}} props the traits and cards of explorers, as far as a role knew them */
function Holdings({ then }) {
  return h(
    "ul",
    { class: "holdings" },
    then.explorers.map(({ seat, alive, escaped, traits, cards }) =>
      h(
        "li",
        { key: seat },
        h("strong", null, nameOf(then, seat)),
        [
          !alive && (escaped ? TABLE.escaped : TABLE.dead),
          ...Object.entries(traits).map(([name, { value }]) => `${BOARD.traits[name]} ${value}`),
          ...cards.map((id) => titleOf(then, id)),
        ]
          .filter(Boolean)
          .map((fact) => [" · ", fact]),
      ),
    ),
  );
}

/** @param {{number: number, isHalved: boolean}} props a sandbox that begins at a commit; `isHalved`: its maker may not get every seat */
function WhatIf({ number, isHalved }) {
  const isOnWay = useRef(false);
  const [made, setMade] = useState({ url: "", at: 0 });
  const [problem, setProblem] = useState(/** @type {Problem | null} */ (null));
  const begin = async () => {
    const of = place.value;
    if (!of || isOnWay.current) return;
    isOnWay.current = true;
    const answer = await call("post", "/v1/games/{game}/forks", {
      path: { game: of.game },
      token: of.token,
      key: randomKey(),
      body: { at: number },
    });
    isOnWay.current = false;
    setProblem(answer.ok ? null : answer.problem);
    if (!answer.ok) return;
    const { game: fork, tokens } = answer.data;
    const seats = (tokens.seats ?? []).map((one) => /** @type {const} */ ([one.id.replace("-", ":"), one.secret]));
    const all = [...seats, ...(tokens.referee ? [/** @type {const} */ (["referee", tokens.referee.secret])] : [])];
    if (all.length === 0) all.push(["host", tokens.host.secret]);
    const kept = all.map(([role, token]) => ({ game: fork.id, role, token, sandbox: number }));
    kept.forEach(keep);
    const own = kept.find((one) => one.role === of.role) ?? kept.at(-1);
    if (own) choose(own);
    const url = linkTo({ part: "table", game: fork.id });
    setMade({ url, at: number });
    window.open(url, "_blank", "noopener"); // where the browser forbids it, the link is there
  };
  return h(
    "p",
    { class: "what-if" },
    h("strong", null, DESK.what),
    " ",
    h("button", { type: "button", onClick: () => void begin() }, DESK.whatIf(number)),
    isHalved && h("small", { class: "below" }, DESK.halved),
    made.url && [" ", h("a", { href: made.url, target: "_blank" }, DESK.sandbox(made.at))],
    problem && h("span", { class: "detail", role: "alert" }, h(Refusal, { problem })),
  );
}

/** @param {{seen: View, dispute: Dispute | undefined}} props */
export function Trace({ seen, dispute }) {
  const { from } = traced.value;
  const to = Math.min(traced.value.to, seen.version);
  const steps = useTrace(from, to, eyes.value);
  const widen = (/** @type {number} */ first, /** @type {number} */ last) =>
    h(
      "button",
      {
        type: "button",
        onClick: () => {
          traced.value = { from: Math.max(1, first), to: last };
        },
      },
      first < from ? TABLE.earlier : DESK.more,
    );
  const span = dispute?.span;
  const number = at.value;
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => {
    list.current?.querySelector(`[data-number="${number}"]`)?.scrollIntoView({ block: "nearest" });
  }, [number, steps]);
  return [
    h("h2", null, DESK.trace),
    from > 1 && widen(from - MORE, Math.min(to, from + MOST_STEPS)),
    h(
      "ol",
      { class: "log", ref: list },
      steps.map((step) =>
        h(TracedStep, {
          key: step.number,
          seen,
          step,
          isDisputed: !!span && step.number >= span.first && step.number <= span.last,
        }),
      ),
    ),
    to < seen.version && widen(Math.max(from, to + MORE - MOST_STEPS), to + MORE),
  ];
}

/** @param {{seen: View, step: Step, isDisputed: boolean}} props */
function TracedStep({ seen, step, isDisputed }) {
  const { number, legal } = step;
  const rules = [...step.rules, ...step.refused.flatMap((one) => one.rule ?? [])];
  const isNow = number === at.value;
  return h(
    "li",
    { "data-number": number, class: isDisputed ? "disputed" : "" },
    h(
      "h3",
      null,
      h(Tick, { kind: "commits", value: number, label: DESK.cite(number) }),
      h(
        "button",
        { type: "button", class: "rule", "aria-pressed": isNow, onClick: () => lookAt(number) },
        [DESK.commits(number, number), step.turn > 0 && TABLE.turn(step.turn), isDisputed && DESK.isDisputed]
          .filter(Boolean)
          .join(" · "),
      ),
    ),
    h("p", { class: "did" }, DESK.by(step.who, step.did)),
    step.happened.map(
      (one, index) =>
        one.kind !== "note" &&
        h("p", { key: index, class: one.kind }, one.words, one.rule && h("code", null, ` ${one.rule}`)),
    ),
    step.changes.map((one, index) =>
      h("p", { key: index, class: "quiet" }, DESK.changed(one.what, one.before, one.after)),
    ),
    step.rulings.map((one, index) =>
      h("p", { key: index, class: "aside" }, h("strong", null, one.title), " ", one.text),
    ),
    step.refused.map((one, index) =>
      h(
        "p",
        { key: index, class: "wrong" },
        DESK.by(roleName(seen, one.by), TABLE.tried(one.did, one.because)),
        one.rule && h("code", null, ` ${one.rule.id}`),
      ),
    ),
    legal &&
      h(
        "details",
        null,
        h("summary", null, DESK.legal(legal.count)),
        h(
          "ul",
          null,
          legal.labels.map((one) => h("li", { key: one }, one)),
        ),
      ),
    rules.map((one, index) =>
      h(
        Tick,
        { key: index, kind: "rules", value: one.id, label: DESK.citeRule(one.id) },
        h(RuleButton, { rule: one, look: "plain" }, `${one.id} ${one.title}`),
      ),
    ),
  );
}

/** @param {{kind: "commits" | "rules", value: number | string, label: string, children?: Children}} props */
export function Tick({ kind, value, label, children }) {
  const those = /** @type {readonly (number | string)[]} */ (ticks.value[kind]);
  const isTicked = those.includes(value);
  const onChange = () => {
    ticks.value = { ...ticks.value, [kind]: isTicked ? those.filter((one) => one !== value) : [...those, value] };
  };
  return h(
    "span",
    { class: "tick" },
    h("input", { type: "checkbox", "aria-label": label, checked: isTicked, onChange }),
    children,
  );
}
