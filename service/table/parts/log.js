// What happened, in sentences, by turn; each sentence opens its rule.
import { call } from "../api.js";
import { earlier, place, steps, view } from "../game.js";
import { kept } from "../places.js";
import { h, signal, useLayoutEffect, useMemo, useRef, useState } from "../vendor/preact.js";
import { TABLE } from "../words.js";
import { RuleButton } from "./names.js";

/** @typedef {import("../api.js").TraceStep} Step */

/** Where the owner of each place had looked up to when the page was loaded, or before it was out of sight. */
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

document.addEventListener("visibilitychange", () => {
  const [of, now] = [kept(place.value), view.value?.version ?? 0];
  const seen = of?.seen ?? now;
  if (of && !document.hidden && seen < now) marks.value = { ...marks.value, [`${of.game}/${of.role}`]: seen };
});

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
  /** What cards and rooms say is told once in a turn. */
  const texts = new Set();
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
        const isTurn = previous?.turn !== step.turn;
        if (isTurn) texts.clear();
        const spoke = step.spoke.filter((one) => one.text && !texts.has(one.text) && texts.add(one.text));
        const isNew =
          since > 0 && step.number > since && (previous ? previous.number <= since : step.number === since + 1);
        return h(Told, { key: step.number, step, spoke, isTurn, since: isNew ? since : 0 });
      }),
    ),
  );
}

/** @param {{step: Step, spoke: Step["spoke"], isTurn: boolean, since: number}} props `since`: the commit behind which all is new from this one on */
function Told({ step, spoke, isTurn, since }) {
  const did = step.turn || !step.did ? step.did : `${step.who}: ${step.did}`;
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
        since > 0 && h(Since, { since }),
        did && h("p", { class: "did" }, did),
        step.happened.map((one, index) =>
          one.kind === "note" ? null : h(Sentence, { key: index, one, rules: step.rules }),
        ),
        spoke.map((one) => h("blockquote", { key: one.box }, h("strong", null, one.title), " ", one.text)),
        step.refused.map((one, index) =>
          h("p", { key: index, class: "quiet" }, TABLE.tried(one.did || one.by, one.because)),
        ),
      ),
    [step, spoke.length, isTurn, since],
  );
}

/** @param {{since: number}} props what has changed since a commit, for who asks */
function Since({ since }) {
  const [changed, setChanged] = useState(/** @type {readonly string[]} */ ([]));
  const onToggle = (/** @type {{currentTarget: HTMLDetailsElement}} */ { currentTarget }) => {
    const [of, to] = [place.value, view.value?.version];
    if (!of || !currentTarget.open) return;
    const asked = { path: { game: of.game }, token: of.token, query: { from: since, to } };
    void call("get", "/v1/games/{game}/diff", asked).then((told) => {
      if (told.ok)
        setChanged(told.data.changes.length > 0 ? told.data.changes.map((one) => one.text) : [TABLE.noChange]);
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

/** @param {{one: Step["happened"][number], rules: Step["rules"]}} props */
function Sentence({ one, rules }) {
  const rule = rules.find((it) => it.id === one.rule);
  const look = `sentence ${one.kind}`;
  if (!one.rule) return h("p", { class: look }, one.words);
  return h("p", { class: look }, h(RuleButton, { rule: rule ?? { id: one.rule }, look: "plain" }, one.words));
}
