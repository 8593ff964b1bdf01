// Several players on one screen: it says who has it, and covers what only that player sees whenever it is passed on.
import { game, view } from "./game.js";
import { awaitedRole, choose, chosen, placesIn, seatOf, seatsIn } from "./places.js";
import { h, signal, useEffect, useRef } from "./vendor/preact.js";
import { LOBBY, TABLE } from "./words.js";

/** @typedef {import("./places.js").Place} Place */

const HOTSEAT = LOBBY.hotseat;

/** By game: who has looked behind the cover since the page was loaded, and to whom the screen is on its way. */
const holders = signal(/** @type {Readonly<Record<string, {has: string, next: string}>>} */ ({}));

/** @param {Place} of */
function holderName(of) {
  const seat = seatOf(of.role);
  const shown = game.value?.id === of.game ? game.value.seats[seat]?.name : "";
  return shown || of.name || (seat >= 0 ? LOBBY.room.seat(seat) : LOBBY.room.referee);
}

/** @param {Place} of who is to get the screen, with the explorer */
function holderTitle(of) {
  const title = view.value?.explorers.find((one) => one.seat === seatOf(of.role))?.title;
  return title ? TABLE.player(title, holderName(of)) : holderName(of);
}

/**
 * What is inside is shown only to whoever has the screen.
 * @param {{game: string, children?: import("./vendor/preact.js").ComponentChildren}} props
 */
export function Hotseat({ game: id, children }) {
  const own = placesIn(id);
  const seats = seatsIn(id);
  const now = chosen(id);
  const awaited = (view.value?.waiting ?? []).map(awaitedRole);
  if (now?.sandbox) return [h(Sandbox, { key: "mark", now, own, awaited }), children];
  if (seats.length < 2) return children;
  const { has = "", next = "" } = holders.value[id] ?? {};
  const isJudged = awaited.includes("referee") || view.value?.desk.disputes.length || now?.role === "referee";
  const players = [...seats, ...own.filter((one) => isJudged && one.role === "referee")];
  const isOpenToAll = game.value?.id === id && game.value.disclosed;
  const to = (/** @type {string} */ role) => {
    holders.value = { ...holders.value, [id]: { has, next: role } };
  };
  const take = (/** @type {Place} */ place) => {
    choose(place);
    holders.value = { ...holders.value, [id]: { has: place.role, next: "" } };
  };
  if (!now || isOpenToAll) return children;
  if (has !== now.role || next) return h(Cover, { players, awaited, has, next, take, back: () => to("") });
  const expected = awaited.includes(now.role) ? [] : players.filter((one) => awaited.includes(one.role));
  return [
    h(
      "aside",
      { key: "mark", class: "hotseat", "aria-label": HOTSEAT.mark },
      h(
        "p",
        { role: "status" },
        [HOTSEAT.has(holderName(now)), ...expected.map((one) => HOTSEAT.next(holderName(one)))].join(" "),
      ),
      expected.map((one) => h(Pass, { key: one.role, whom: holderName(one), onClick: () => to(one.role) })),
      !expected.length && h("button", { type: "button", onClick: () => to("?") }, HOTSEAT.other),
    ),
    children,
  ];
}

/** @param {{whom: string, onClick: () => void}} props whoever acts by keyboard is led here when there is nothing left to choose */
function Pass({ whom, onClick }) {
  const own = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    if (document.activeElement === document.body) own.current?.focus();
  }, []);
  return h("button", { ref: own, type: "button", class: "main", onClick }, HOTSEAT.pass(whom));
}

/**
 * Whoever made a sandbox has all its places, and nothing is covered.
 * @param {{now: Place, own: readonly Place[], awaited: readonly string[]}} props
 */
function Sandbox({ now, own, awaited }) {
  const mark = TABLE.sandbox(now.sandbox ?? 0);
  const titles = view.value?.explorers.map((one) => one.title) ?? [];
  return h(
    "aside",
    { class: "hotseat", "aria-label": mark },
    h("p", null, mark),
    h(
      "div",
      { class: "actions" },
      own.length > 1 &&
        own.map((one) =>
          h(
            "button",
            {
              key: one.role,
              type: "button",
              class: awaited.includes(one.role) ? "main" : "",
              "aria-pressed": one === now,
              onClick: () => choose(one),
            },
            titles[seatOf(one.role)] ?? holderName(one),
          ),
        ),
    ),
  );
}

/**
 * @param {{players: readonly Place[], awaited: readonly string[], has: string, next: string, take: (place: Place) => void,
 *   back: () => void}} props
 */
function Cover({ players, awaited, has, next, take, back }) {
  const title = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => title.current?.focus(), []);
  const whom = players.find((one) => one.role === next);
  const [expected, other] = whom ? [whom] : players.filter((one) => awaited.includes(one.role));
  const holder = players.find((one) => one.role === has);
  const offered = whom ? [whom] : players;
  return h(
    "section",
    { class: "cover" },
    h("h1", { ref: title, tabIndex: -1, "aria-describedby": "who" }, HOTSEAT.covered),
    h("p", { id: "who" }, expected && !other && next !== "?" ? HOTSEAT.hand(holderTitle(expected)) : HOTSEAT.who),
    h(
      "div",
      { class: "actions" },
      offered.map((one) =>
        h(
          "button",
          {
            key: one.role,
            type: "button",
            class: whom || awaited.includes(one.role) ? "main large" : "large",
            onClick: () => take(one),
          },
          HOTSEAT.am(holderName(one)),
        ),
      ),
      whom && holder && h("button", { type: "button", onClick: back }, HOTSEAT.back(holderName(holder))),
    ),
  );
}
