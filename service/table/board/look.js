// A closer look at a place: what it is, what is there, and what can be chosen, or why not.
import { h, useEffect, useLayoutEffect, useRef } from "../vendor/preact.js";
import { BOARD } from "../words.js";

/** @typedef {import("./layout.js").View} View */
/** @typedef {import("./spots.js").Placed} Placed */
/** @typedef {import("./figures.js").Figure} Figure */
/** @typedef {import("../vendor/preact.js").ComponentChildren} Children */
/** @typedef {{title: string, lines: readonly string[]}} Told */

/**
 * What is known of a room.
 * @param {View} view
 * @param {View["rooms"][number]} room
 * @param {readonly Figure[]} here
 * @returns {Told}
 */
export function toldOfRoom(view, room, here) {
  const titles = new Map(view.rooms.map((one) => [one.id, one.title]));
  const ways = room.ways.filter((way) => way.by !== "door").map((way) => wayName(titles.get(way.to) ?? way.to, way));
  const symbols = room.symbols.map((one) => BOARD.symbols[one] ?? one).join(", ");
  const notes = [room.harmful && BOARD.harmful, room.found_in_haunt && BOARD.foundInHaunt].filter(Boolean).join(" ");
  const lines = [room.text, notes, ...ways, ...here.map((one) => one.name)];
  return {
    title: room.title,
    lines: [[BOARD.floors[room.floor] ?? room.floor, symbols].filter(Boolean).join(" · "), ...lines.filter(Boolean)],
  };
}

/**
 * What is known of a figure, a token or a pile.
 * @param {View} view
 * @param {Figure} figure
 * @returns {Told}
 */
export function toldOfFigure(view, figure) {
  const title = figure.name;
  const explorer = view.explorers.find((one) => one.seat === figure.place.figure);
  if (explorer) {
    const traits = Object.entries(explorer.traits).map(
      ([name, trait]) => `${BOARD.traits[name] ?? name} ${trait.value}`,
    );
    return { title, lines: [traits.join(" · "), ...cards(view, explorer.cards)] };
  }
  const monster = view.monsters.find((one) => one.id === figure.place.figure);
  if (monster) {
    const known = Object.entries(monster.traits).map(([name, value]) => `${BOARD.traits[name] ?? name} ${value}`);
    const traits = known.length ? known : monster.has.map((name) => BOARD.traits[name] ?? name);
    return {
      title,
      lines: [traits.join(" · "), monster.boxed ? BOARD.nobodySays : "", ...cards(view, monster.cards)].filter(Boolean),
    };
  }
  return { title, lines: figure.more.flatMap((one) => cards(view, [one.card ?? ""], true)) };
}

/**
 * @param {View} view
 * @param {readonly string[]} ids
 * @param {boolean} [whole] with their texts
 */
function cards(view, ids, whole) {
  return ids.map((id) => {
    const card = view.cards[id];
    if (!card) return id;
    return whole ? [`${card.title}.`, card.text, ...card.rules].join(" ") : card.title;
  });
}

/**
 * A way that no door shows, in words.
 * @param {string} to
 * @param {{monsters_only?: boolean, explorers_only?: boolean}} way
 */
export function wayName(to, way) {
  const only = way.monsters_only ? BOARD.monstersOnly : way.explorers_only ? BOARD.explorersOnly : "";
  return BOARD.way(to) + (only && ` (${only})`);
}

/**
 * The box beside a place: on a narrow page it lies at the bottom of the board.
 * @param {{told: Told, commands: readonly Placed[], anchor: Element | null, frame: HTMLElement | null, waits: boolean,
 *   onCover: (pixels: number) => void, onAct: (command: Placed) => void, onClose: () => void, children?: Children}} props
 */
export function Look({ told, commands, anchor, frame, waits, onCover, onAct, onClose, children }) {
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  useLayoutEffect(() => {
    const own = box.current;
    if (!own || !frame || !anchor) return;
    const [edge, spot] = [frame.getBoundingClientRect(), anchor.getBoundingClientRect()];
    const below = spot.bottom - edge.top + 8;
    const fits = below + own.offsetHeight <= edge.height - 8;
    const left = spot.left + spot.width / 2 - edge.left - own.offsetWidth / 2;
    own.style.left = `${Math.max(8, Math.min(edge.width - own.offsetWidth - 8, left))}px`;
    own.style.top = `${Math.max(8, fits ? below : spot.top - edge.top - own.offsetHeight - 8)}px`;
    const now = own.getBoundingClientRect();
    const isOver = now.top < spot.bottom && spot.top < now.bottom && now.left < spot.right && spot.left < now.right;
    if (isOver) onCover(spot.bottom - now.top + 8);
  });
  useEffect(() => box.current?.querySelector("button")?.focus({ preventScroll: true }), [told.title]);
  return h(
    "div",
    { class: "look", ref: box, role: "dialog", "aria-label": told.title },
    h("strong", null, told.title),
    commands.length > 0 &&
      h(
        "ul",
        { class: "commands" },
        commands.map((one) =>
          h("li", null, h("button", { type: "button", disabled: waits, onClick: () => onAct(one) }, one.label)),
        ),
      ),
    children,
    told.lines.map((line) => h("p", null, line)),
    h("button", { type: "button", class: "close", "aria-label": BOARD.close, onClick: onClose }, "×"),
  );
}
