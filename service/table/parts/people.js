// Explorers and monsters: who is where, their traits on tracks, their cards with their texts, and what the haunt counts.
import { call } from "../api.js";
import { game, moment, place, present, readGame } from "../game.js";
import { placesIn } from "../places.js";
import { h, signal, useEffect, useState } from "../vendor/preact.js";
import { BOARD, LOBBY, TABLE } from "../words.js";
import { Badge, nameOf, percent, titleOf } from "./names.js";

/** @typedef {import("../api.js").View} View */
/** @typedef {View["explorers"][number]} Explorer */
/** @typedef {View["explorers"][number]["traits"]["might"]} Trait */

/** @param {{seen: View}} props all explorers in one line, with the numbers of their traits */
export function Strip({ seen }) {
  return h(
    "ul",
    { class: "strip", "aria-label": TABLE.explorers, tabIndex: 0 },
    seen.explorers.map((one) =>
      h(
        "li",
        { key: one.seat, class: seen.turn.seat === one.seat && !seen.turn.monsters ? "acting" : "" },
        h(Badge, { seen, seat: one.seat }),
        h(
          "div",
          null,
          h("span", { class: "name" }, h(Here, { seat: one.seat }), nameOf(seen, one.seat)),
          h(
            "span",
            { class: "numbers" },
            one.alive
              ? traitsOf(one).map(([name, trait]) =>
                  h(
                    "span",
                    { key: name, class: trait.critical ? `critical ${name}` : name },
                    h("abbr", { title: BOARD.traits[name] }, (BOARD.traits[name] ?? name)[0]),
                    String(trait.value),
                  ),
                )
              : one.escaped
                ? TABLE.escaped
                : TABLE.dead,
            one.side === "traitor" && h("em", null, TABLE.sides.traitor),
          ),
        ),
      ),
    ),
  );
}

/** Who follows the game; of the past nobody knows. */
const around = () => (moment.value ? null : present.value);

/**
 * Whether a seat follows the game now; undefined where nobody knows, or several share a screen.
 * @param {number} seat
 */
const isHere = (seat) => {
  const role = `seat:${seat}`;
  const isShared = placesIn(game.value?.id ?? "").some((one) => one.role === role && role !== place.value?.role);
  return game.value?.hotseat || isShared ? undefined : around()?.roles.includes(role);
};

/** @param {{seat: number}} props */
function Here({ seat }) {
  const known = isHere(seat);
  if (known === undefined) return null;
  const words = known ? TABLE.here : TABLE.away;
  return h("span", { class: "here", role: "img", "aria-label": words, title: words }, known ? "● " : "○ ");
}

/** Who follows the game without an explorer. */
function Others() {
  const { roles = [], spectators = 0 } = around() ?? {};
  const those = [
    ...roles.flatMap((one) => (one.startsWith("seat:") ? [] : [TABLE.recipients[one] ?? one])),
    ...(spectators ? [TABLE.watching(spectators)] : []),
  ];
  return those.length > 0 ? h("p", null, `${TABLE.alsoHere}: ${those.join(", ")}`) : null;
}

/** The module of the lobby in which links and players are managed, once somebody has asked for them. */
const managing = signal(/** @type {typeof import("./lobby-room.js") | null} */ (null));

/** @param {{label?: string}} props links to the places, and what the host can do about players; if a place is renewed, this stays open */
export function Managed({ label = LOBBY.manage }) {
  const [room, facts] = [managing.value, game.value];
  const onToggle = async (/** @type {{currentTarget: HTMLDetailsElement}} */ { currentTarget: { open } }) => {
    managing.value = open ? await import("./lobby-room.js") : null;
  };
  return h(
    "details",
    { class: "lobby", onToggle, open: room !== null },
    h("summary", null, label),
    room &&
      facts && [
        h(room.Invites, { key: "invites", facts }),
        h(room.Managing, { key: "managing", facts, onChange: () => void readGame() }),
      ],
  );
}

/** @param {Explorer} one */
const traitsOf = (one) => /** @type {[string, Trait][]} */ (Object.entries(one.traits));

/**
 * @param {{seen: View, isPast?: boolean, isModerated?: boolean}} props odds are those of now: the past has none; links and players a moderator has
 *   in the panel
 */
export function People({ seen, isPast = false, isModerated = false }) {
  const own = seen.explorers.find((one) => one.seat === seen.you);
  const others = seen.explorers.filter((one) => one !== own);
  return h(
    "div",
    { class: "scroll people", tabIndex: 0, role: "region", "aria-label": TABLE.tabs.people },
    seen.turn.drawn.length > 0 && [
      h("h2", null, TABLE.drawn),
      seen.turn.drawn.map((id) => h(Card, { key: id, seen, id })),
    ],
    h(Others, null),
    own && h(Sheet, { seen, one: own, isOwn: true, isPast }),
    others.map((one) => h(Sheet, { key: one.seat, seen, one, isOwn: false, isPast })),
    seen.monsters.length > 0 && h("h2", null, TABLE.monsters),
    seen.monsters.map((one) => h(Monster, { key: one.id, seen, one })),
    seen.haunt && seen.haunt.counters.length > 0 && h(Counters, { seen }),
    h("h2", null, TABLE.decks),
    h(
      "p",
      { class: "facts" },
      Object.entries(seen.decks).map(([name, deck]) =>
        h("span", { key: name }, `${TABLE.deck[name] ?? name}: ${deck.size}`),
      ),
    ),
    !isPast && !seen.haunt && seen.status === "started" && h(HauntOdds, { seen }),
    !(isPast || isModerated) && h(Managed, null),
  );
}

/** @param {{seen: View, one: Explorer, isOwn: boolean, isPast: boolean}} props */
function Sheet({ seen, one, isOwn, isPast }) {
  const room = seen.rooms.find((it) => it.id === one.room);
  const signs = [
    isOwn ? TABLE.me : { true: TABLE.here, false: TABLE.away }[String(isHere(one.seat))],
    TABLE.sides[one.side],
    !one.alive && !one.escaped && TABLE.dead,
    one.escaped && TABLE.escaped,
    one.alive && room?.title,
    one.held && TABLE.held(titleOf(seen, one.held.card)),
  ].filter(Boolean);
  const cards = one.cards.map((id) => h(Card, { key: id, seen, id }));
  return h(
    "section",
    { class: isOwn ? "sheet own" : "sheet" },
    h("h2", null, h(Badge, { seen, seat: one.seat }), nameOf(seen, one.seat)),
    h(
      "p",
      { class: "facts" },
      signs.map((sign) => h("span", { key: sign }, sign)),
    ),
    h(
      "div",
      { class: "tracks" },
      traitsOf(one).map(([name, trait]) => h(Track, { key: name, name, trait })),
    ),
    isOwn && !isPast && seen.status === "started" && one.alive && h(TraitOdds, { seen, seat: one.seat }),
    isOwn
      ? cards
      : cards.length > 0 &&
          h(
            "details",
            null,
            h("summary", null, `${TABLE.othersCards}: ${one.cards.map((id) => titleOf(seen, id)).join(", ")}`),
            cards,
          ),
    isOwn && cards.length === 0 && h("p", { class: "quiet" }, TABLE.noCards),
  );
}

/** @param {{name: string, trait: Trait}} props */
function Track({ name, trait }) {
  const title = BOARD.traits[name] ?? name;
  const said = TABLE.onSpace(title, trait.value, trait.position);
  return h(
    "div",
    { class: `track ${name} ${trait.critical ? "critical" : ""}` },
    h("span", { class: "trait", "aria-hidden": "true" }, title),
    h("span", { class: "spoken" }, trait.critical ? `${said}, ${TABLE.critical}` : said),
    h(
      "span",
      { class: "spaces", "aria-hidden": "true" },
      trait.track.map((value, index) => {
        const look = [index === trait.position && "now", index === trait.start && "start"].filter(Boolean).join(" ");
        return h("span", { key: index, class: look }, index === 0 ? "☠" : value);
      }),
    ),
  );
}

/** @param {{seen: View, id: string}} props */
export function Card({ seen, id }) {
  const card = seen.cards[id];
  if (!card) return h("p", null, id);
  return h(
    "article",
    { class: `card ${card.deck} ${card.of_haunt ? "haunted" : ""}` },
    h("h3", null, card.title, card.state && ` (${card.state})`),
    h("p", { class: "tale" }, card.text),
    card.rules.length > 0 &&
      h(
        "ul",
        null,
        card.rules.map((rule, index) => h("li", { key: index }, rule)),
      ),
  );
}

/** @param {{seen: View, one: View["monsters"][number]}} props */
function Monster({ seen, one }) {
  const room = seen.rooms.find((it) => it.id === one.room);
  const numbers = Object.entries(one.traits).map(([name, value]) => `${BOARD.traits[name] ?? name} ${value}`);
  const facts = [room?.title, one.stunned && BOARD.stunned, one.boxed && TABLE.boxed, ...numbers].filter(Boolean);
  return h(
    "section",
    { class: "sheet" },
    h("h3", null, one.title),
    h(
      "p",
      { class: "facts" },
      facts.map((fact) => h("span", { key: fact }, fact)),
    ),
    one.cards.map((id) => h(Card, { key: id, seen, id })),
  );
}

/** @param {{seen: View}} props */
function Counters({ seen }) {
  return [
    h("h2", null, TABLE.counters),
    h(
      "ul",
      { class: "counters" },
      seen.haunt?.counters.map((one) =>
        h(
          "li",
          { key: `${one.name}${one.seat}` },
          h("span", null, one.seat === null ? one.title : `${one.title}, ${nameOf(seen, one.seat)}`),
          h("strong", null, one.max === null ? one.value : `${one.value}/${one.max}`),
          one.max !== null &&
            one.max > 0 &&
            h("meter", { min: 0, max: one.max, value: one.value, "aria-label": one.title }),
        ),
      ),
    ),
  ];
}

/** @param {{seen: View}} props */
function HauntOdds({ seen }) {
  const { version, omens_drawn: omens } = seen;
  const [told, setTold] = useState("");
  useEffect(() => {
    const of = place.value;
    const off = new AbortController();
    if (!of || !omens) return undefined;
    const asked = {
      path: { game: of.game },
      token: of.token,
      body: { of: /** @type {const} */ ("haunt") },
      signal: off.signal,
    };
    void call("post", "/v1/games/{game}/odds", asked).then((answer) => {
      if (off.signal.aborted) return;
      setTold(answer.ok && answer.data.haunt_begins ? percent(answer.data.haunt_begins) : "");
    });
    return () => off.abort();
  }, [version, omens]);
  return omens > 0 && told
    ? h("p", { class: "facts" }, h("span", null, TABLE.hauntOdds(omens)), h("span", null, TABLE.begins(told)))
    : null;
}

/** @param {{seen: View, seat: number}} props what a roll of each trait would bring */
function TraitOdds({ seen, seat }) {
  const [trait, setTrait] = useState("");
  const [told, setTold] = useState(/** @type {import("contract").components["schemas"]["RollOdds"] | null} */ (null));
  const { version } = seen;
  useEffect(() => {
    const of = place.value;
    setTold(null);
    if (!of || !trait) return undefined;
    const off = new AbortController();
    const body = { of: /** @type {const} */ ("trait"), who: seat, trait: /** @type {"might"} */ (trait) };
    void call("post", "/v1/games/{game}/odds", {
      path: { game: of.game },
      token: of.token,
      body,
      signal: off.signal,
    }).then((answer) => !off.signal.aborted && answer.ok && setTold(answer.data.roll ?? null));
    return () => off.abort();
  }, [version, trait, seat]);
  let above = 1;
  return h(
    "div",
    { class: "chances" },
    h("span", { class: "quiet" }, TABLE.odds),
    Object.entries(BOARD.traits).map(([name, title]) =>
      h(
        "button",
        {
          type: "button",
          key: name,
          "aria-pressed": trait === name,
          onClick: () => setTrait(trait === name ? "" : name),
        },
        title,
      ),
    ),
    told &&
      h(
        "ul",
        { class: "bars" },
        told.totals.map(({ total, chance }) => {
          const share = above;
          above -= Number(chance.numerator) / Number(chance.denominator);
          const style = { "--share": String(share) };
          return h("li", { key: total, style }, TABLE.orMore(total, `${Math.round(100 * share)} %`));
        }),
      ),
  );
}
