// The haunt's book, the reference cards, and what this table has ruled.
import { call } from "../api.js";
import { act, isWaiting, place } from "../game.js";
import { h, useEffect, useState } from "../vendor/preact.js";
import { TABLE } from "../words.js";
import { RuleButton } from "./names.js";

/** @typedef {import("../api.js").View} View */
/** @typedef {import("contract").components["schemas"]["HauntBook"]} HauntBook */
/** @typedef {import("contract").components["schemas"]["Reminders"]} Reminders */
/** @typedef {HauntBook["books"][number]} SideBook */

/** @param {{seen: View, as?: string, isPast?: boolean}} props `as`: the role whose view it is, where that is not one's own */
export function Book({ seen, as = "", isPast = false }) {
  const { version } = seen;
  const hasHaunt = seen.haunt !== null;
  const [read, setRead] = useState({ version: 0, as: "", book: /** @type {HauntBook | null} */ (null) });
  // What was read at a later moment, or by somebody else, is not known here.
  const book = read.version <= version && read.as === as ? read.book : null;
  const [cards, setCards] = useState(/** @type {Reminders | null} */ (null));
  useEffect(() => {
    const of = place.value;
    if (!of) return undefined;
    const off = new AbortController();
    const asked = { path: { game: of.game }, token: of.token, signal: off.signal, query: { at: version, as } };
    if (hasHaunt)
      void call("get", "/v1/games/{game}/book", asked).then((answer) => {
        if (!off.signal.aborted && answer.ok && typeof answer.data === "object")
          setRead({ version, as, book: answer.data });
      });
    void call("get", "/v1/games/{game}/reminders", asked).then((answer) => {
      if (!off.signal.aborted && answer.ok) setCards(answer.data);
    });
    return () => off.abort();
  }, [version, hasHaunt, as]);
  return h(
    "div",
    { class: "scroll book", tabIndex: 0, role: "region", "aria-label": TABLE.tabs.book },
    !hasHaunt && h("p", { class: "quiet" }, TABLE.noBook),
    seen.scenario &&
      h(Paragraphs, {
        title: "",
        texts: Object.values(seen.scenario).filter((one) => typeof one === "string" && one.includes(" ")),
      }),
    hasHaunt && book && h(Haunt, { book, seen, isPast }),
    cards?.cards.map((card) =>
      h(
        "details",
        { key: card.card },
        h("summary", null, `${TABLE.reminders}: ${TABLE.reminder[card.card] ?? card.card}`),
        card.rules.map((one) =>
          h(
            "p",
            { key: one.rule },
            h(RuleButton, { rule: { id: one.rule, title: one.title, text: one.text }, look: "plain" }, one.title),
            " ",
            one.text,
          ),
        ),
      ),
    ),
    seen.rulings.agreed.length > 0 &&
      h(Paragraphs, { title: TABLE.agreed, texts: seen.rulings.agreed.map((one) => one.text) }),
    seen.desk.precedents.length > 0 && [
      h("h2", null, TABLE.precedents),
      seen.desk.precedents.map((one) =>
        h(
          "p",
          { key: one.number },
          one.reasons,
          " ",
          one.rules.map((id) => h(RuleButton, { key: id, rule: { id } })),
        ),
      ),
    ],
  );
}

/** @param {{title: string, texts: readonly string[]}} props */
function Paragraphs({ title, texts }) {
  const said = texts.filter(Boolean);
  if (said.length === 0) return null;
  return [title && h("h3", null, title), said.map((text, index) => h("p", { key: index }, text))];
}

/** @param {{book: HauntBook, seen: View, isPast: boolean}} props */
function Haunt({ book, seen, isPast }) {
  const isOver = isPast || seen.status !== "started";
  return h(
    "article",
    { class: "haunt" },
    h("h2", null, book.title),
    h("p", { class: "tale" }, book.story),
    h(Paragraphs, { title: "", texts: book.aloud.flatMap((one) => [one.story, one.setup]) }),
    h(Paragraphs, { title: "", texts: book.rules }),
    book.books.map((one) => h(Side, { key: one.side, one })),
    h(Paragraphs, { title: TABLE.setup, texts: book.setup }),
    book.monsters.map((one) => h(Paragraphs, { key: one.kind, title: one.title, texts: [one.text, ...one.rules] })),
    book.tokens.map((one) => h(Paragraphs, { key: one.id, title: one.title, texts: [one.text, ...one.rules] })),
    book.disclosed.map((one) => h(Paragraphs, { key: one.part, title: one.title, texts: one.text })),
    h(Paragraphs, { title: "", texts: book.notes }),
    h(Paragraphs, {
      title: TABLE.secrets,
      texts: (seen.haunt?.secrets ?? []).map((one) => (one.value ? `${one.title}: ${one.value}` : one.title)),
    }),
    seen.haunt?.parts
      .filter((one) => one.demandable && !isOver)
      .map((one) =>
        h(
          "p",
          { key: one.part },
          h(
            "button",
            {
              type: "button",
              disabled: isWaiting.value,
              onClick: () => void act({ type: "demand", decision: "parts", part: one.part }),
            },
            TABLE.demand(one.title),
          ),
        ),
      ),
    h(MustKnow, { rules: seen.haunt?.must_know ?? [] }),
  );
}

/** @param {{rules: readonly string[]}} props */
function MustKnow({ rules }) {
  if (rules.length === 0) return null;
  return h(
    "p",
    { class: "must" },
    `${TABLE.rulesLook}: `,
    rules.map((id) => h(RuleButton, { key: id, rule: { id } })),
  );
}

/** @param {{one: SideBook}} props */
function Side({ one }) {
  const title = one.shared || !one.side ? TABLE.everybodysBook : TABLE.bookOf(TABLE.sides[one.side] ?? one.side);
  return h(
    "section",
    { class: `side ${one.side}` },
    h("h2", null, title),
    h("p", { class: "tale" }, one.story),
    h("h3", null, TABLE.goal),
    h("p", null, h("strong", null, one.goal)),
    h(Paragraphs, { title: "", texts: [...one.wins, one.right_now] }),
    h(Paragraphs, { title: TABLE.bookActions, texts: one.actions.map((act) => act.text) }),
    h(Paragraphs, { title: TABLE.bookRules, texts: [...one.rules, ...one.left] }),
    one.monsters.map((it) => h(Paragraphs, { key: it.kind, title: it.title, texts: [it.text, ...it.rules] })),
    [...one.tokens, ...one.items].map((it) =>
      h(Paragraphs, { key: it.id, title: it.title, texts: [it.text, ...it.rules] }),
    ),
  );
}
