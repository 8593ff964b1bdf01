// Values held against the contract, in the words of JSON Schema that it uses, and where in a text they stand.
import { call } from "./api.js";
import { SHAPE } from "./words.js";

/**
 * @typedef {object} Schema
 * @property {string} [$ref]
 * @property {string} [type]
 * @property {string} [description]
 * @property {readonly unknown[]} [enum]
 * @property {string} [pattern]
 * @property {readonly Schema[]} [anyOf]
 * @property {readonly Schema[]} [oneOf]
 * @property {{propertyName: string, mapping: Readonly<Record<string, string>>}} [discriminator]
 * @property {Schema} [items]
 * @property {Readonly<Record<string, Schema>>} [properties]
 * @property {Schema | boolean} [additionalProperties]
 * @property {{pattern?: string, enum?: readonly string[]}} [propertyNames]
 * @property {readonly string[]} [x-names] what on the table it names, or each of its items
 * @property {readonly string[]} [required]
 *
 * @typedef {Readonly<Record<string, Schema>>} Schemas by name
 * @typedef {{at: string, says: string}} Fault `at`: a JSON pointer
 */

/** @type {Promise<Schemas> | null} */
let download = null;

/**
 * The shapes of the contract; none if it does not come.
 * @returns {Promise<Schemas>}
 */
export function contract() {
  download ??= call("get", "/openapi.json", {}).then((answer) => {
    if (answer.ok) return Object(answer.data).components.schemas;
    download = null;
    return {};
  });
  return download;
}

/**
 * A schema, or the one that it refers to.
 * @param {Schemas} schemas
 * @param {Schema} schema
 * @returns {Schema}
 */
export const resolved = (schemas, schema) =>
  schema.$ref ? (schemas[schema.$ref.slice(1 + schema.$ref.lastIndexOf("/"))] ?? {}) : schema;

/** @param {unknown} value */
function typeOf(value) {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

/**
 * What is wrong with a value; nothing if it fits.
 * @param {Schemas} schemas
 * @param {Schema} schema
 * @param {any} value
 * @param {string} [at]
 * @returns {readonly Fault[]}
 */
export function faults(schemas, schema, value, at = "") {
  const of = resolved(schemas, schema);
  const wrong = (/** @type {string} */ says) => [{ at, says }];
  const { discriminator, anyOf = of.oneOf } = of;
  if (discriminator) {
    const { propertyName, mapping } = discriminator;
    const $ref = mapping[value?.[propertyName]];
    return $ref ? faults(schemas, { $ref }, value, at) : wrong(SHAPE.tag(propertyName, Object.keys(mapping)));
  }
  if (anyOf) {
    const tried = anyOf.map((one) => faults(schemas, one, value, at));
    // Of several ways to be wrong the one that went furthest is meant.
    const depth = (/** @type {readonly Fault[]} */ one) => one[0]?.at.length ?? Number.POSITIVE_INFINITY;
    return tried.reduce((best, one) => (depth(one) > depth(best) ? one : best));
  }
  const type = typeOf(value);
  if (of.type && of.type !== type && !(of.type === "number" && type === "integer"))
    return wrong(SHAPE.expected(of.type));
  if (of.enum && !of.enum.includes(value)) return wrong(SHAPE.expected(of.enum.join(", ")));
  if (type === "string" && of.pattern && !new RegExp(of.pattern).test(value)) return wrong(SHAPE.expected(of.pattern));
  const size = typeof value === "number" ? value : (value?.length ?? Object.keys(Object(value)).length);
  for (const [name, limit] of Object.entries(of)) {
    if (/^min[A-Zi]/.test(name) && size < limit) return wrong(SHAPE.atLeast(limit));
    if (/^max[A-Zi]/.test(name) && size > limit) return wrong(SHAPE.atMost(limit));
  }
  if (type === "array")
    return value.flatMap((/** @type {unknown} */ one, /** @type {number} */ index) =>
      faults(schemas, of.items ?? {}, one, `${at}/${index}`),
    );
  if (type !== "object") return [];
  const missing = of.required?.filter((name) => !(name in value)) ?? [];
  return [
    ...missing.flatMap((name) => wrong(SHAPE.missing(name))),
    ...Object.entries(value).flatMap(([name, one]) => {
      const own = of.properties?.[name] ?? of.additionalProperties ?? {};
      const isNamed = !of.propertyNames?.pattern || new RegExp(of.propertyNames.pattern).test(name);
      if (own === false || !isNamed)
        return [
          { at: `${at}/${name}`, says: SHAPE.unknown(Object.keys(of.properties ?? {}), of.propertyNames?.pattern) },
        ];
      return own === true ? [] : faults(schemas, own, one, `${at}/${name}`);
    }),
  ];
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * Where in a text that is JSON each value begins, by its pointer.
 * @param {string} text
 * @returns {Readonly<Record<string, number>>}
 */
export function offsets(text) {
  /** @type {Record<string, number>} */
  const found = {};
  /** @type {{at: string, key: string | null, count: number}[]} a count of -1: an object, whose next key is awaited while there is none */
  const inside = [];
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const top = inside.at(-1);
    if (token === "}" || token === "]") inside.pop();
    else if (token === "," && top) {
      top.key = null;
      if (top.count >= 0) top.count++;
    } else if (token === ":") continue;
    else if (top && top.count < 0 && top.key === null) top.key = JSON.parse(token);
    else {
      const at = top ? `${top.at}/${top.count < 0 ? top.key : top.count}` : "";
      found[at] = index;
      if (token === "{" || token === "[") inside.push({ at, key: null, count: token === "[" ? 0 : -1 });
    }
  }
  return found;
}

/** @param {string} text up to where something is wrong, which is said as a line and a column @param {string} what */
function lineOf(text, what) {
  const lines = text.split("\n");
  return SHAPE.at(lines.length, (lines.at(-1) ?? "").length + 1, what);
}

/**
 * What a text says as JSON, or why it is none, with the line.
 * @param {string} text
 * @returns {{value: any, wrong: string}}
 */
export function readJson(text) {
  try {
    return { value: JSON.parse(text), wrong: "" };
  } catch (error) {
    const said = String(error instanceof Error ? error.message : error);
    const position = /position (\d+)/.exec(said);
    const named = /line (\d+) column (\d+)/.exec(said);
    const what = said.replace(/ (in JSON )?at (position|line) .*$/, "");
    const wrong = named
      ? SHAPE.at(Number(named[1]), Number(named[2]), what)
      : lineOf(text.slice(0, position ? Number(position[1]) : text.length), what);
    return { value: null, wrong };
  }
}

/**
 * What the contract says against a value, as far as it is in the text that was typed: the first fault, and where it stands.
 * @param {Schemas} schemas
 * @param {Schema} schema
 * @param {string} text
 * @param {unknown} value
 */
export function against(schemas, schema, text, value) {
  const where = offsets(text);
  const fault = faults(schemas, schema, value).find(({ at }) => at in where);
  return fault ? lineOf(text.slice(0, where[fault.at]), `${fault.at}: ${fault.says}`) : "";
}
