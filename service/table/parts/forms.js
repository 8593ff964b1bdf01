// Families of commands as forms: one control for each field by its shape; shapes that this page does not know, as JSON.
import { act, isWaiting, refused } from "../game.js";
import { useDraft } from "../places.js";
import { h, useState } from "../vendor/preact.js";
import { BOARD, TABLE } from "../words.js";
import { Rolled } from "./chance.js";
import { Face } from "./dice.js";
import { Refusal, titleOf } from "./names.js";

/** @typedef {import("../api.js").View} View */
/** @typedef {import("../api.js").Family} Family */
/** @typedef {Family["fields"][number]} Field */
/** @typedef {import("../api.js").Command} Command */
/**
 * @template F
 * @typedef {{field: F, value: any, set: (value: unknown) => void, seen: View, name: string}} Props
 */

/**
 * @typedef {object} Shape
 * @property {(field: any) => unknown} first what it says before anybody touches it
 * @property {(field: any, value: any) => boolean} fits
 * @property {(props: Props<any>) => import("../vendor/preact.js").ComponentChildren} Control
 */

/** @type {Readonly<Record<string, Shape>>} */
const CONTROLS = {
  "one-of": {
    first: (field) => field.values[0],
    fits: () => true,
    Control: OneOf,
  },
  division: {
    first: () => ({}),
    fits: (field, value) => sum(value) >= field.least && sum(value) <= field.total,
    Control: Division,
  },
  places: {
    first: () => [],
    fits: (field, value) => value.length <= field.most,
    Control: Places,
  },
  subset: {
    first: () => [],
    fits: (field, value) => value.length >= field.least,
    Control: Subset,
  },
};

/** @param {Record<string, number>} points */
const sum = (points) => Object.values(points).reduce((all, one) => all + one, 0);

/** @param {{family: Family, seen: View, isOpen: boolean}} props */
export function FamilyForm({ family, seen, isOpen }) {
  const [first] = family.fields;
  if (first?.shape === "faces") return h(Rolled, { family, field: first, seen });
  const isKnown = family.fields.every((one) => one.shape in CONTROLS);
  const form = isKnown ? h(KnownForm, { family, seen }) : h(JsonForm, { example: family.example });
  if (isOpen) return h("div", { class: "family" }, h("h3", null, family.label), form);
  return h("details", { class: "family" }, h("summary", null, family.label), form);
}

/** @param {{family: Family, seen: View}} props */
function KnownForm({ family, seen }) {
  /** @type {Record<string, unknown>} */
  const before = {};
  for (const field of family.fields) before[field.field ?? ""] = CONTROLS[field.shape]?.first(field);
  const [values, setValues] = useDraft(seen, JSON.stringify(family), before);
  const fits = family.fields.every((one) => CONTROLS[one.shape]?.fits(one, values[one.field ?? ""]));
  const command = /** @type {Command} */ (/** @type {unknown} */ ({ ...family.fixed, ...values }));
  /** @param {SubmitEvent} event */
  const submit = (event) => {
    event.preventDefault();
    if (fits) void act(command).then((isDone) => isDone && setValues());
  };
  const refusal = refused.value;
  const isRefused = refusal && JSON.stringify(refusal.command) === JSON.stringify(command);
  return h(
    "form",
    { onSubmit: submit },
    family.fields.map((field) => {
      const name = field.field ?? "";
      const { Control } = /** @type {Shape} */ (CONTROLS[field.shape]);
      return h(
        "fieldset",
        { key: name },
        h("legend", null, TABLE.fields[name] ?? name),
        h(/** @type {any} */ (Control), {
          field,
          seen,
          name: `${family.label} ${name}`,
          value: values[name],
          set: (/** @type {unknown} */ value) => setValues({ ...values, [name]: value }),
        }),
      );
    }),
    h("button", { type: "submit", class: "main", disabled: isWaiting.value || !fits }, TABLE.do),
    isRefused && h("div", { class: "detail" }, h(Refusal, { problem: refusal.problem })),
  );
}

/** @param {Props<{values: (string | number)[], each?: {label: string}[]}>} props */
function OneOf({ field, value, set, seen, name }) {
  return field.values.map((one, index) =>
    h(
      "label",
      { key: one, class: "option" },
      h("input", { type: "radio", name, checked: value === one, onChange: () => set(one) }),
      field.each?.[index]?.label ?? titleOf(seen, one),
    ),
  );
}

/** @param {Props<{least: number, total: number, caps: Record<string, number>}>} props */
function Division({ field, value, set, seen }) {
  const now = sum(value);
  return [
    Object.entries(field.caps).map(([trait, cap]) => {
      const title = BOARD.traits[trait] ?? titleOf(seen, trait);
      const points = value[trait] ?? 0;
      const put = (/** @type {number} */ to) => set({ ...value, [trait]: to });
      return h(
        "div",
        { key: trait, class: "points" },
        h("span", null, title),
        h(
          "button",
          { type: "button", "aria-label": TABLE.less(title), disabled: points <= 0, onClick: () => put(points - 1) },
          "−",
        ),
        h("output", { "aria-label": title }, points),
        h(
          "button",
          {
            type: "button",
            "aria-label": TABLE.more(title),
            disabled: points >= cap || now >= field.total,
            onClick: () => put(points + 1),
          },
          "+",
        ),
      );
    }),
    h("p", { class: "quiet", role: "status" }, TABLE.left(field.least, field.total, now)),
  ];
}

/** @param {Props<{of: string[], least: number}>} props */
function Subset({ field, value, set, seen }) {
  const toggle = (/** @type {string} */ one) =>
    set(value.includes(one) ? value.filter((/** @type {string} */ it) => it !== one) : [...value, one]);
  return [
    field.of.length === 0 && h("p", { class: "quiet" }, TABLE.nothingForIt),
    field.of.map((one) =>
      h(
        "label",
        { key: one, class: "option" },
        h("input", { type: "checkbox", checked: value.includes(one), onChange: () => toggle(one) }),
        titleOf(seen, one),
      ),
    ),
    field.least > 1 && h("p", { class: "quiet" }, TABLE.atLeast(field.least)),
  ];
}

/** @param {Props<{of: string[], most: number}>} props */
function Places({ field, value, set }) {
  const toggle = (/** @type {number} */ index) =>
    set(value.includes(index) ? value.filter((/** @type {number} */ it) => it !== index) : [...value, index]);
  return [
    h(
      "div",
      { class: "faces" },
      field.of.map((face, index) =>
        h(
          "button",
          {
            type: "button",
            key: index,
            "aria-pressed": value.includes(index),
            "aria-label": TABLE.shows(index + 1, face),
            disabled: !value.includes(index) && value.length >= field.most,
            onClick: () => toggle(index),
          },
          /^[012]$/.test(face) ? h(Face, { face: Number(face) }) : face,
        ),
      ),
    ),
    field.most < field.of.length && h("p", { class: "quiet" }, TABLE.atMost(field.most)),
  ];
}

/** @param {{example: unknown}} props a command as text, to be changed */
function JsonForm({ example }) {
  const [text, setText] = useState(JSON.stringify(example, null, 1));
  const [isWrong, setWrong] = useState(false);
  /** @param {SubmitEvent} event */
  const submit = (event) => {
    event.preventDefault();
    try {
      void act(JSON.parse(text));
      setWrong(false);
    } catch {
      setWrong(true);
    }
  };
  return h(
    "form",
    { onSubmit: submit },
    h(
      "label",
      null,
      TABLE.asJson,
      h("textarea", {
        rows: 6,
        spellcheck: false,
        value: text,
        onInput: (/** @type {any} */ event) => setText(event.currentTarget.value),
      }),
    ),
    isWrong && h("p", { class: "wrong", role: "status" }, TABLE.notJson),
    h("button", { type: "submit", class: "main", disabled: isWaiting.value }, TABLE.do),
  );
}
