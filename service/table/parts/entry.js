// What a printed haunt book says, as a form; what has no form is entered in the words of content files.
import { act, isWaiting, refused } from "../game.js";
import { h, useState } from "../vendor/preact.js";
import { TABLE } from "../words.js";
import { Refusal } from "./names.js";

/** @typedef {import("../api.js").View} View */
/** @typedef {NonNullable<import("../api.js").Decisions["enter"]>} Enter */
/** @typedef {(name: string) => string} Said */

const ENTERING = TABLE.entering;

/**
 * What is entered, by what the book says.
 * @type {Readonly<Record<string, (said: Said, name: string) => unknown>>}
 */
const ENTRIES = {
  note: (said, name) => ({ notes: { [name]: said("text") } }),
  counter: (said, name) => ({
    counters: { [name]: { title: said("title"), ...(said("max") && { max: Number(said("max")) }) } },
  }),
  json: (said) => JSON.parse(said("json")),
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
  /** @param {SubmitEvent & {currentTarget: HTMLFormElement}} event */
  const submit = async (event) => {
    event.preventDefault();
    const form = event.currentTarget;
    const given = new FormData(form);
    const said = (/** @type {string} */ name) => String(given.get(name) ?? "").trim();
    try {
      const entry = ENTRIES[kind]?.(said, slug(said("title")) || `entry-${seen.version}`);
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
    kind !== "json" &&
      h(
        "label",
        null,
        ENTERING.title,
        h("input", { name: "title", required: true, maxLength: 80, autocomplete: "off" }),
      ),
    kind === "note" &&
      h("label", null, TABLE.text, h("textarea", { name: "text", required: true, rows: 3, maxLength: 4000 })),
    kind === "counter" && h("label", null, ENTERING.most, h("input", { name: "max", type: "number", min: 1, max: 99 })),
    kind === "json" &&
      h(
        "label",
        null,
        TABLE.asJson,
        h("textarea", {
          name: "json",
          required: true,
          rows: 6,
          spellcheck: false,
          placeholder: JSON.stringify(enter.example.entry),
        }),
      ),
    h("button", { type: "submit", class: "main", disabled: isWaiting.value }, ENTERING.submit),
    h("p", { class: "quiet", role: "status" }, state),
    h("div", { role: "alert", class: refusal ? "detail" : "" }, refusal && h(Refusal, { problem: refusal })),
  );
}
