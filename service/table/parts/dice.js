// What is watched for a moment: dice fall with the faces of the event, a haunt begins. A click passes through, and ends it.
import { fresh, isMarked } from "../game.js";
import { h, useEffect, useState } from "../vendor/preact.js";
import { TABLE } from "../words.js";
import { titleOf } from "./names.js";

/** @typedef {import("../api.js").View} View */
/** @typedef {{key: string, who: string, faces: readonly number[], total: number}} Rolled */

/** Milliseconds that the sign of a beginning haunt stays, unless somebody clicks or presses a key. */
const SIGN = 5000;
const PIPS = /** @type {const} */ ([
  [],
  [[12, 12]],
  [
    [8, 8],
    [16, 16],
  ],
]);

/** @param {{face: number}} props a die with none, one or two pips */
export function Face({ face }) {
  return h(
    "svg",
    { class: "face", viewBox: "0 0 24 24", "aria-hidden": "true" },
    h("rect", { x: 1, y: 1, width: 22, height: 22, rx: 4 }),
    PIPS[face]?.map(([x, y], index) => h("circle", { key: index, cx: x, cy: y, r: 3 })),
  );
}

/**
 * The rolls of what has just happened, and the haunt that it began.
 * @param {View} seen
 */
function happened(seen) {
  /** @type {Rolled[]} */
  const rolls = [];
  for (const commit of fresh.value) {
    commit.data.events.forEach((event, index) => {
      if (event.type === "DiceRolled" || event.type === "DiceRerolled") {
        const { who, faces, total } = event;
        rolls.push({ key: `${commit.id}-${index}`, who: titleOf(seen, who), faces, total });
      }
    });
  }
  const haunt = isMarked(fresh.value, "haunt") ? (seen.haunt?.title ?? TABLE.haunt) : "";
  return { rolls: rolls.slice(-3), haunt, isBack: isMarked(fresh.value, "rewind"), last: fresh.value.at(-1)?.id ?? "" };
}

const NOTHING = { rolls: /** @type {Rolled[]} */ ([]), haunt: "", isStill: true };

/** @param {{seen: View}} props the latest rolls lie on the table until the next, a rewind, or a click after the one that ends their fall */
export function Dice({ seen }) {
  const { rolls, haunt, isBack, last } = happened(seen);
  const [shown, setShown] = useState(NOTHING);
  useEffect(() => {
    if (isBack) setShown(NOTHING);
    if (rolls.length === 0 && !haunt) return undefined;
    setShown({ rolls, haunt, isStill: false });
    const still = () => setShown((now) => ({ ...now, haunt: "", isStill: true }));
    const clicked = () => setShown((now) => (now.isStill ? NOTHING : { ...now, haunt: "", isStill: true }));
    const timer = setTimeout(still, SIGN);
    const ended = new AbortController();
    // The click that brought it is over by now.
    for (const kind of ["pointerdown", "keydown"])
      document.addEventListener(kind, clicked, { signal: ended.signal, capture: true });
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
  }, [last]);
  return h(
    "div",
    { class: shown.isStill ? "tray still" : "tray", role: "status" },
    shown.haunt && h("p", { class: "curtain" }, h("span", null, TABLE.haunt), h("strong", null, shown.haunt)),
    shown.rolls.map((roll) =>
      h(
        "p",
        { key: roll.key, class: "roll" },
        roll.faces.map((face, index) => h("span", { key: index, class: `fall fall-${index % 4}` }, h(Face, { face }))),
        h("span", { class: "total" }, TABLE.rolled(roll.who, roll.total)),
      ),
    ),
  );
}
