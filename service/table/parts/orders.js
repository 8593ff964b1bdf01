// Orders left for one's next turn, step by step: a form made of the contract's own shapes. Whatever it can't show is typed as JSON.
import { call } from "../api.js";
import { game, place, view } from "../game.js";
import { contract, faults, resolved } from "../schema.js";
import { h, useEffect, useState } from "../vendor/preact.js";
import { TABLE } from "../words.js";
import { nameOf, Refusal, titleOf } from "./names.js";

/** @typedef {import("../api.js").View} View */
/** @typedef {import("../schema.js").Schema} Schema */
/** @typedef {import("../schema.js").Schemas} Schemas */
/** @typedef {import("contract").components["schemas"]["Orders"]} Orders */
/** @typedef {readonly (readonly [string | number, string])[]} Options by value, in words */

/**
 * What is on the table that a field of this name may be about.
 * @param {View} seen
 * @param {string} name
 * @returns {Options | undefined}
 */
function optionsFor(seen, name) {
  const seats = seen.explorers.map((one) => /** @type {const} */ ([one.seat, nameOf(seen, one.seat)]));
  const monsters = seen.monsters.map((one) => /** @type {const} */ ([one.id, one.title]));
  if (/^(to|room|not_room)$/.test(name)) return seen.rooms.map((one) => [one.id, one.title]);
  if (/^(cards?|gives|wants|weapon|holds)$/.test(name))
    return Object.entries(seen.cards).map(([id, one]) => [id, one.title]);
  if (/^(seat|with|from|beside)$/.test(name)) return seats;
  return name === "target" ? [...seats, ...monsters] : name === "monster" ? monsters : undefined;
}

/** @param {Schema} schema without the choice of leaving it empty */
const given = (schema) => schema.anyOf?.find((one) => one.type !== "null") ?? schema;

/** @param {{pattern?: string} | undefined} of */
const words = (of) => /^\^\(([\w|-]+)\)\$$/.exec(of?.pattern ?? "")?.[1]?.split("|");

/** @param {string} name */
const said = (name) => TABLE.fields[name] ?? TABLE.kinds[name] ?? name.replace(/[-_]/g, " ");

/** @param {{seen: View, schema: Schema, name: string, isNeeded: boolean}} props */
function Control({ seen, schema, name, isNeeded }) {
  const own = given(schema);
  const isMany = own.type === "array";
  const item = isMany ? (own.items ?? {}) : own;
  /** @type {Options | undefined} */
  const options =
    optionsFor(seen, name) ??
    words(item)?.map((one) => [one, said(one)]) ??
    (own.type === "boolean" ? [true, false].map((one) => [Number(one), TABLE.yesNo[Number(one)] ?? ""]) : undefined);
  const parts = own.type === "object" ? words(own.propertyNames) : undefined;
  if (parts)
    return parts.map((one) =>
      h(
        "label",
        { key: one },
        `${said(name)}: ${titleOf(seen, one)}`,
        h("input", { name: `${name}.${one}`, type: "number" }),
      ),
    );
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
      found[name] = type === "array" ? values : type === "boolean" ? Boolean(values[0]) : values[0];
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

/** @param {{seen: View, onAdd: (step: unknown) => void}} props one step more */
function AddStep({ seen, onAdd }) {
  const [schemas, setSchemas] = useState(/** @type {Schemas} */ ({}));
  const [kind, setKind] = useState("move");
  const [json, setJson] = useState("");
  const [wrong, setWrong] = useState("");
  useEffect(() => void contract().then(setSchemas), []);
  const $ref = schemas.Command?.discriminator?.mapping?.[kind];
  if (!$ref) return null;
  const command = resolved(schemas, { $ref });
  const fields = Object.entries(command.properties ?? {}).filter(([name]) => !/^(type|decision|monster)$/.test(name));
  const isPlain = fields.every(([, one]) => {
    const own = given(one);
    return (
      !one.$ref && (own.type !== "object" || words(own.propertyNames)) && (own.type !== "array" || !own.items?.$ref)
    );
  });
  /** @param {SubmitEvent & {currentTarget: HTMLFormElement}} event */
  const submit = (event) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const when = readFields(schemas.When ?? {}, data);
    const step = {
      command: { type: kind, decision: "turn", ...(isPlain ? readFields(command, data) : Object(parsed(json))) },
      ...(Object.keys(when).length > 0 && { when }),
    };
    const [fault] = faults(schemas, schemas.Step ?? {}, step);
    setWrong(fault ? `${fault.at} ${fault.says}` : "");
    if (!fault) onAdd(step);
  };
  const control =
    (/** @type {Schema} */ of) =>
    (/** @type {readonly [string, Schema]} */ [name, schema]) =>
      h(Control, { key: name, seen, name, schema, isNeeded: of.required?.includes(name) ?? false });
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
        game.value?.orders.map((one) => h("option", { key: one, value: one }, said(one))),
      ),
    ),
    command.description && h("p", { class: "quiet" }, command.description),
    isPlain
      ? fields.map(control(command))
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
      Object.entries(schemas.When?.properties ?? {}).map(control(schemas.When ?? {})),
    ),
    wrong && h("p", { class: "detail", role: "status" }, wrong),
    h("button", { type: "submit" }, TABLE.addStep),
  );
}

/** @param {{seen: View, seat: number}} props */
export function OrdersLeft({ seen, seat }) {
  const [left, setLeft] = useState(/** @type {Orders | null} */ (null));
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState("[]");
  const [problem, setProblem] = useState(/** @type {{detail: string} | null} */ (null));
  const version = view.value?.version;
  const where = () => ({ path: { game: place.value?.game ?? "", seat }, token: place.value?.token ?? "" });
  useEffect(() => {
    if (!isOpen) return;
    void call("get", "/v1/games/{game}/seats/{seat}/orders", where()).then(
      (answer) => answer.ok && setLeft(answer.data),
    );
  }, [isOpen, version]);
  const typed = parsed(text);
  const steps = Array.isArray(typed) ? typed : null;
  const leave = async () => {
    if (!steps) return setProblem({ detail: TABLE.notJson });
    const answer = await call("put", "/v1/games/{game}/seats/{seat}/orders", { ...where(), body: { steps } });
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
    isOpen && h(Draft, { seen, steps, text, onText: setText }),
    problem && h("div", { class: "detail", role: "status" }, h(Refusal, { problem })),
    h("button", { type: "button", disabled: steps?.length === 0, onClick: () => void leave() }, TABLE.leave),
  );
}

/**
 * Orders that are being written, as a list of steps and as JSON.
 * @param {{seen: View, steps: readonly any[] | null, text: string, onText: (text: string) => void}} props `steps`: what the text says, if it can be read
 */
function Draft({ seen, steps, text, onText }) {
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
    h(AddStep, { seen, onAdd: (step) => write([...(steps ?? []), step]) }),
    h(
      "details",
      null,
      h("summary", null, TABLE.asJson),
      h("textarea", {
        "aria-label": TABLE.asJson,
        rows: 4,
        spellcheck: false,
        value: text,
        onInput: (/** @type {any} */ event) => onText(event.currentTarget.value),
      }),
    ),
  ];
}
