// The front door: games that this browser has places in, a new one, one from a file; invites and waiting rooms.
import { go, linkTo } from "../address.js";
import { call, sleep } from "../api.js";
import { PasteLink } from "../frame.js";
import { awaitedRole, choose, forget, places } from "../places.js";
import { effect, h, signal, useEffect, useState } from "../vendor/preact.js";
import { FRAME, LOBBY, TABLE } from "../words.js";
import { ImportForm, importsLeft } from "./lobby-import.js";
import { Join } from "./lobby-join.js";
import { OpenForm, Unanswered } from "./lobby-open.js";
import { Confirm, Door, seatName, usePack } from "./lobby-pieces.js";
import { Invites, Managing, Room } from "./lobby-room.js";

/** @typedef {import("../api.js").Schemas} Schemas */
/** @typedef {import("../places.js").Place} Place */
/**
 * @typedef {object} Known What was last heard of a game.
 * @property {Schemas["GameShown"]} [facts]
 * @property {readonly Schemas["DecisionsShown"]["waiting"][number][]} [waiting]
 * @property {readonly Place[]} [own] places that hold, as far as asked
 * @property {number} [status] of a request that was refused
 */

/** Milliseconds between two looks at one's games. */
const GENTLY = 15_000;

/** Counts what was done about one's games, after which they are looked at again. */
const done = signal(0);

/**
 * @param {{address: import("../address.js").Address}} props
 * @returns {import("../vendor/preact.js").VNode<any>}
 */
export function Part({ address }) {
  if (address.part === "join") return h(Join, { address });
  if (address.part !== "lobby") return h(Room, {});
  return h(Home, {});
}

/** @param {readonly Place[]} mine */
function byGame(mine) {
  /** @type {Record<string, Place[]>} */
  const found = {};
  for (const one of mine) found[one.game] = [...(found[one.game] ?? []), one];
  return found;
}

function Home() {
  const [isImporting] = useState(() => importsLeft().length > 0);
  const known = useGames();
  const mine = Object.entries(byGame(places.value)).reverse();
  const isOver = (/** @type {string} */ game) =>
    ["finished", "abandoned"].includes(known[game]?.facts?.status ?? "") || known[game]?.status === 404;
  const over = mine.filter(([game]) => isOver(game));
  const running = mine.filter(([game]) => !isOver(game));
  return h(
    "div",
    { class: "lobby home" },
    h(Door, { title: FRAME.title, said: LOBBY.mood }),
    h(
      "section",
      { class: "mine" },
      h("h2", null, LOBBY.mine),
      h(Unanswered, null),
      running.length === 0 && h("p", null, LOBBY.none),
      mine.length === 0 &&
        h(
          "ol",
          { class: "how" },
          LOBBY.how.map((one) => h("li", { key: one }, one)),
        ),
      h(
        "ul",
        { class: "games" },
        running.map(([game, own]) => h(Game, { key: game, game, own, known: known[game] })),
      ),
      h(PasteLink, null),
      over.length > 0 &&
        h(
          "details",
          null,
          h("summary", null, `${LOBBY.over} (${over.length})`),
          h(
            "ul",
            { class: "games" },
            over.map(([game, own]) => h(Game, { key: game, game, own, known: known[game] })),
          ),
        ),
      h("details", { open: isImporting }, h("summary", null, LOBBY.file.title), h(ImportForm, null)),
    ),
    h("section", { class: "new" }, h("h2", null, LOBBY.open.title), h(OpenForm, null)),
  );
}

/**
 * What is going on in one's games, looked at now and then while somebody looks at the page.
 * @returns {Readonly<Record<string, Known>>}
 */
function useGames() {
  const [known, setKnown] = useState(/** @type {Readonly<Record<string, Known>>} */ ({}));
  useEffect(() => {
    let off = new AbortController();
    const follow = async (/** @type {readonly Place[]} */ mine, /** @type {AbortSignal} */ signal) => {
      const games = Object.values(byGame(mine));
      /** @type {Set<string>} */
      const ended = new Set();
      while (!signal.aborted) {
        if (document.visibilityState === "visible") {
          for (const own of games) {
            if (ended.has(own[0]?.game ?? "")) continue;
            const one = await lookUp(own, signal);
            if (signal.aborted) return;
            if (!["open", "started"].includes(one.known.facts?.status ?? "open")) ended.add(one.game);
            setKnown((before) => ({ ...before, [one.game]: { ...before[one.game], ...one.known } }));
          }
        }
        await sleep(GENTLY, signal);
      }
    };
    const stop = effect(() => {
      off.abort();
      off = new AbortController();
      void done.value;
      void follow(places.value, off.signal);
    });
    return () => [off.abort(), stop()];
  }, []);
  return known;
}

const isClosed = (/** @type {number | undefined} */ status) => status === 401 || status === 403;

/**
 * @param {readonly Place[]} own places in one game; those that are closed are passed over
 * @param {AbortSignal} signal
 * @returns {Promise<{game: string, known: Known}>}
 */
async function lookUp(own, signal) {
  const rank = (/** @type {Place} */ { role }) => (role === "host" ? 2 : role.startsWith("seat:") ? 0 : 1);
  const left = own.toSorted((one, other) => rank(one) - rank(other));
  const [{ game, token } = { game: "", token: "" }] = left;
  const asked = { path: { game }, token, signal };
  const open = await call("get", "/v1/games/{game}/decisions", asked);
  if (isClosed(open.status) && left.length > 1) return lookUp(left.slice(1), signal);
  const answer = await call("get", "/v1/games/{game}", asked);
  if (!answer.ok) return { game, known: { status: answer.status } };
  return { game, known: { facts: answer.data, status: open.status, waiting: open.data?.waiting ?? [], own: left } };
}

/** @param {{game: string, own: readonly Place[], known: Known | undefined}} props */
function Game({ game, own, known }) {
  const [isOpen, setOpen] = useState(false);
  const facts = known?.facts;
  const pack = usePack(facts?.pack);
  const awaited = (known?.waiting ?? []).map(awaitedRole);
  const mine = known?.own ?? own;
  const turn = mine.find((one) => awaited.includes(one.role.replace("co-", "")));
  const place = turn ?? mine.find((one) => one.role !== "host") ?? mine[0];
  const names = facts?.seats.map(seatName).join(", ");
  return h(
    "li",
    { class: turn ? "game turn" : "game" },
    h(
      "p",
      { class: "which" },
      h(
        "button",
        {
          type: "button",
          class: "enter",
          onClick: () => {
            if (place) choose(place);
            go({ part: "table", game });
          },
        },
        names ?? own.map((one) => one.name ?? one.role).join(", "),
      ),
      turn && h("strong", { class: "your-turn" }, LOBBY.yourTurn),
    ),
    h(
      "p",
      { class: "quiet" },
      [facts?.fork && LOBBY.sandbox(facts.fork.at), facts && (pack?.title ?? facts.pack), stateOf(known)]
        .filter(Boolean)
        .join(" · "),
    ),
    h(
      "div",
      { class: "actions" },
      facts &&
        ["finished", "abandoned"].includes(facts.status) &&
        place &&
        h(
          "a",
          {
            class: "button",
            href: linkTo({ part: "replay", game, at: facts.version, as: "" }),
            onClick: () => choose(place),
          },
          LOBBY.replay,
        ),
      facts && h("button", { type: "button", "aria-expanded": isOpen, onClick: () => setOpen(!isOpen) }, LOBBY.manage),
      h(Confirm, {
        label: LOBBY.forget,
        what: LOBBY.forgetWhat,
        onYes: () => own.forEach(forget),
      }),
    ),
    isOpen &&
      facts && [
        h(Invites, { key: "invites", facts }),
        h(Managing, { key: "managing", facts, onChange: () => done.value++ }),
      ],
  );
}

/** @param {Known | undefined} known */
function stateOf(known) {
  const facts = known?.facts;
  if (isClosed(known?.status)) return LOBBY.closedHere;
  if (known?.status === 404) return LOBBY.gone;
  if (!facts) return LOBBY.unread;
  if (facts.status === "open") return LOBBY.come(facts.seats.filter((one) => one.claimed).length, facts.seats.length);
  if (facts.status === "abandoned") return LOBBY.abandoned;
  if (facts.status === "finished")
    return /** @type {Record<string, string>} */ (LOBBY.winner)[facts.winner || "nobody"] ?? LOBBY.finished;
  const others = (known?.waiting ?? []).filter((one) => !known?.own?.some(({ role }) => role === awaitedRole(one)));
  const whom = others.map(({ seat, unnamed }) =>
    unnamed ? TABLE.hiddenTraitor : seat === null ? TABLE.moderator : seatName(facts.seats[seat]),
  );
  return whom.length > 0 ? LOBBY.waitsFor([...new Set(whom)].join(", ")) : LOBBY.underway;
}
