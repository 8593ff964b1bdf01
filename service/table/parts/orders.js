// Orders left for one's next turn, step by step: a form made of the contract's own shapes. Whatever it can't show is typed as JSON.
import { call } from "../api.js";
import { game, place, view } from "../game.js";
import { against, contract, faults, readJson, resolved } from "../schema.js";
import { h, useEffect, useState } from "../vendor/preact.js";
import { TABLE } from "../words.js";
import { nameOf, Refusal, titleOf } from "./names.js";

/** @typedef {import("../api.js").View} View */
/** @typedef {import("../schema.js").Schema} Schema */
/** @typedef {import("../schema.js").Schemas} Schemas */
/** @typedef {import("contract").components["schemas"]["Orders"]} Orders */
/** @typedef {readonly (readonly [string | number, string])[]} Options by value, in words */

/**
 * What is on the table that a field may name, by `x-names`.
 * @type {Readonly<Record<string, (seen: View) => Options>>}
 */
const NAMED = {
  room: (seen) => seen.rooms.map((one) => [one.id, one.title]),
  card: (seen) => Object.entries(seen.cards).map(([id, one]) => [id, one.title]),
  seat: (seen) => seen.explorers.map((one) => [one.seat, nameOf(seen, one.seat)]),
  monster: (seen) => seen.monsters.map((one) => [one.id, one.title]),
};

/** @type {Schema} */
const STEPS = { type: "array", items: { $ref: "Step" } };

/** @param {Schema} schema without the choice of leaving it empty */
const given = (schema) => schema.anyOf?.find((one) => one.type !== "null") ?? schema;

/** @param {string} name */
const said = (name) => TABLE.fields[name] ?? TABLE.kinds[name] ?? name.replace(/[-_]/g, " ");

/** @param {{seen: View, schema: Schema, name: string, isNeeded: boolean, wrong: string}} props */
function Control({ seen, schema, name, isNeeded, wrong }) {
  const own = given(schema);
  const isMany = own.type === "array";
  const item = isMany ? (own.items ?? {}) : own;
  /** @type {Options | undefined} */
  const options =
    schema["x-names"]?.flatMap((kind) => NAMED[kind]?.(seen) ?? []) ??
    item.enum?.map((one) => [String(one), said(String(one))]) ??
    (own.type === "boolean" ? [true, false].map((one) => [Number(one), TABLE.yesNo[Number(one)] ?? ""]) : undefined);
  const parts = own.propertyNames?.enum;
  const error = h("span", { class: "wrong", role: "alert" }, wrong);
  if (parts)
    return [
      parts.map((one) =>
        h(
          "label",
          { key: one },
          `${said(name)}: ${titleOf(seen, one)}`,
          h("input", { name: `${name}.${one}`, type: "number" }),
        ),
      ),
      error,
    ];
  return h(
    "label",
    null,
    said(name),
    options
      ? h(
          "select",
          { name, multiple: isMany, required: isNeeded },
          !isMany && !isNeeded && h("option", { value: "" }, "–"),
          options.map(([value, title]) => h("option", { key: value, value: JSON.stringify(value) }, title)),
        )
      : h("input", { name, type: "text", required: isNeeded, autocomplete: "off" }),
    error,
  );
}

/**
 * What a form says of the fields of a schema.
 * @param {Schema} of
 * @param {FormData} data
 */
function readFields(of, data) {
  /** @type {Record<string, unknown>} */
  const found = {};
  for (const [name, schema] of Object.entries(of.properties ?? {})) {
    const { type } = given(schema);
    const values = data.getAll(name).map(String).filter(Boolean).map(parsed);
    const parts = [...data].filter(([key, value]) => key.startsWith(`${name}.`) && value !== "");
    if (parts.length > 0)
      found[name] = Object.fromEntries(parts.map(([key, value]) => [key.split(".")[1], Number(value)]));
    else if (values.length > 0)
      found[name] = type === "array" ? values.flat() : type === "boolean" ? Boolean(values[0]) : values[0];
  }
  return found;
}

/** @param {string} text JSON, or a text as it was typed */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * A step in words.
 * @param {View} seen
 * @param {{command: {type: string}, when?: object | null}} step
 */
function worded(seen, { command, when }) {
  const tell = (/** @type {object} */ of) =>
    Object.entries(of).flatMap(([name, value]) => {
      if (name === "type" || name === "decision" || value === null || value.length === 0) return [];
      const told = [value].flat().map((one) => (Object(one) === one ? JSON.stringify(one) : titleOf(seen, one)));
      return [`${said(name)} ${told.join(", ")}`];
    });
  const known = tell(command).join("; ");
  const only = tell(when ?? {}).join("; ");
  return `${said(command.type)}${known && `: ${known}`}${only && `. ${TABLE.onlyIf}: ${only}`}`;
}

/** @param {{seen: View, schemas: Schemas, onAdd: ((step: unknown) => void) | null}} props one step more; none while it could not be added */
function AddStep({ seen, schemas, onAdd }) {
  const orders = game.value?.orders ?? {};
  const [kind, setKind] = useState(Object.keys(orders)[0] ?? "");
  const [json, setJson] = useState("");
  const [wrong, setWrong] = useState({ at: "", says: "" });
  const $ref = schemas.Command?.discriminator?.mapping?.[kind];
  if (!$ref) return null;
  const command = resolved(schemas, { $ref });
  const fields = /** @type {[string, Schema][]} */ (
    orders[kind]?.map((name) => [name, command.properties?.[name] ?? {}])
  );
  const isPlain = fields.every(([, one]) => {
    const own = given(one);
    return !own.$ref && !own.items?.$ref && (own.type !== "object" || own.propertyNames?.enum);
  });
  /** @param {SubmitEvent & {currentTarget: HTMLFormElement}} event */
  const submit = (event) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const when = readFields(schemas.When ?? {}, data);
    const typed = isPlain ? { value: readFields(command, data), wrong: "" } : readJson(json);
    const step = {
      command: { type: kind, decision: "turn", ...Object(typed.value) },
      ...(Object.keys(when).length > 0 && { when }),
    };
    const [fault] = typed.wrong ? [{ at: "", says: typed.wrong }] : faults(schemas, schemas.Step ?? {}, step);
    setWrong(fault ?? { at: "", says: "" });
    if (!fault) onAdd?.(step);
  };
  /** @param {Schema} of @param {string} at its pointer */
  const control =
    (of, at) =>
    (/** @type {readonly [string, Schema]} */ [name, schema]) =>
      h(Control, {
        key: name,
        seen,
        name,
        schema,
        isNeeded: of.required?.includes(name) ?? false,
        wrong: `${wrong.at}/`.startsWith(`${at}/${name}/`) ? wrong.says : "",
      });
  const isBeside = /^\/(command|when)\/./.test(wrong.at);
  return h(
    "form",
    { onSubmit: submit },
    h(
      "label",
      null,
      TABLE.step,
      h(
        "select",
        { value: kind, onChange: (/** @type {any} */ event) => setKind(event.currentTarget.value) },
        Object.keys(orders).map((one) => h("option", { key: one, value: one }, said(one))),
      ),
    ),
    command.description && h("p", { class: "quiet" }, command.description),
    isPlain
      ? fields.map(control(command, "/command"))
      : h(
          "label",
          null,
          TABLE.asJson,
          h("textarea", { value: json, onInput: (/** @type {any} */ event) => setJson(event.currentTarget.value) }),
        ),
    h(
      "details",
      null,
      h("summary", null, TABLE.onlyIf),
      Object.entries(schemas.When?.properties ?? {}).map(control(schemas.When ?? {}, "/when")),
    ),
    !(isPlain && isBeside) && wrong.says && h("p", { class: "detail", role: "status" }, `${wrong.at} ${wrong.says}`),
    h("button", { type: "submit", disabled: !onAdd }, TABLE.addStep),
  );
}

/** @param {{seen: View, seat: number}} props */
export function OrdersLeft({ seen, seat }) {
  const [left, setLeft] = useState(/** @type {Orders | null} */ (null));
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState("[]");
  const [problem, setProblem] = useState(/** @type {{detail: string} | null} */ (null));
  const version = view.value?.version;
  const typed = readJson(text);
  const steps = Array.isArray(typed.value) ? typed.value : null;
  const where = () => ({ path: { game: place.value?.game ?? "", seat }, token: place.value?.token ?? "" });
  useEffect(() => {
    if (!isOpen) return;
    void call("get", "/v1/games/{game}/seats/{seat}/orders", where()).then(
      (answer) => answer.ok && setLeft(answer.data),
    );
  }, [isOpen, version]);
  const leave = async () => {
    const answer = await call("put", "/v1/games/{game}/seats/{seat}/orders", {
      ...where(),
      body: { steps: steps ?? [] },
    });
    setProblem(answer.ok ? null : answer.problem);
    if (!answer.ok) return;
    setLeft(answer.data);
    setText("[]");
  };
  const withdraw = async () => {
    const answer = await call("delete", "/v1/games/{game}/seats/{seat}/orders", where());
    setProblem(answer.ok ? null : answer.problem);
    if (answer.ok) setLeft(null);
  };
  const listed = left?.steps ?? [];
  return h(
    "details",
    { onToggle: (/** @type {{currentTarget: HTMLDetailsElement}} */ event) => setOpen(event.currentTarget.open) },
    h("summary", null, TABLE.orders),
    listed.length === 0 && h("p", { class: "quiet" }, TABLE.noOrders),
    listed.length > 0 && [
      h(
        "ol",
        null,
        listed.map((one, index) => h("li", { key: index }, worded(seen, one))),
      ),
      h("p", null, TABLE.orderStates[left?.state ?? ""] ?? left?.state, " ", left?.because),
      h("p", null, h("button", { type: "button", onClick: () => void withdraw() }, TABLE.withdraw)),
    ],
    h("p", { class: "quiet" }, TABLE.ordersHelp),
    isOpen && h(Draft, { seen, steps, text, wrong: typed.wrong, onText: setText }),
    problem && h("div", { class: "detail", role: "status" }, h(Refusal, { problem })),
    h("button", { type: "button", disabled: !steps?.length, onClick: () => void leave() }, TABLE.leave),
  );
}

/**
 * Orders that are being written, as a list of steps and as JSON.
 * @param {{seen: View, steps: readonly any[] | null, text: string, wrong: string, onText: (text: string) => void}} props `steps`: what the text
 *   says, if it can be read; `wrong`: why it can't
 */
function Draft({ seen, steps, text, wrong, onText }) {
  const [schemas, setSchemas] = useState(/** @type {Schemas} */ ({}));
  useEffect(() => void contract().then(setSchemas), []);
  const fault = wrong || against(schemas, STEPS, text, steps ?? {});
  const write = (/** @type {readonly unknown[]} */ to) => onText(JSON.stringify(to, null, 1));
  return [
    h(
      "ol",
      null,
      steps?.map((one, index) =>
        h(
          "li",
          { key: index },
          one?.command?.type ? worded(seen, one) : JSON.stringify(one),
          " ",
          h(
            "button",
            {
              type: "button",
              "aria-label": TABLE.withoutStep(index + 1),
              onClick: () => write(steps.filter((it) => it !== one)),
            },
            "×",
          ),
        ),
      ),
    ),
    h(AddStep, { seen, schemas, onAdd: steps && ((/** @type {unknown} */ step) => write([...steps, step])) }),
    h(
      "details",
      null,
      h("summary", null, TABLE.asJson),
      h("textarea", {
        "aria-label": TABLE.asJson,
        rows: 4,
        spellcheck: false,
        value: text,
        "aria-invalid": fault ? "true" : undefined,
        onInput: (/** @type {any} */ event) => onText(event.currentTarget.value),
      }),
    ),
    h("p", { class: "wrong", role: "alert" }, fault),
  ];
}
