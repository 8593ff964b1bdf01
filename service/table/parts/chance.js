// What real dice and cards showed: faces to be tapped, a die roller's line, cards by their letters.
import { act, isWaiting, place, refused } from "../game.js";
import { h, useEffect, useRef, useState } from "../vendor/preact.js";
import { TABLE } from "../words.js";
import { Face } from "./dice.js";
import { Refusal } from "./names.js";

/** @typedef {import("../api.js").Listed} Listed */
/** @typedef {import("../api.js").Command} Command */
/** @typedef {import("../api.js").Family} Family */
/** @typedef {Extract<Family["fields"][number], {shape: "faces"}>} Faces */

/** Dice that are rolled at once, and their total, at most. */
const MOST_DICE = 64;

/** What was entered last: it outlives a look at another panel, and a phone that is turned. */
let draft = { key: "", value: /** @type {any} */ (null) };

/**
 * The state of a form.
 * @template T
 * @param {Family} family
 * @param {T} first
 * @returns {[T, (to: T) => void]}
 */
export function useEntered(family, first) {
  const key = JSON.stringify([place.value?.game, place.value?.role, family]);
  const [value, set] = useState(draft.key === key ? draft.value : first);
  return [
    value,
    (to) => {
      draft = { key, value: to };
      set(to);
    },
  ];
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

/** @param {{family: Family, field: Faces}} props */
export function Rolled({ family, field }) {
  const { dice, least = 0, field: name = "faces" } = field;
  const [line, setLine] = useEntered(family, "");
  const done = useRef(/** @type {HTMLButtonElement | null} */ (null));
  const { values, total } = readRoll(line);
  const left = dice - values.length;
  const said = total === null ? {} : { total };
  const isStrange =
    values.some((one) => one < least || one > least + 2) || Math.max(values.length, Math.abs(total ?? 0)) > MOST_DICE;
  const command = /** @type {Command} */ (/** @type {unknown} */ ({ ...family.fixed, [name]: values, ...said }));
  const refusal = refused.value;
  const isRefused = refusal && JSON.stringify(refusal.command) === JSON.stringify(command);
  /** @param {readonly number[]} to what is tapped is written, too */
  const tap = (to) => {
    setLine(to.join(" "));
    if (to.length === dice) done.current?.focus();
  };
  const onKey = useRef((/** @type {any} */ _) => {});
  onKey.current = (event) => {
    const { key, target } = event;
    const isElsewhere = !target.matches("body, main") && !target.closest(".deeds");
    if (isElsewhere || target.matches("input, textarea, select") || event.defaultPrevented) return;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const face = /^\d$/.test(key) ? Number(key) : -1;
    if (key === "Backspace") tap(values.slice(0, -1));
    else if (face >= least && face <= least + 2 && left > 0) tap([...values, face]);
    else return;
    event.preventDefault();
  };
  useEffect(() => {
    const listen = (/** @type {KeyboardEvent} */ event) => onKey.current(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
  /** @param {SubmitEvent} event */
  const submit = (event) => {
    event.preventDefault();
    void act(command);
  };
  return h(
    "form",
    { class: "rolled", onSubmit: submit },
    h(
      "p",
      { class: "faces", role: "status" },
      values.map((one, index) => h(Face, { key: index, face: one - least })),
      h(
        "span",
        null,
        TABLE.dice.shown(
          values.length,
          dice,
          values.reduce((all, one) => all + one - least, 0),
        ),
      ),
    ),
    h(
      "div",
      { class: "taps", role: "group", "aria-label": TABLE.fields[name] },
      [0, 1, 2].map((pips) =>
        h(
          "button",
          {
            type: "button",
            key: pips,
            disabled: left <= 0,
            "aria-label": TABLE.dice.tap(pips + least),
            onClick: () => tap([...values, pips + least]),
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
          onClick: () => tap(values.slice(0, -1)),
        },
        "⌫",
      ),
    ),
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
    h(
      "button",
      {
        type: "submit",
        class: "main",
        ref: done,
        disabled: isWaiting.value || isStrange,
      },
      TABLE.dice.send,
    ),
  );
}

/**
 * A list that gets shorter with each letter; Enter takes the last one left.
 * @param {{listed: readonly Listed[], children: (left: readonly Listed[]) => import("../vendor/preact.js").ComponentChildren}} props
 */
export function Lettered({ listed, children }) {
  const [letters, setLetters] = useState("");
  const own = useRef(/** @type {HTMLFormElement | null} */ (null));
  const words = letters.toLowerCase().split(" ");
  const left = listed.filter(({ label }) => {
    const title = label.toLowerCase().split(/[^\p{L}\p{N}]+/u);
    return words.every((word) => title.some((one) => one.startsWith(word)));
  });
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
