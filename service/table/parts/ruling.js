// A ruling: what is to be done, tried on the game as it is while it is written, and done once its author has seen what it would change.
import { call, randomKey } from "../api.js";
import { link, place } from "../game.js";
import { useDraft } from "../places.js";
import { h, useEffect, useState } from "../vendor/preact.js";
import { BOARD, DESK, TABLE } from "../words.js";
import { useDesk } from "./dispute.js";
import { nameOf, Refusal, roleName, titleOf } from "./names.js";

/** @typedef {import("../api.js").View} View */
/** @typedef {import("../api.js").Problem} Problem */
/** @typedef {import("../api.js").Schemas["DisputeView"]} Dispute */
/** @typedef {import("../api.js").Schemas["RulingTried"]} Tried */
/**
 * A step of an amendment, as it stands in its form.
 * @typedef {{kind: string, what: string, which: string, by: number, text: string}} Step
 */

/**
 * A ruling that is being written.
 * @typedef {{outcome: string, to: number, you: number, steps: readonly Step[], reapply: readonly number[], reasons: string, isPublic: boolean, isPrecedent: boolean}} Draft
 */

/** Steps that the service takes at most. */
const MOST = 20;
/** Milliseconds of rest after which what was written is tried. */
const BEFORE_TRIAL = 250;

/** @type {Readonly<Record<string, Pick<Step, "what" | "which">>>} */
const FIRST = {
  trait: { what: "gain", which: "might" },
  card: { what: "draw", which: "event" },
  move: { what: "", which: "" },
  other: { what: "", which: "" },
};

/**
 * A step in the words of content files; undefined where its text is no JSON.
 * @param {Step} step
 */
function written({ kind, what, which, by, text }) {
  if (kind === "trait") return { [what]: { trait: which, steps: by } };
  if (kind === "move") return { move: { to: which } };
  if (kind === "card" && what === "draw") return { draw: { deck: which } };
  if (kind === "card" && what === "take") return { take: { from: `holder:${which}`, card: which } };
  if (kind === "card") return { "lose-card": { card: which, to: what }, who: `holder:${which}` };
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * What a ruling would do to the game as it is, once nobody has changed it for a moment.
 * @param {number} number
 * @param {object | null} ruling null as long as there is nothing to be tried
 * @param {number} version
 */
function useTrial(number, ruling, version) {
  const key = ruling && `${version} ${JSON.stringify(ruling)}`;
  const [trial, setTrial] = useState(
    /** @type {{key: string, tried?: Tried | undefined, problem?: Problem | undefined}} */ ({ key: "" }),
  );
  useEffect(() => {
    const of = place.value;
    if (!of || !key) return undefined;
    const off = new AbortController();
    const body = { ...JSON.parse(key.slice(key.indexOf(" "))), reasons: "…", dry_run: true };
    const asked = { path: { game: of.game, number }, token: of.token, key: randomKey(), signal: off.signal, body };
    const timer = setTimeout(async () => {
      const answer = await call("post", "/v1/games/{game}/disputes/{number}/ruling", asked);
      if (off.signal.aborted) return;
      const tried = /** @type {Tried | undefined} */ (/** @type {unknown} */ (answer.data));
      setTrial({ key, tried, problem: answer.problem });
    }, BEFORE_TRIAL);
    return () => [clearTimeout(timer), off.abort()];
  }, [key, number]);
  return { ...trial, isFresh: trial.key === key };
}

/** @param {{seen: View, number: number}} props what was being written when somebody else ruled */
export function Overtaken({ seen, number }) {
  const [left] = useDraft(seen, `ruling ${number}`, /** @type {Draft | null} */ (null));
  return left ? h("p", { class: "aside" }, DESK.overtaken, left.reasons) : null;
}

/**
 * @param {{seen: View, dispute: Dispute, cited: readonly string[], amended: (number: number) => string, onDone: () => void}} props `cited`: rules
 *   that are ticked; `amended`: what was amended in a dispute, in words
 */
export function Ruling({ seen, dispute, cited, amended, onDone }) {
  const { number, span, by } = dispute;
  /** @type {Draft} */
  const blank = {
    outcome: "",
    to: (span?.first ?? seen.version) - 1,
    you: by,
    steps: [],
    reapply: [],
    reasons: "",
    isPublic: false,
    isPrecedent: false,
  };
  const [draft, keep] = useDraft(seen, `ruling ${number}`, blank);
  const { outcome, to, you, steps, reapply, reasons, isPublic, isPrecedent } = draft;
  /** @param {Partial<Draft>} changed */
  const set = (changed) => keep({ ...draft, ...changed });
  const does = steps.map(written);
  const isSaid = outcome === "stands" || outcome === "rewind" || (does.length > 0 && !does.includes(undefined));
  const ruling = outcome && isSaid ? { outcome, rules: cited, precedent: isPrecedent, public: isPublic } : null;
  if (ruling && outcome === "amend") Object.assign(ruling, { you, do: does });
  if (ruling && outcome === "rewind") Object.assign(ruling, { to, reapply });
  const { tried, problem, isFresh } = useTrial(number, ruling, seen.version);
  const desk = useDesk(() => {
    keep();
    onDone();
  });
  const errors = (ruling && problem?.errors) || [];
  const wrong = (/** @type {string} */ at) => errors.filter((one) => `${one.pointer}/`.startsWith(`${at}/`));
  const rest = errors.filter((one) => !/^\/(do\/\d|you|to|reapply)/.test(one.pointer));
  const undoes = outcome === "rewind" ? [...new Set([...(tried?.undoes ?? []), ...reapply])] : [];
  /** @param {SubmitEvent} event */
  const submit = (event) => {
    event.preventDefault();
    if (ruling && tried && isFresh)
      void desk.ask("ruling", { ...ruling, reasons: reasons.trim() }, { number, ifMatch: tried.version });
  };
  return h(
    "form",
    { class: "ruling", onSubmit: submit },
    h(
      "fieldset",
      null,
      h("legend", null, seen.you === null ? DESK.rule : DESK.propose),
      Object.entries(DESK.rulings).map(([value, title]) =>
        h(
          "label",
          { key: value, class: "option" },
          h("input", {
            type: "radio",
            name: "outcome",
            checked: outcome === value,
            onChange: () => set({ outcome: value }),
          }),
          title,
        ),
      ),
    ),
    outcome === "rewind" &&
      h(
        "label",
        null,
        DESK.goTo,
        h("input", {
          type: "number",
          min: 1,
          max: seen.version,
          value: to,
          onInput: (/** @type {any} */ event) => set({ to: event.currentTarget.valueAsNumber || 0 }),
        }),
      ),
    outcome === "rewind" && h(Wrong, { errors: wrong("/to"), within: "/to" }),
    undoes.map((one) =>
      h(
        "div",
        { key: one, class: "aside" },
        DESK.undoes(one),
        h(
          "label",
          { class: "option" },
          h("input", {
            type: "checkbox",
            checked: reapply.includes(one),
            onChange: () =>
              set({ reapply: reapply.includes(one) ? reapply.filter((it) => it !== one) : [...reapply, one] }),
          }),
          DESK.by(DESK.reapply(one), amended(one)),
        ),
      ),
    ),
    h(Wrong, { errors: wrong("/reapply") }),
    outcome === "amend" && [
      h(
        "label",
        { key: "you" },
        DESK.about,
        h(Select, {
          value: String(you),
          options: seen.seats.map((one) => /** @type {const} */ ([String(one.seat), nameOf(seen, one.seat)])),
          set: (value) => set({ you: Number(value) }),
        }),
      ),
      h(Wrong, { key: "wrong", errors: wrong("/you"), within: "/you" }),
      steps.map((step, index) =>
        h(StepForm, {
          key: index,
          seen,
          step,
          index,
          errors: wrong(`/do/${index}`),
          set: (now) => set({ steps: steps.flatMap((one, at) => (at === index ? (now ?? []) : one)) }),
        }),
      ),
      steps.length < MOST
        ? h(
            "div",
            { key: "add", class: "commands", role: "group", "aria-label": DESK.add },
            Object.entries(DESK.steps).map(([kind, title]) =>
              h(
                "button",
                {
                  key: kind,
                  type: "button",
                  onClick: () => {
                    const which = kind === "move" ? (seen.rooms[0]?.id ?? "") : (FIRST[kind]?.which ?? "");
                    const text = DESK.example;
                    set({ steps: [...steps, { kind, what: FIRST[kind]?.what ?? "", which, by: 1, text }] });
                  },
                },
                `+ ${title}`,
              ),
            ),
          )
        : h("p", { key: "add", class: "quiet" }, DESK.most(MOST)),
    ],
    h(
      "label",
      null,
      DESK.reasons,
      h("textarea", {
        required: true,
        rows: 2,
        maxLength: 1000,
        value: reasons,
        onInput: (/** @type {any} */ event) => set({ reasons: event.currentTarget.value }),
      }),
    ),
    h("p", { class: "small" }, DESK.reasonsHelp),
    cited.length > 0 && h("p", null, `${DESK.cites}: ${cited.join(", ")}`),
    outcome !== "rewind" &&
      h(Check, { checked: isPublic || isPrecedent, set: (now) => set({ isPublic: now }), label: DESK.public }),
    h(Check, { checked: isPrecedent, set: (now) => set({ isPrecedent: now }), label: DESK.isPrecedent }),
    h(
      "section",
      { class: "would", "aria-busy": ruling !== null && !isFresh },
      h("h3", null, DESK.would),
      !ruling && h("p", { class: "quiet" }, DESK.unsaid),
      ruling && !isFresh && h("p", { class: "quiet" }, DESK.trying),
      errors.length > rest.length && h("p", { class: "quiet" }, DESK.mistakes),
      ruling &&
        problem &&
        (errors.length === 0 || rest.length > 0) &&
        h("div", { class: "detail", role: "status" }, h(Refusal, { problem: { ...problem, errors: rest } })),
      ruling && tried && h(Would, { seen, tried }),
    ),
    desk.outcome,
    h(
      "button",
      { type: "submit", class: "main", disabled: desk.waits || link.value === "lost" || !ruling || !tried || !isFresh },
      seen.you === null ? DESK.doRule : DESK.propose,
    ),
  );
}

/** @param {{checked: boolean, set: (to: boolean) => void, label: string}} props */
function Check({ checked, set, label }) {
  const onChange = (/** @type {any} */ event) => set(event.currentTarget.checked);
  return h("label", { class: "option" }, h("input", { type: "checkbox", checked, onChange }), label);
}

/** @param {{errors: readonly {pointer: string, detail: string}[], within?: string}} props */
function Wrong({ errors, within = "" }) {
  return h(
    "span",
    { role: "alert", class: "wrong" },
    errors.map((one) => `${one.pointer.slice(within.length).replace(/^\/(.+)/, "$1: ")}${one.detail}. `).join(""),
  );
}

/** @param {{value: string, options: readonly (readonly [string, string])[], set: (value: string) => void, label?: string}} props */
function Select({ value, options, set, label }) {
  return h(
    "select",
    { "aria-label": label, value, onChange: (/** @type {any} */ event) => set(event.currentTarget.value) },
    options.map(([one, title]) => h("option", { key: one, value: one }, title)),
  );
}

/**
 * @param {{seen: View, step: Step, index: number, errors: readonly {pointer: string, detail: string}[], set: (step: Step | null) => void}} props
 */
function StepForm({ seen, step, index, errors, set }) {
  const { kind, what, which } = step;
  const change = (/** @type {Partial<Step>} */ now) => set({ ...step, ...now });
  const held = seen.explorers.flatMap(({ cards, title }) =>
    cards.map((card) => /** @type {const} */ ([card, `${titleOf(seen, card)} (${title})`])),
  );
  const cards = what === "draw" ? ["event", "item", "omen"].map((one) => [one, TABLE.deck[one] ?? one]) : held;
  return h(
    "fieldset",
    { class: "step" },
    h("legend", null, DESK.step(index + 1), ` · ${DESK.steps[kind]}`),
    kind === "trait" && [
      h(Select, {
        key: "what",
        label: DESK.step(index + 1),
        value: what,
        options: [
          ["gain", DESK.gain],
          ["lose", DESK.lose],
        ],
        set: (value) => change({ what: value }),
      }),
      h(Select, {
        key: "which",
        label: DESK.trait,
        value: which,
        options: Object.entries(BOARD.traits),
        set: (value) => change({ which: value }),
      }),
      h("input", {
        key: "by",
        "aria-label": DESK.spaces,
        type: "number",
        min: 1,
        max: 8,
        value: step.by,
        onInput: (/** @type {any} */ event) => change({ by: event.currentTarget.valueAsNumber || 0 }),
      }),
    ],
    kind === "card" && [
      h(Select, {
        key: "what",
        label: DESK.step(index + 1),
        value: what,
        options: Object.entries(DESK.cards).slice(0, held.length > 0 ? undefined : 1),
        set: (value) => change({ what: value, which: value === "draw" ? "event" : (held[0]?.[0] ?? "") }),
      }),
      h(Select, {
        key: "which",
        label: DESK.card,
        value: which,
        options: /** @type {[string, string][]} */ (cards),
        set: (value) => change({ which: value }),
      }),
    ],
    kind === "move" &&
      h(Select, {
        label: DESK.room,
        value: which,
        options: seen.rooms.map((one) => /** @type {const} */ ([one.id, one.title])),
        set: (value) => change({ which: value }),
      }),
    kind === "other" && [
      h("textarea", {
        key: "text",
        "aria-label": DESK.json,
        rows: 3,
        spellcheck: false,
        value: step.text,
        onInput: (/** @type {any} */ event) => change({ text: event.currentTarget.value }),
      }),
      written(step) === undefined && h("span", { key: "wrong", role: "alert", class: "wrong" }, TABLE.notJson),
    ],
    h("button", { type: "button", "aria-label": DESK.remove(index + 1), onClick: () => set(null) }, "×"),
    h(Wrong, { errors, within: `/do/${index}` }),
  );
}

/** @param {{seen: View, tried: Tried}} props what a ruling would change: alike for some, otherwise for others */
function Would({ seen, tried }) {
  /** @type {Map<string, string[]>} */
  const found = new Map();
  for (const { role, changes } of tried.diffs.toReversed()) {
    const said = changes.map((one) => one.text).filter(Boolean);
    const key = said.join("\n");
    found.set(key, [...(found.get(key) ?? []), roleName(seen, role)]);
  }
  return [
    tried.asks.length > 0 && h("p", null, DESK.asks(tried.asks.map((seat) => nameOf(seen, seat)).join(", "))),
    tried.follows.map((one) => h("p", { key: one }, one)),
    found.size === 0 && tried.follows.length === 0 && h("p", null, DESK.nothing),
    [...found].map(([said, roles], index) =>
      h(
        "details",
        { key: said, open: index === 0 },
        h("summary", null, DESK.for(roles.join(", "))),
        h(
          "ul",
          null,
          (said || DESK.nothing).split("\n").map((one) => h("li", { key: one }, one)),
        ),
      ),
    ),
  ];
}
