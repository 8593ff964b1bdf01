// One room as a tile: floor, walls, doors, windows, barrier, title. Drawn on a cell of the grid, so that passages meet between two cells.
import { h } from "../vendor/preact.js";
import { icon } from "./icons.js";
import { CELL, INSET, isAside, isDivided, LINE_LETTERS, titleLines } from "./layout.js";

/** @typedef {import("./layout.js").Room} Room */

/** @type {readonly ("north" | "east" | "south" | "west")[]} */
export const SIDES = ["north", "east", "south", "west"];

const MIDDLE = CELL / 2;
const FAR = CELL - INSET;
/** Half as wide as a door. */
const DOOR = 14;
const [LEFT, RIGHT] = [MIDDLE - DOOR, MIDDLE + DOOR];

const WALL = `M${INSET} ${INSET}H${FAR}`;
const OPEN = `M${INSET} ${INSET}H${LEFT}V-1M${RIGHT} -1V${INSET}H${FAR}`;
const GAP = `M${INSET} ${INSET}H${LEFT}M${RIGHT} ${INSET}H${FAR}`;

/** @type {Readonly<Record<string, string>>} */
const SYMBOLS = { event: "spiral", item: "chest", omen: "omen" };

/**
 * The picture of a room.
 * @param {Room} room
 * @param {number} middle how far down a barrier across the room is
 */
export function tile(room, middle) {
  const lines = titleLines(room.title);
  return h(
    "svg",
    { class: "tile", viewBox: `0 0 ${CELL} ${CELL}`, width: CELL, height: CELL, "aria-hidden": "true" },
    h("rect", { class: `base ${room.floor}`, x: INSET, y: INSET, width: CELL - 2 * INSET, height: CELL - 2 * INSET }),
    h("path", { class: "planks", d: room.floor === "basement" ? STONES : PLANKS }),
    SIDES.map((side, turn) => h("g", { transform: `rotate(${90 * turn} ${MIDDLE} ${MIDDLE})` }, wall(room, side))),
    isDivided(room) && h("path", { class: "barrier", d: barrier(room, middle) }),
    lines.map((line, index) =>
      h(
        "text",
        { class: line.length > LINE_LETTERS ? "title long" : "title", x: INSET + 7, y: INSET + 16 + index * 13 },
        `${line} `,
      ),
    ),
  );
}

/**
 * Small signs of a room at its bottom, over its picture: what its discoverer drew, and whether it may do harm.
 * @param {Room} room
 */
export function seals(room) {
  return h(
    "span",
    { class: "seals" },
    room.harmful && icon("harm", "seal harm"),
    room.symbols.map((symbol) => icon(SYMBOLS[symbol] ?? "tag", `seal ${symbol}`)),
  );
}

/**
 * One side of a room, as if it were the northern one.
 * @param {Room} room
 * @param {"north" | "east" | "south" | "west"} side
 */
function wall(room, side) {
  const behind = room.doors[side];
  if (behind === "wall") {
    const panes = room.windows.includes(side);
    return [
      h("path", { class: "wall", d: WALL }),
      panes &&
        h("path", {
          class: "pane",
          d: `M24 ${INSET - 3}h22v6h-22zM66 ${INSET - 3}h22v6h-22zM35 ${INSET - 3}v6M77 ${INSET - 3}v6`,
        }),
    ];
  }
  if (behind === "false") {
    const top = INSET - 4;
    return [
      h("path", { class: "wall", d: GAP }),
      h("path", {
        class: "shut",
        d: `M${LEFT} ${top}H${RIGHT}V${INSET + 4}H${LEFT}zM${LEFT} ${top}L${RIGHT} ${INSET + 4}M${RIGHT} ${top}L${LEFT} ${INSET + 4}`,
      }),
    ];
  }
  return [
    h("rect", { class: `base ${room.floor}`, x: LEFT, y: -1, width: 2 * DOOR, height: INSET + 4 }),
    h("path", { class: "sill", d: `M${LEFT} ${INSET}H${RIGHT}` }),
    h("path", { class: "wall", d: OPEN }),
  ];
}

/**
 * A tile that is not laid yet, as it would lie.
 * @param {import("./spots.js").Place} laid
 */
export function ghostTile(laid) {
  const behind = (/** @type {string} */ side) => (laid.doors?.includes(side) ? "free" : "wall");
  const room = /** @type {Room} */ ({
    title: laid.title ?? "",
    floor: laid.floor ?? "",
    doors: { north: behind("north"), east: behind("east"), south: behind("south"), west: behind("west") },
    windows: laid.windows ?? [],
    parts: laid.parts ?? [],
    open: false,
  });
  return tile(room, CELL / 2 + 16);
}

/**
 * A jagged line between the parts of a room.
 * @param {Room} room
 * @param {number} down
 */
function barrier(room, down) {
  const upright = isAside(room);
  const start = upright ? 40 : INSET + 2;
  const middle = upright ? MIDDLE : down;
  const points = [];
  for (let along = start, step = 0; along <= FAR; along += 6, step++) {
    const aside = middle + (step % 2 ? 3 : -3);
    points.push(upright ? `${aside} ${along}` : `${along} ${aside}`);
  }
  return `M${points.join("L")}`;
}

/** Joints of floor boards. */
const PLANKS = [0, 1, 2, 3, 4, 5]
  .map((row) => `M${INSET} ${INSET + 16.6 * row}H${FAR}M${[34, 78, 22, 61, 90, 45][row]} ${INSET + 16.6 * row}v16.6`)
  .join("");
/** Joints of flagstones. */
const STONES = [0, 1, 2, 3]
  .map(
    (row) =>
      `M${INSET} ${INSET + 25 * row}H${FAR}M${[30, 44, 24, 52][row]} ${INSET + 25 * row}v25M${[72, 86, 66, 92][row]} ${INSET + 25 * row}v25`,
  )
  .join("");
