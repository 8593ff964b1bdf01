// What happened, in sentences, by turn; each sentence opens its rule.
import { linkTo } from "../address.js";
import { call } from "../api.js";
import { Kept } from "../board/floor.js";
import { earlier, place, steps, view } from "../game.js";
import { reread } from "../places.js";
import { h, signal, useEffect, useLayoutEffect, useRef, useState } from "../vendor/preact.js";
import { TABLE } from "../words.js";
import { Claim, Flag } from "./dispute.js";
import { RuleButton } from "./names.js";

/** @typedef {import("../api.js").TraceStep} Step */

/** Where the owner of each place had looked up to when the page was loaded, or before it was out of sight. */
const marks = signal(/** @type {Readonly<Record<string, number>>} */ ({}));
/** Pixels from the end within which the log follows what happens. */
const NEAR = 80;

/** The commit up to which the owner of the place on screen had looked before. */
function mark() {
  const of = place.value;
  if (!of) return 0;
  const key = `${of.game}/${of.role}`;
  if (!(key in marks.peek())) marks.value = { ...marks.peek(), [key]: of.seen ?? 0 };
  return marks.value[key] ?? 0;
}

document.addEventListener("visibilitychange", () => {
  const [of, now] = [reread(place.value), view.value?.version ?? 0];
  const seen = of?.seen ?? now;
  if (of && !document.hidden && seen < now) marks.value = { ...marks.value, [`${of.game}/${of.role}`]: seen };
});

/** The latest steps of the place on screen. */
export function Log() {
  const onEarlier = (steps.value[0]?.number ?? 1) > 1 ? () => void earlier() : undefined;
  return h(Steps, { told: steps.value, since: mark(), ...(onEarlier && { onEarlier }) });
}

/**
 * Steps, in their order, with the last one in sight; each leads to its moment.
 * @param {{told: readonly Step[], since?: number, as?: string, onEarlier?: () => void, onMoment?: (at: number) => void}} props `since`: the
 *   commit behind which everything is new; `as`: through whose eyes the moment is seen; `onMoment`: sentences lead there, too
 */
export function Steps({ told, since = 0, as = "", onEarlier, onMoment }) {
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  const isAtEnd = useRef(true);
  const room = useRef(0);
  const last = told.at(-1)?.number ?? 0;
  const first = told[0]?.number ?? 0;
  const before = useRef({ first: 0, height: 0 });
  useLayoutEffect(() => {
    const own = box.current;
    if (!own) return;
    // What was in sight stays there when earlier steps come.
    if (before.current.first > first && before.current.first > 0 && !onMoment)
      own.scrollTop += own.scrollHeight - before.current.height;
    else if ((isAtEnd.current || onMoment) && last) own.scrollTop = own.scrollHeight;
    before.current = { first, height: own.scrollHeight };
  }, [first, last]);
  // What is beside the log may grow, and leave it less room.
  useEffect(() => {
    const observer = new ResizeObserver(() => {
      const own = box.current;
      if (!own) return;
      room.current = own.clientHeight;
      if (isAtEnd.current) own.scrollTop = own.scrollHeight;
    });
    if (box.current) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  /** What cards and rooms say is told once in a turn. */
  const texts = new Set();
  const onScroll = () => {
    const own = box.current;
    if (own && own.clientHeight === room.current)
      isAtEnd.current = own.scrollHeight - own.scrollTop - own.clientHeight < NEAR;
  };
  return h(
    "div",
    { class: "scroll", ref: box, onScroll, tabIndex: 0, role: "region", "aria-label": TABLE.logOf },
    onEarlier && h("p", null, h("button", { type: "button", onClick: onEarlier }, TABLE.earlier)),
    h(
      "ol",
      { class: "log", "aria-live": onMoment ? "off" : "polite", "aria-relevant": "additions" },
      told.map((step, index) => {
        const previous = told[index - 1];
        const isTurn = previous?.turn !== step.turn;
        if (isTurn) texts.clear();
        const spoke = step.spoke.filter((one) => one.text && !texts.has(one.text) && texts.add(one.text));
        const isNew =
          since > 0 && step.number > since && (previous ? previous.number <= since : step.number === since + 1);
        const lead = onMoment && step.number < last ? onMoment : undefined;
        const props = { step, spoke, isTurn, since: isNew ? since : 0, as, lead };
        return h(Kept, {
          key: step.number,
          seen: [step, spoke.length, isTurn, props.since, as, lead],
          make: () => h(LoggedStep, props),
        });
      }),
    ),
  );
}

/**
 * @param {{step: Step, spoke: Step["spoke"], isTurn: boolean, since: number, as: string, lead: ((at: number) => void) | undefined}} props
 *   `since`: the commit behind which all is new from this one on
 */
function LoggedStep({ step, spoke, isTurn, since, as, lead }) {
  const did = step.turn || !step.did ? step.did : `${step.who}: ${step.did}`;
  const id = place.value?.game ?? "";
  const { number } = step;
  const [isDisputed, setDisputed] = useState(false);
  const own = useRef(/** @type {HTMLLIElement | null} */ (null));
  const close = () => {
    setDisputed(false);
    /** @type {HTMLElement | null | undefined} */ (own.current?.querySelector(".flag"))?.focus();
  };
  return h(
    "li",
    { id: `step-${number}`, "data-number": number, ref: own },
    isTurn &&
      h(
        "h2",
        null,
        step.turn ? TABLE.turn(step.turn) : TABLE.before,
        step.round > 0 && ` · ${TABLE.round(step.round)}`,
      ),
    since > 0 && h(Since, { since }),
    h(
      "a",
      {
        class: "moment",
        href: linkTo({ part: "replay", game: id, at: step.number, as }),
        "aria-label": TABLE.moment(step.number),
      },
      step.number,
    ),
    h(Flag, { number, isOpen: isDisputed, toggle: () => setDisputed(!isDisputed) }),
    did && h("p", { class: "did" }, did),
    !did && step.happened.every((one) => one.kind === "note") && h("p", { class: "quiet" }, TABLE.untold),
    step.happened.map((one, index) => (one.kind === "note" ? null : h(Sentence, { key: index, one, step, lead }))),
    spoke.map((one) => h("blockquote", { key: one.box }, h("strong", null, one.title), " ", one.text)),
    step.refused.map((one, index) =>
      h("p", { key: index, class: "quiet" }, TABLE.tried(one.did || one.by, one.because)),
    ),
    isDisputed && h(Claim, { number, close }),
  );
}

/** @param {{since: number}} props what has changed since a commit, for who asks */
function Since({ since }) {
  const [changed, setChanged] = useState(/** @type {readonly string[]} */ ([]));
  const onToggle = (/** @type {{currentTarget: HTMLDetailsElement}} */ { currentTarget }) => {
    const [of, to] = [place.value, view.value?.version];
    if (!of || !currentTarget.open) return;
    const asked = { path: { game: of.game }, token: of.token, query: { from: since, to } };
    void call("get", "/v1/games/{game}/diff", asked).then((answer) => {
      const said = (answer.data?.changes ?? []).map((one) => one.text).filter(Boolean);
      if (answer.ok) setChanged(said.length > 0 ? said : [TABLE.noChange]);
    });
  };
  return h(
    "details",
    { class: "since", onToggle },
    h("summary", null, TABLE.since),
    h(
      "ul",
      null,
      changed.map((one, index) => h("li", { key: index }, one)),
    ),
  );
}

/** @param {{one: Step["happened"][number], step: Step, lead: ((at: number) => void) | undefined}} props */
function Sentence({ one, step, lead }) {
  const rule = step.rules.find((it) => it.id === one.rule);
  const look = `sentence ${one.kind}`;
  if (lead) {
    const onClick = () => lead(step.number);
    return h("p", { class: look }, h("button", { type: "button", class: "plain", onClick }, one.words));
  }
  if (!one.rule) return h("p", { class: look }, one.words);
  return h("p", { class: look }, h(RuleButton, { rule: rule ?? { id: one.rule }, look: "plain" }, one.words));
}
