// What is on a floor, as buttons: rooms, doorways into the unknown, ways, figures, and tiles that could be laid.
import { Component, h } from "../vendor/preact.js";
import { BOARD } from "../words.js";
import { drawn, figuresOf, standing } from "./figures.js";
import { icon } from "./icons.js";
import { CELL, standingIn } from "./layout.js";
import { toldOfFigure, toldOfRoom, wayName } from "./look.js";
import { ghostTile, SIDES, seals, tile } from "./room.js";
import { keyOf, layingAt } from "./spots.js";

/** @typedef {import("./layout.js").View} View */
/** @typedef {import("./layout.js").Room} Room */
/** @typedef {import("./layout.js").Plan} Plan */
/** @typedef {import("./spots.js").Place} Place */
/** @typedef {import("./spots.js").Placed} Placed */
/** @typedef {import("./spots.js").Offer} Offer */
/** @typedef {import("./figures.js").Figure} Figure */
/** @typedef {import("../vendor/preact.js").VNode} VNode */
/** @typedef {import("../vendor/preact.js").ComponentChildren} Children */
/** @typedef {Readonly<Record<string, string>>} Style */
/**
 * Something on the board that can be picked.
 * @typedef {object} Spot
 * @property {Place} place
 * @property {string} floor
 * @property {readonly Placed[]} commands
 * @property {() => import("./look.js").Told} told
 */
/**
 * What a picture of the house shows.
 * @typedef {object} Scene
 * @property {View} view
 * @property {import("./spots.js").Spots} spots where the commands are
 * @property {string} home the room of whose eyes this is
 * @property {boolean} waits
 * @property {Readonly<Record<string, number>>} turned how often each tile that could be laid was turned
 */

/** How to go out of a room by each side, to the east and to the south. */
const OUT = /** @type {const} */ ({ north: [0, -1], east: [1, 0], south: [0, 1], west: [-1, 0] });

/**
 * What is drawn again only when something that it shows has changed. A node that is kept and given to Preact again (by `useMemo`) would hold in
 * memory the page for which it was made, and all pages since.
 * @extends {Component<{seen: readonly unknown[], make: () => Children}>}
 */
export class Kept extends Component {
  /** @param {{seen: readonly unknown[]}} next */
  shouldComponentUpdate(next) {
    return next.seen.some((one, index) => one !== this.props.seen[index]);
  }

  render() {
    return this.props.make();
  }
}

/** Draws floors. */
export class Painter {
  /**
   * What can be picked in the latest picture, by key.
   * @type {Map<string, Spot>}
   */
  buttons = new Map();
  /**
   * Rooms, and the picture in which each was first seen: those of the first lie there already, later ones are laid down.
   * @type {Map<string, number>}
   */
  #found = new Map();
  #pictures = 0;
  #waits = false;

  /**
   * @param {Scene} scene
   * @param {readonly Plan[]} plans
   * @returns {Map<string, Children>} what is on each floor
   */
  paint(scene, plans) {
    this.buttons = new Map();
    this.#waits = scene.waits;
    for (const room of scene.view.rooms) {
      if (!this.#found.has(room.id)) this.#found.set(room.id, this.#pictures);
    }
    this.#pictures += 1;
    const figures = figuresOf(scene.view);
    const rooms = new Map(scene.view.rooms.map((room) => [room.id, room]));
    return new Map(plans.map((plan) => [plan.floor, this.#floor(scene, plan, figures, rooms)]));
  }

  /**
   * @param {Scene} scene
   * @param {Plan} plan
   * @param {readonly Figure[]} figures
   * @param {Map<string, Room>} rooms
   */
  #floor(scene, plan, figures, rooms) {
    const parts = plan.rooms.map((room) => {
      const here = figures.filter((one) => one.room === room.id);
      const ways = room.ways.filter((way) => way.by !== "door" && rooms.has(way.to));
      const boxes = standingIn(room, ways.length);
      const slots = standing(room, here, boxes);
      return {
        room: this.#room(scene, room, here, boxes),
        doorways: SIDES.filter((side) => room.doors[side] === "free").map((side) => this.#doorway(scene, room, side)),
        ways: ways.map((way, index) => this.#way(room, way, /** @type {Room} */ (rooms.get(way.to)), index)),
        figures: here.map((one) => this.#figure(scene, room, one, slots.get(one.key))),
      };
    });
    const { offers } = scene.spots;
    const walls = offers.filter(
      (one) => one.place.kind === "wall" && rooms.get(one.place.room ?? "")?.floor === plan.floor,
    );
    const ghosts = offers.filter((one) => one.place.kind === "spot" && one.place.floor === plan.floor);
    return [
      parts.map((one) => one.room),
      parts.flatMap((one) => one.doorways),
      parts.flatMap((one) => one.ways),
      // In an order that does not depend on where they are, so that one that walks stays where it is in the page, and glides.
      parts.flatMap((one) => one.figures).sort((one, other) => (String(one.key) < String(other.key) ? -1 : 1)),
      walls.map((one) => this.#wall(rooms, one)),
      ghosts.flatMap((one) => this.#ghost(scene, one)),
    ];
  }

  /**
   * @param {Scene} scene
   * @param {Room} room
   * @param {readonly Figure[]} here
   * @param {readonly import("./layout.js").Box[]} boxes
   */
  #room(scene, room, here, boxes) {
    const place = { kind: "room", room: room.id };
    const told = () => toldOfRoom(scene.view, room, here);
    const spot = { place, floor: room.floor, commands: scene.spots.commandsAt(place), told };
    const name = [room.title, ...here.map((one) => one.name)].join("; ");
    const look = ["room", room.id === scene.home && "mine", this.#found.get(room.id) && "new"]
      .filter(Boolean)
      .join(" ");
    const [near, far] = boxes;
    const middle = near && far ? (near.y + far.y + near.height) / 2 : 0;
    return this.#button(keyOf(place), spot, name, look, atCell(room), [room, middle], () => [
      tile(room, middle),
      seals(room),
    ]);
  }

  /**
   * @param {Scene} scene
   * @param {Room} room
   * @param {"north" | "east" | "south" | "west"} side
   */
  #doorway(scene, room, side) {
    const place = { kind: "doorway", room: room.id, door: side };
    const isOpen = scene.view.open_floors.includes(room.floor);
    const name = BOARD.doorway(side, room.title);
    const told = () => ({ title: name, lines: [isOpen ? BOARD.unknown : BOARD.noTiles] });
    const spot = { place, floor: room.floor, commands: scene.spots.commandsAt(place), told };
    const [across, down] = OUT[side];
    const style = atCell(room, (CELL / 2) * (1 + across), (CELL / 2) * (1 + down));
    const look = `doorway ${side} ${isOpen ? "" : "ended"}`;
    return this.#button(keyOf(place), spot, name, look, style, isOpen, () => (isOpen ? "?" : ""));
  }

  /**
   * @param {Room} room
   * @param {Room["ways"][number]} way
   * @param {Room} there
   * @param {number} index
   */
  #way(room, way, there, index) {
    const key = `way/${room.id}/${index}`;
    const isNear = there.floor === room.floor;
    const style = atCell(room, 11, CELL - 27 - index * 17);
    return whenChanged(key, [style, way, there.floor], () =>
      h(
        "button",
        {
          type: "button",
          key,
          class: "way",
          "data-to": way.to,
          tabIndex: -1,
          style,
          "aria-label": isNear
            ? BOARD.way(there.title)
            : BOARD.stairs(BOARD.floors[there.floor] ?? there.floor, there.title),
          title: wayName(there.title, way),
        },
        icon(isNear ? "way" : "stairs"),
        h("span", null, isNear ? there.title : (BOARD.tabs[there.floor] ?? there.floor)),
      ),
    );
  }

  /**
   * @param {Scene} scene
   * @param {Room} room
   * @param {Figure} figure
   * @param {import("./layout.js").Slot} [slot]
   */
  #figure(scene, room, figure, slot = { x: 0, y: 0, scale: 1 }) {
    const [x, y] = [room.x * CELL + slot.x, slot.y - room.y * CELL];
    const transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) scale(${slot.scale.toFixed(2)})`;
    const commands = new Set([figure.place, ...figure.more].flatMap((place) => scene.spots.commandsAt(place)));
    const told = () => toldOfFigure(scene.view, figure);
    const spot = { place: figure.place, floor: room.floor, commands: [...commands], told };
    // A click on a room that can be chosen means the room, whoever stands in it.
    const isInWay = !commands.size && scene.spots.commandsAt({ kind: "room", room: room.id }).length > 0;
    const look = `figure ${figure.look} ${isInWay ? "through" : ""}`;
    return this.#button(figure.key, spot, figure.name, look, { transform }, figure, () => drawn(figure));
  }

  /**
   * A wall, or a corner, that could be chosen.
   * @param {Map<string, Room>} rooms
   * @param {Offer} offer
   */
  #wall(rooms, { place, commands }) {
    const room = rooms.get(place.room ?? "") ?? { x: 0, y: 0, floor: "", title: "" };
    const sides = (place.side ?? "").split("-");
    const off = (/** @type {string} */ near, /** @type {string} */ far) =>
      (CELL / 2) * (1 + Number(sides.includes(far)) - Number(sides.includes(near)));
    const name = BOARD.wall(sides.join(" "), room.title);
    const spot = { place, floor: room.floor, commands, told: () => ({ title: name, lines: [] }) };
    return this.#button(
      keyOf(place),
      spot,
      name,
      "wall",
      atCell(room, off("west", "east"), off("north", "south")),
      0,
      () => "",
    );
  }

  /**
   * A tile that could be laid, turned as it would lie, and the button that turns it.
   * @param {Scene} scene
   * @param {Offer} offer
   */
  #ghost(scene, { place, commands }) {
    const key = keyOf(place);
    const now = commands[(scene.turned[key] ?? 0) % commands.length];
    if (!now) return [];
    const laid = layingAt(now, place);
    const cell = { x: place.x ?? 0, y: place.y ?? 0 };
    const spot = { place, floor: place.floor ?? "", commands: [now], told: () => ({ title: now.label, lines: [] }) };
    const name = laid.title ? BOARD.lay(laid.title) : BOARD.layTile;
    const found = [this.#button(key, spot, name, "ghost", atCell(cell), laid, () => ghostTile(laid))];
    if (commands.length < 2) return found;
    const words = `${BOARD.turnTile}: ${now.label}`;
    const style = atCell(cell, CELL - 34, CELL - 34);
    const turn = { type: "button", key: `${key}/turn`, class: "turn", "data-turn": key, style, "aria-label": words };
    return [...found, h("button", { ...turn, title: BOARD.turnTile }, icon("turn"))];
  }

  /**
   * The button of a spot: all that it shows is in these arguments, and `shows` stands for what is inside.
   * @param {string} key
   * @param {Spot} spot
   * @param {string} name
   * @param {string} look
   * @param {Style} style
   * @param {unknown} shows
   * @param {() => Children} inside
   */
  #button(key, spot, name, look, style, shows, inside) {
    this.buttons.set(key, spot);
    const labels = spot.commands.map((one) => one.label);
    const can = labels.length > 0;
    const waits = can && this.#waits;
    return whenChanged(key, [name, look, style, labels, waits, shows], () =>
      h(
        "button",
        {
          type: "button",
          key,
          "data-key": key,
          class: `spot ${look} ${can ? "can" : ""}`,
          style,
          tabIndex: can ? 0 : -1,
          ...(waits && { "aria-disabled": "true" }),
          "aria-label": can ? BOARD.offers(name, labels) : name,
          title: labels.length === 1 ? labels[0] : name,
        },
        inside(),
        labels.length > 1 && h("span", { class: "choices", "data-count": labels.length }),
      ),
    );
  }
}

/**
 * @param {string} key
 * @param {unknown} shows
 * @param {() => Children} make
 */
const whenChanged = (key, shows, make) => h(Kept, { key, seen: [JSON.stringify(shows)], make });

/**
 * @param {{x: number, y: number}} cell
 * @param {number} [across]
 * @param {number} [down]
 * @returns {Style}
 */
const atCell = ({ x, y }, across = 0, down = 0) => ({ left: `${x * CELL + across}px`, top: `${down - y * CELL}px` });
