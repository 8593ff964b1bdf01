// What real dice and cards showed: faces to be tapped, a die roller's line, cards by their letters.
import { act, isWaiting, refused } from "../game.js";
import { useDraft } from "../places.js";
import { h, useLayoutEffect, useRef, useState } from "../vendor/preact.js";
import { TABLE } from "../words.js";
import { Face } from "./dice.js";
import { Refusal } from "./names.js";

/** @typedef {import("../api.js").Listed} Listed */
/** @typedef {import("../api.js").Command} Command */
/** @typedef {import("../api.js").Family} Family */
/** @typedef {import("../api.js").View} View */
/** @typedef {Extract<Family["fields"][number], {shape: "faces"}>} Faces */

/** Dice that are rolled at once, and their total, at most. */
const MOST_DICE = 64;

/**
 * Whoever is nowhere on the page is taken to what is asked as soon as it is asked; others stay where they are.
 * @template {HTMLElement} E
 * @param {boolean} isFit whether this device has the keys for it
 * @returns {{current: E | null}} the control to begin with
 */
function useFirst(isFit = true) {
  const first = useRef(/** @type {E | null} */ (null));
  useLayoutEffect(() => {
    if (isFit && document.activeElement?.matches("body, main")) first.current?.focus({ preventScroll: true });
  }, []);
  return first;
}

/**
 * The numbers of a line as it was posted: `6d3-6: 3 1 1 2 2 1 = 4`. Whether they are right the service says.
 * @param {string} line
 */
function readRoll(line) {
  const [results = "", said = ""] = line
    .replace(/^.*:/, "")
    .replace(/\d*d\d+([+-]\d+)?/gi, "")
    .split("=");
  const total = /-?\d+/.exec(said);
  return { values: (results.match(/\d+/g) ?? []).map(Number), total: total && Number(total[0]) };
}

/** @param {{family: Family, field: Faces, seen: View}} props */
export function Rolled({ family, field, seen }) {
  const { dice, least = 0, field: name = "faces" } = field;
  const [line, setLine] = useDraft(seen, JSON.stringify(family), "");
  const done = useRef(/** @type {HTMLButtonElement | null} */ (null));
  const { values, total } = readRoll(line);
  const isStrange =
    values.some((one) => one < least || one > least + 2) || Math.max(values.length, Math.abs(total ?? 0)) > MOST_DICE;
  const said = total === null ? {} : { total };
  const command = /** @type {Command} */ (/** @type {unknown} */ ({ ...family.fixed, [name]: values, ...said }));
  const refusal = refused.value;
  const isRefused = refusal && JSON.stringify(refusal.command) === JSON.stringify(command);
  /** @param {readonly number[]} to what is tapped is written, too */
  const put = (to) => {
    setLine(to.join(" "));
    if (to.length === dice) done.current?.focus();
  };
  /** Number keys are dice as long as the focus is here, outside of the line. @param {KeyboardEvent & {target: any}} event */
  const onKeyDown = (event) => {
    const { key, target, ctrlKey, altKey, metaKey } = event;
    if (target.matches("[type=text]") || ctrlKey || altKey || metaKey) return;
    if (key === "Backspace") put(values.slice(0, -1));
    else if (/^\d$/.test(key) && key >= `${least}` && key <= `${least + 2}` && values.length < dice)
      put([...values, Number(key)]);
    else return;
    event.preventDefault();
  };
  /** @param {SubmitEvent} event */
  const submit = (event) => {
    event.preventDefault();
    void act(command).then((isDone) => isDone && setLine());
  };
  return h(
    "form",
    { class: "rolled", onSubmit: submit, onKeyDown },
    h(Taps, { values, dice, least, label: TABLE.fields[name] ?? name, put }),
    h("p", { class: "quiet keys" }, TABLE.dice.keys(least)),
    h(
      "label",
      null,
      TABLE.dice.line,
      h("input", {
        type: "text",
        autocomplete: "off",
        spellcheck: false,
        placeholder: TABLE.dice.example,
        value: line,
        "aria-invalid": isRefused || isStrange ? "true" : undefined,
        "aria-describedby": "line-refused",
        onInput: (/** @type {any} */ event) => setLine(event.currentTarget.value),
      }),
    ),
    h(
      "div",
      { id: "line-refused", role: "alert", class: isRefused || isStrange ? "detail" : "" },
      isStrange ? TABLE.dice.strange(dice, least) : isRefused && h(Refusal, { problem: refusal.problem }),
    ),
    h("button", { type: "submit", class: "main", ref: done, disabled: isWaiting.value || isStrange }, TABLE.dice.send),
  );
}

/**
 * Dice as they lie, and a button for each face.
 * @param {{values: readonly number[], dice: number, least: number, label: string, put: (to: readonly number[]) => void}} props
 */
function Taps({ values, dice, least, label, put }) {
  const first = useFirst();
  const total = values.reduce((all, one) => all + one - least, 0);
  return [
    h(
      "p",
      { class: "faces", role: "status" },
      values.map((one, index) => h(Face, { key: index, face: one - least })),
      h("span", null, TABLE.dice.shown(values.length, dice, total)),
    ),
    h(
      "div",
      { class: "taps", role: "group", "aria-label": label },
      [0, 1, 2].map((pips) =>
        h(
          "button",
          {
            type: "button",
            key: pips,
            ref: pips ? null : first,
            disabled: values.length >= dice,
            "aria-label": TABLE.dice.tap(pips + least),
            onClick: () => put([...values, pips + least]),
          },
          h(Face, { face: pips }),
          least > 0 && h("span", null, pips + least),
        ),
      ),
      h(
        "button",
        {
          type: "button",
          "aria-label": TABLE.dice.undo,
          disabled: values.length === 0,
          onClick: () => put(values.slice(0, -1)),
        },
        "⌫",
      ),
    ),
  ];
}

/** @param {string} text apostrophes need not be typed */
const wordsOf = (text) =>
  text
    .toLowerCase()
    .replace(/['’]/g, "")
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/**
 * A list that gets shorter with each letter; Enter takes the last one left, or the one whose whole name was typed.
 * @param {{listed: readonly Listed[], children: (left: readonly Listed[]) => import("../vendor/preact.js").ComponentChildren}} props
 */
export function Lettered({ listed, children }) {
  const [letters, setLetters] = useState("");
  const own = useRef(/** @type {HTMLFormElement | null} */ (null));
  const first = useFirst(!matchMedia("(pointer: coarse)").matches);
  const words = wordsOf(letters);
  const fits = listed.filter(({ label }) => words.every((word) => wordsOf(label).some((one) => one.startsWith(word))));
  const exact = fits.find(({ label }) => `${wordsOf(label)}` === `${words}`);
  const left = exact ? [exact] : fits;
  /** @param {SubmitEvent} event */
  const submit = (event) => {
    event.preventDefault();
    const [only] = left;
    if (left.length === 1 && only) void act(only.command);
    else if (left.length > 0) {
      const first = own.current?.parentElement?.querySelector("li button");
      if (first instanceof HTMLElement) first.focus();
    }
  };
  return [
    h(
      "form",
      { ref: own, class: "letters", onSubmit: submit },
      h(
        "label",
        null,
        TABLE.letters,
        h("input", {
          ref: first,
          type: "search",
          autocomplete: "off",
          autocapitalize: "off",
          spellcheck: false,
          enterKeyHint: "done",
          value: letters,
          onInput: (/** @type {any} */ event) => setLetters(event.currentTarget.value),
        }),
      ),
      h("p", { class: "quiet", role: "status" }, TABLE.found(left.length, listed.length, left[0]?.label ?? "")),
    ),
    children(left),
  ];
}
