// Where things are drawn: rooms on the grid of their floor, floors beside each other, figures in their rooms. Lengths are pixels at zoom 1.

/** @typedef {import("../api.js").View} View */
/** @typedef {View["rooms"][number]} Room */
/** @typedef {import("./spots.js").Offer} Offer */
/** @typedef {{x: number, y: number, width: number, height: number}} Box */
/** @typedef {{x: number, y: number, scale: number}} Slot */
/** @typedef {{floor: string, rooms: readonly Room[], left: number, top: number, width: number, height: number}} Plan a floor, in its own lengths */
/** @typedef {{width: number, height: number, at: Readonly<Record<string, {x: number, y: number}>>}} Arrangement where each floor's own origin is */

/** From one room to the next. */
export const CELL = 112;
/** From the edge of a cell to the wall of its room. */
export const INSET = 6;
/** As large as a figure is where it has space. */
export const FIGURE = 30;

/** Figures overlap rather than get smaller. */
const SMALLEST = 20;

/** From the highest down. */
const FLOORS = ["upper", "ground", "basement"];

const HEAD = 34;
const EDGE = 30;
const APART = 14;
const LINE = 13.5;
/** As many letters of a title as fit on a line; a few more fit in smaller type. */
export const LINE_LETTERS = 11;

/**
 * The floors that have rooms, from the highest down.
 * @param {View} view
 * @param {readonly Offer[]} offers
 * @returns {Plan[]}
 */
export function plansOf(view, offers) {
  const plans = [];
  for (const floor of FLOORS) {
    const rooms = view.rooms.filter((room) => room.floor === floor);
    if (!rooms.length) continue;
    const cells = [...rooms, ...offers.map((one) => one.place).filter((one) => one.floor === floor)];
    const [xs, ys] = [cells.map((one) => Number(one.x)), cells.map((one) => Number(one.y))];
    const [west, north] = [Math.min(...xs), Math.max(...ys)];
    plans.push({
      floor,
      rooms,
      left: west * CELL - EDGE,
      top: -north * CELL - EDGE - HEAD,
      width: (Math.max(...xs) - west + 1) * CELL + 2 * EDGE,
      height: (north - Math.min(...ys) + 1) * CELL + 2 * EDGE + HEAD,
    });
  }
  return plans;
}

/**
 * Of all ways to set floors beside or below each other, in their order, the one that shows them largest in a frame.
 * @param {readonly Plan[]} plans
 * @param {number} width
 * @param {number} height
 * @returns {Arrangement}
 */
export function arranged(plans, width, height) {
  /** @type {Arrangement} */
  let best = { width: 1, height: 1, at: {} };
  let largest = 0;
  for (const rows of splits(plans)) {
    const found = placed(rows);
    const scale = Math.min(width / found.width, height / found.height);
    if (scale > largest * 1.02) [best, largest] = [found, scale];
  }
  return best;
}

/**
 * @param {readonly Plan[]} plans
 * @returns {Plan[][][]}
 */
function splits(plans) {
  const [first, ...rest] = plans;
  if (!first) return [];
  if (!rest.length) return [[[first]]];
  return splits(rest).flatMap((rows) => [
    [[first, ...(rows[0] ?? [])], ...rows.slice(1)],
    [[first], ...rows],
  ]);
}

/**
 * @param {Plan[][]} rows
 * @returns {Arrangement}
 */
function placed(rows) {
  /** @type {Record<string, {x: number, y: number}>} */
  const at = {};
  let [wide, high] = [0, 0];
  for (const row of rows) {
    let x = 0;
    for (const plan of row) {
      at[plan.floor] = { x: x - plan.left, y: high - plan.top };
      x += plan.width + APART;
    }
    wide = Math.max(wide, x - APART);
    high += Math.max(...row.map((plan) => plan.height)) + APART;
  }
  return { width: wide, height: high - APART, at };
}

/**
 * A title on at most two lines.
 * @param {string} title
 */
export function titleLines(title) {
  if (title.length <= LINE_LETTERS) return [title];
  const words = title.split(" ");
  let first = words.shift() ?? "";
  while (words[0] && first.length + words[0].length < LINE_LETTERS) first += ` ${words.shift()}`;
  const second = words.join(" ");
  const lines = second ? [first, second] : [first];
  return lines.map((line) => (line.length > LINE_LETTERS + 4 ? `${line.slice(0, LINE_LETTERS + 3)}…` : line));
}

/**
 * Whether a barrier parts a room.
 * @param {Room} room
 */
export const isDivided = (room) => room.parts.length > 0 && !room.open;

/**
 * Whether the parts of a room are side by side, west and east.
 * @param {Room} room
 */
export const isAside = (room) => room.parts.flat().some((side) => side === "west" || side === "east");

/**
 * Where figures stand in each part of a room, below its title and above its ways.
 * @param {Room} room
 * @param {number} ways
 * @returns {Box[]}
 */
export function standingIn(room, ways) {
  const top = INSET + 8 + titleLines(room.title).length * LINE;
  const whole = { x: INSET + 5, y: top, width: CELL - 2 * INSET - 10, height: CELL - INSET - 5 - top - 17 * ways };
  if (!isDivided(room)) return [whole, whole];
  const first = (room.parts[0] ?? []).some((side) => side === "north" || side === "west");
  const half = isAside(room) ? whole.width / 2 - 4 : whole.width;
  const high = isAside(room) ? whole.height : whole.height / 2 - 3;
  const near = { ...whole, width: half, height: high };
  const far = { x: whole.x + whole.width - half, y: whole.y + whole.height - high, width: half, height: high };
  return first ? [near, far] : [far, near];
}

/**
 * Places for figures in a part of a room, as large as they can be: in rows, each row in the middle.
 * @param {Box} box
 * @param {number} count
 * @returns {Slot[]}
 */
export function slotsIn(box, count) {
  let [size, across] = [FIGURE + 2, 1];
  for (; size > SMALLEST; size -= 2) {
    across = Math.max(1, Math.floor(box.width / size));
    if (Math.ceil(count / across) * size <= box.height) break;
  }
  across = Math.max(
    across,
    Math.floor(box.width / size),
    Math.ceil(count / Math.max(1, Math.floor(box.height / size))),
  );
  const step = Math.min(size, box.width / across);
  const rows = Math.ceil(count / across);
  const drop = (box.height - rows * size) / 2;
  return Array.from({ length: count }, (_, index) => {
    const row = Math.floor(index / across);
    const here = Math.min(across, count - row * across);
    return {
      x: box.x + (box.width - (here - 1) * step - size) / 2 + (index % across) * step + 1,
      y: box.y + drop + row * size + 1,
      scale: (size - 2) / FIGURE,
    };
  });
}
