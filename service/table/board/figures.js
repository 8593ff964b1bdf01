// Who and what is in the rooms: explorers, monsters, tokens, piles, each with its look, its name and its place.
import { h } from "../vendor/preact.js";
import { BOARD } from "../words.js";
import { icon, isIcon } from "./icons.js";
import { FIGURE, slotsIn } from "./layout.js";

/** @typedef {import("./layout.js").View} View */
/** @typedef {import("./layout.js").Room} Room */
/** @typedef {import("./layout.js").Slot} Slot */
/** @typedef {import("./spots.js").Place} Place */
/** @typedef {import("../vendor/preact.js").ComponentChild} Child */
/**
 * What stands or lies in a room.
 * @typedef {object} Figure
 * @property {string} key the same as long as it is the same thing
 * @property {Place} place what commands call it
 * @property {readonly Place[]} more other things that it stands for: the cards of a pile
 * @property {string} room
 * @property {number} part
 * @property {string} name
 * @property {string} look classes
 * @property {string} letters
 * @property {string} icon
 * @property {number} shape the seat whose shape it has; -1 for others
 * @property {number} count
 */

/** Shapes of explorers by seat, on a square of 32 by 32: told apart without their colors. */
const SHAPES = [
  "M16 2a14 14 0 1 0 0 28a14 14 0 1 0 0-28z",
  "M6 3h20a3 3 0 0 1 3 3v20a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3V6a3 3 0 0 1 3-3z",
  "M16 0L32 16L16 32L0 16z",
  "M16 1L31.5 12.5L26 30H6L.5 12.5z",
  "M9 2h14l9 14l-9 14H9L0 16z",
  "M3 3c5 1 9 0 13-2c4 2 8 3 13 2c2 14-2 23-13 28C5 26 1 17 3 3z",
];
/** Of monsters: a burst. */
const BURST =
  "M16 0l3.4 5.2L25 2.6l.3 6.2l6.2.3l-2.7 5.5L32 18l-5.300 3.200l2.500 5.700l-6.200.200l-.900 6.100l-5.100-3.400L12 33l-1.500-5.900l-6.200-.300l2.700-5.600L0 17.700l5.400-3.100L2.700 9l6.200-.2L9.400 2.600l5.100 3z";
const TRAITOR_MARK = "M25 0a6 6 0 1 1 0 12a6 6 0 1 1 0-12z";

/**
 * First letters of the first and the last name, with the seat if two explorers share them, as in the printed picture.
 * @param {readonly string[]} titles
 */
export function initialsOf(titles) {
  /** @type {string[]} */
  const found = [];
  titles.forEach((title, seat) => {
    const words = (title.split(",")[0] ?? "").split(" ").filter((word) => /^\p{L}/u.test(word));
    const letters = ((words[0]?.[0] ?? "?") + (words.at(-1)?.[0] ?? "")).toUpperCase();
    found.push(found.includes(letters) ? `${letters[0]}${seat}` : letters);
  });
  return found;
}

/**
 * Short codes, all different: first letters, as many as it takes.
 * @param {readonly string[]} names
 */
function codesOf(names) {
  /** @type {Map<string, string>} */
  const found = new Map();
  const taken = new Set();
  for (const name of names) {
    if (found.has(name)) continue;
    const tried = [name.slice(0, 1), name.replace(/(\p{L})[^-]*-?/gu, "$1"), name.slice(0, 2), name.slice(0, 3), name];
    const code = tried.find((one) => !taken.has(one)) ?? name;
    taken.add(code);
    found.set(name, code);
  }
  return found;
}

/**
 * The figure of a seat, whoever looks and wherever it stands.
 * @param {number} seat
 * @param {string} letters
 */
export function pawn(seat, letters) {
  const look = `seat-${seat}`;
  return h("span", { class: `pawn ${look}` }, drawn({ ...BLANK, shape: seat, look, letters }));
}

/**
 * All that is in the house, as far as this role knows where.
 * @param {View} view
 * @returns {Figure[]}
 */
export function figuresOf(view) {
  const [letters, kinds] = [
    initialsOf(view.explorers.map((one) => one.title)),
    codesOf(view.monsters.map((one) => one.kind)),
  ];
  const tokens = codesOf(view.tokens.map((one) => one.token));
  /** @type {Figure[]} */
  const found = [];
  for (const one of view.explorers) {
    if (!one.alive && !one.corpse) continue;
    const isTurn = view.turn.acting && !view.turn.monsters && view.turn.seat === one.seat;
    const signs = [
      [one.seat === view.you, BOARD.you, "me"],
      [isTurn, BOARD.turn, "acting"],
      [one.side === "traitor", BOARD.traitor, "traitor"],
      [one.corpse, BOARD.dead, "corpse"],
    ].filter(([holds]) => holds);
    found.push({
      ...BLANK,
      key: `figure/${one.seat}`,
      place: { kind: "figure", figure: one.seat },
      room: one.room,
      part: one.part,
      name: [BOARD.signed(one.title, letters[one.seat] ?? ""), ...signs.map(([, word]) => word)].join(", "),
      look: ["explorer", `seat-${one.seat}`, ...signs.map(([, , look]) => look)].join(" "),
      letters: letters[one.seat] ?? "",
      shape: one.seat,
    });
  }
  for (const one of view.monsters) {
    if (!one.room) continue;
    const isActive = view.turn.monsters && view.turn.active === one.id;
    const number = one.id.split("-").at(-1) ?? "";
    const sign = `${kinds.get(one.kind) ?? ""}${/^\d+$/.test(number) ? number : ""}`;
    found.push({
      ...BLANK,
      key: `figure/${one.id}`,
      place: { kind: "figure", figure: one.id },
      room: one.room,
      part: one.part,
      name: [BOARD.signed(one.title, sign), one.stunned && BOARD.stunned, one.hides && BOARD.hidden]
        .filter(Boolean)
        .join(", "),
      look: `monster ${one.color} ${one.stunned ? "stunned" : ""} ${one.hides ? "hides" : ""} ${isActive ? "acting" : ""}`,
      letters: sign,
    });
  }
  for (const one of view.tokens) {
    const drawn = "icon" in one && isIcon(String(one.icon)) ? String(one.icon) : "";
    const title = drawn ? one.title : BOARD.signed(one.title, tokens.get(one.token) ?? "");
    found.push({
      ...BLANK,
      key: `token/${one.token}/${one.room}/${one.part}`,
      place: { kind: "token", token: one.token, room: one.room, part: one.part },
      room: one.room,
      part: one.part,
      name: one.count > 1 ? BOARD.times(title, one.count) : title,
      look: one.of_haunt ? "token haunt" : "token",
      icon: drawn,
      letters: tokens.get(one.token) ?? "",
      count: one.count,
    });
  }
  for (const one of view.piles) found.push(lying(view, `pile/${one.number}`, one.room, one.part, one.cards, true));
  for (const [card, room] of Object.entries(view.companions)) {
    found.push(lying(view, `companion/${card}`, room, view.companion_parts[card] ?? 0, [card]));
  }
  return found;
}

/** @type {Figure} */
const BLANK = {
  key: "",
  place: { kind: "" },
  more: [],
  room: "",
  part: 0,
  name: "",
  look: "",
  letters: "",
  icon: "",
  shape: -1,
  count: 1,
};

/**
 * Cards on the floor.
 * @param {View} view
 * @param {string} key
 * @param {string} room
 * @param {number} part
 * @param {readonly string[]} cards
 * @param {boolean} [isPile] whether an Item Pile token lies on them
 * @returns {Figure}
 */
function lying(view, key, room, part, cards, isPile) {
  const titles = cards.map((card) => view.cards[card]?.title ?? card).join(", ");
  return {
    ...BLANK,
    key,
    place: isPile ? { kind: "pile", room, part } : { kind: "card", card: cards[0] ?? "" },
    more: cards.map((card) => ({ kind: "card", card })),
    room,
    part,
    name: isPile ? BOARD.floor(titles) : BOARD.waits(titles),
    look: "pile",
    icon: "cards",
    count: cards.length,
  };
}

/**
 * Where each figure of a room stands.
 * @param {Room} room
 * @param {readonly Figure[]} here
 * @param {readonly import("./layout.js").Box[]} boxes
 * @returns {Map<string, Slot>}
 */
export function standing(room, here, boxes) {
  const isOne = boxes[0] === boxes[1] || !room.parts.length;
  const found = new Map();
  for (const [part, box] of boxes.entries()) {
    if (isOne && part) break;
    const those = isOne ? here : here.filter((one) => one.part === part);
    const slots = slotsIn(box, those.length);
    those.forEach((one, index) => {
      found.set(one.key, slots[index]);
    });
  }
  return found;
}

/**
 * The drawing of a figure.
 * @param {Figure} figure
 * @returns {Child}
 */
export function drawn(figure) {
  const { shape, look, letters, count } = figure;
  if (figure.icon || look.startsWith("token")) {
    return [
      figure.icon ? icon(figure.icon) : h("span", { class: "letters" }, letters),
      count > 1 && h("span", { class: "count", "data-count": count }),
    ];
  }
  return h(
    "svg",
    { viewBox: "-3 -3 38 38", width: FIGURE, height: FIGURE, "aria-hidden": "true" },
    look.includes("acting") && h("circle", { class: "ring", cx: 16, cy: 16, r: 18 }),
    h("path", { class: "body", d: shape < 0 ? BURST : SHAPES[shape] }),
    h("text", { x: 16, y: shape === 3 ? 22 : 20.5, class: letters.length > 2 ? "long" : "" }, letters),
    look.includes("traitor") && [
      h("path", { class: "mark", d: TRAITOR_MARK }),
      h("path", { class: "horns", d: "M21 3l2 5h4l2-5l-3 3h-2z" }),
    ],
    look.includes("corpse") && h("path", { class: "cut", d: "M4 4L28 28M28 4L4 28" }),
  );
}
