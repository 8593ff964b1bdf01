// What happened, in sentences, by turn; each sentence opens its rule.
import { earlier, place, steps } from "../game.js";
import { h, signal, useLayoutEffect, useMemo, useRef } from "../vendor/preact.js";
import { TABLE } from "../words.js";
import { RuleButton } from "./names.js";

/** @typedef {import("../api.js").TraceStep} Step */

/** Where the owner of each place had looked up to when the page was loaded. */
const marks = signal(/** @type {Readonly<Record<string, number>>} */ ({}));
/** Pixels from the end within which the log follows what happens. */
const NEAR = 80;

/** The commit up to which the owner of the place on screen had looked before. */
export function mark() {
  const of = place.value;
  if (!of) return 0;
  const key = `${of.game}/${of.role}`;
  if (!(key in marks.peek())) marks.value = { ...marks.peek(), [key]: of.seen ?? 0 };
  return marks.value[key] ?? 0;
}

/** The latest steps of the place on screen. */
export function Log() {
  const onEarlier = (steps.value[0]?.number ?? 1) > 1 ? () => void earlier() : undefined;
  return h(Steps, { told: steps.value, since: mark(), ...(onEarlier && { onEarlier }) });
}

/**
 * Steps, in their order, with the last one in sight.
 * @param {{told: readonly Step[], since?: number, onEarlier?: () => void}} props `since`: the commit behind which everything is new
 */
export function Steps({ told, since = 0, onEarlier }) {
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  const isAtEnd = useRef(true);
  const last = told.at(-1)?.number ?? 0;
  const first = told[0]?.number ?? 0;
  const before = useRef({ first: 0, height: 0 });
  useLayoutEffect(() => {
    const own = box.current;
    if (!own) return;
    // What was in sight stays there when earlier steps come.
    if (before.current.first > first && before.current.first > 0)
      own.scrollTop += own.scrollHeight - before.current.height;
    else if (isAtEnd.current && last) own.scrollTop = own.scrollHeight;
    before.current = { first, height: own.scrollHeight };
  }, [first, last]);
  const onScroll = () => {
    const own = box.current;
    if (own) isAtEnd.current = own.scrollHeight - own.scrollTop - own.clientHeight < NEAR;
  };
  return h(
    "div",
    { class: "scroll", ref: box, onScroll, tabIndex: 0, role: "region", "aria-label": TABLE.logOf },
    onEarlier && h("p", null, h("button", { type: "button", onClick: onEarlier }, TABLE.earlier)),
    h(
      "ol",
      { class: "log", "aria-live": "polite", "aria-relevant": "additions" },
      told.map((step, index) => {
        const previous = told[index - 1];
        const isNew =
          since > 0 && step.number > since && (previous ? previous.number <= since : step.number === since + 1);
        return h(Told, { key: step.number, step, isTurn: previous?.turn !== step.turn, isNew });
      }),
    ),
  );
}

/** @param {{step: Step, isTurn: boolean, isNew: boolean}} props */
function Told({ step, isTurn, isNew }) {
  return useMemo(
    () =>
      h(
        "li",
        { id: `step-${step.number}`, "data-number": step.number },
        isTurn &&
          h(
            "h2",
            null,
            step.turn ? TABLE.turn(step.turn) : TABLE.before,
            step.round > 0 && ` · ${TABLE.round(step.round)}`,
          ),
        isNew && h("p", { class: "since" }, TABLE.since),
        step.did && h("p", { class: "did" }, step.did),
        step.happened.map((one, index) => h(Sentence, { key: index, one, rules: step.rules })),
        step.spoke.map(
          (one) => one.text && h("blockquote", { key: one.box }, h("strong", null, one.title), " ", one.text),
        ),
        step.refused.map((one, index) =>
          h("p", { key: index, class: "quiet" }, TABLE.tried(one.did || one.by, one.because)),
        ),
      ),
    [step, isTurn, isNew],
  );
}

/** @param {{one: Step["happened"][number], rules: Step["rules"]}} props */
function Sentence({ one, rules }) {
  const rule = rules.find((it) => it.id === one.rule);
  const look = `sentence ${one.kind}`;
  if (!one.rule) return h("p", { class: look }, one.words);
  return h("p", { class: look }, h(RuleButton, { rule: rule ?? { id: one.rule }, look: "plain" }, one.words));
}
