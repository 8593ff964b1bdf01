// What a printed haunt book says, as a form; what has no form is entered in the words of content files.
import { act, isWaiting, refused } from "../game.js";
import { h, useState } from "../vendor/preact.js";
import { BOARD, TABLE } from "../words.js";
import { nameOf, Refusal } from "./names.js";

/** @typedef {import("../api.js").View} View */
/** @typedef {NonNullable<import("../api.js").Decisions["enter"]>} Enter */
/** @typedef {(name: string) => string} Said */

const ENTERING = TABLE.entering;

/**
 * Those of these numbers that were typed.
 * @param {Said} said
 * @param {readonly string[]} names
 */
const numbers = (said, ...names) => Object.fromEntries(names.filter(said).map((one) => [one, Number(said(one))]));

/**
 * Put a thing into a room, if one was chosen.
 * @param {Said} said
 * @param {string} verb
 * @param {object} what
 */
const put = (said, verb, what) =>
  said("at") && { do: [{ [verb]: { ...what, at: said("at"), ...numbers(said, "count") } }] };

/**
 * What a book says: the fields that are asked for, and what is entered.
 * @type {Readonly<Record<string, readonly [string, (said: Said, name: string) => unknown]>>}
 */
const ENTRIES = {
  note: ["title text", (said, name) => ({ notes: { [name]: said("text") } })],
  goal: ["text", (said) => ({ goal: said("text") })],
  counter: ["title max", (said, name) => ({ counters: { [name]: { title: said("title"), ...numbers(said, "max") } } })],
  monster: [
    "title speed might sanity knowledge at count",
    (said, name) => ({
      monsters: {
        [name]: {
          title: said("title"),
          ...numbers(said, ...Object.keys(BOARD.traits)),
          ...(!said("might") && { attacks: false }),
        },
      },
      ...put(said, "place-monster", { kind: name }),
    }),
  ],
  token: [
    "title at count",
    (said, name) => ({ tokens: [{ id: name, title: said("title") }], ...put(said, "place-token", { token: name }) }),
  ],
  traitor: ["seat", (said) => ({ traitor: Number(said("seat")) })],
  json: ["json", (said) => JSON.parse(said("json"))],
};

/**
 * The name under which a thing is entered; entered again under its title it takes the place of what was there.
 * @param {string} title
 */
const slug = (title) =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");

/** @param {{enter: Enter, seen: View}} props */
export function EntryForm({ enter, seen }) {
  const [kind, setKind] = useState("note");
  const [state, setState] = useState("");
  const refusal = refused.value?.command.type === "enter" ? refused.value.problem : null;
  const rooms = seen.rooms.map((one) => [one.id, one.title]);
  const seats = seen.explorers.map((one) => [one.seat, nameOf(seen, one.seat)]);
  /** @param {SubmitEvent & {currentTarget: HTMLFormElement}} event */
  const submit = async (event) => {
    event.preventDefault();
    const form = event.currentTarget;
    const given = new FormData(form);
    const said = (/** @type {string} */ name) => String(given.get(name) ?? "").trim();
    try {
      const entry = ENTRIES[kind]?.[1](said, slug(said("title")) || `entry-${seen.version}`);
      const book = said("book") || enter.books[0];
      setState("");
      if (!(await act(/** @type {any} */ ({ ...enter.example, book, entry })))) return;
      form.reset();
      setState(ENTERING.done);
    } catch {
      setState(TABLE.notJson);
    }
  };
  return h(
    "form",
    { class: "entry", onSubmit: submit },
    enter.books.length > 1 &&
      h(
        "label",
        null,
        ENTERING.book,
        h(
          "select",
          { name: "book" },
          enter.books.map((one) => h("option", { key: one, value: one }, TABLE.sides[one] ?? TABLE.everybodysBook)),
        ),
      ),
    h(
      "label",
      null,
      ENTERING.kind,
      h(
        "select",
        { value: kind, onChange: (/** @type {any} */ event) => [setKind(event.currentTarget.value), setState("")] },
        Object.entries(ENTERING.kinds).map(([one, said]) => h("option", { key: one, value: one }, said)),
      ),
    ),
    ENTRIES[kind]?.[0].split(" ").map((name) => {
      const options = { at: [["", "–"], ...rooms], seat: seats }[name];
      const isText = name === "text" || name === "json";
      return h(
        "label",
        { key: kind + name },
        BOARD.traits[name] ?? (name === "text" ? TABLE.text : name === "json" ? TABLE.asJson : ENTERING.fields[name]),
        options
          ? h(
              "select",
              { name },
              options.map(([value, title]) => h("option", { key: value, value }, title)),
            )
          : isText
            ? h("textarea", {
                name,
                required: true,
                rows: 4,
                maxLength: name === "text" ? 4000 : undefined,
                placeholder: name === "text" ? undefined : JSON.stringify(enter.example.entry),
              })
            : name === "title"
              ? h("input", { name, required: true, maxLength: 80, autocomplete: "off" })
              : h("input", { name, type: "number", min: 1, max: 99, required: name === "speed" }),
      );
    }),
    h("button", { type: "submit", class: "main", disabled: isWaiting.value }, ENTERING.submit),
    h("p", { class: "quiet", role: "status" }, state),
    h("div", { role: "alert", class: refusal ? "detail" : "" }, refusal && h(Refusal, { problem: refusal })),
  );
}
