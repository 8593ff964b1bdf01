// Where on the board commands are: each listed command says in `at` which rooms, doorways, spots, figures and cards it is about.

/** @typedef {import("../api.js").Listed} Listed */
/**
 * A place on the board, as the contract tags it. Kinds that this page does not know have a key too, and so are never taken for others.
 * @typedef {object} Place
 * @property {string} kind
 * @property {string} [room]
 * @property {number} [part]
 * @property {string} [door]
 * @property {string} [floor]
 * @property {number} [x]
 * @property {number} [y]
 * @property {number} [turns]
 * @property {string[]} [doors]
 * @property {string} [figure]
 * @property {string} [card]
 * @property {string} [token]
 * @property {number} [pile]
 */
/**
 * A command with its places.
 * @typedef {Listed & {at?: readonly Place[]}} Placed
 */
/**
 * The commands about a place, in the order in which they are listed.
 * @typedef {(place: Place) => readonly Placed[]} CommandsAt
 */
/**
 * A tile that may be laid at a spot, with a command for each way to turn it.
 * @typedef {{place: Place, commands: readonly Placed[]}} Ghost
 */

/** @type {readonly Placed[]} */
const NONE = [];

/**
 * The same text for the same place: both parts of a divided room are one spot, and so is a tile however it is turned.
 * @param {Place} place
 */
export function keyOf(place) {
  switch (place.kind) {
    case "room":
      return `room/${place.room}`;
    case "doorway":
      return `doorway/${place.room}/${place.door}`;
    case "spot":
      return `spot/${place.floor}/${place.x}/${place.y}`;
    case "figure":
      return `figure/${place.figure}`;
    case "card":
      return `card/${place.card}`;
    case "token":
      return `token/${place.token}/${place.room}/${place.part ?? 0}`;
    case "pile":
      return `pile/${place.pile}`;
    default:
      return JSON.stringify(place);
  }
}

/**
 * Index listed commands by their places.
 * @param {readonly Placed[]} commands
 * @returns {{commandsAt: CommandsAt, ghosts: readonly Ghost[]}}
 */
export function spotsOf(commands) {
  /** @type {Map<string, Placed[]>} */
  const found = new Map();
  /** @type {Map<string, {place: Place, commands: Placed[]}>} */
  const ghosts = new Map();
  for (const command of commands) {
    for (const place of command.at ?? []) {
      const key = keyOf(place);
      const here = found.get(key);
      if (!here) found.set(key, [command]);
      else if (!here.includes(command)) here.push(command);
      if (place.kind !== "spot") continue;
      const ghost = ghosts.get(key);
      if (ghost) ghost.commands.push(command);
      else ghosts.set(key, { place, commands: [command] });
    }
  }
  return { commandsAt: (place) => found.get(keyOf(place)) ?? NONE, ghosts: [...ghosts.values()] };
}

/**
 * How a command about a spot would lay the tile there.
 * @param {Placed} command
 * @param {Place} spot
 */
export function layingAt(command, spot) {
  const key = keyOf(spot);
  return command.at?.find((place) => keyOf(place) === key) ?? spot;
}

/**
 * The command that somebody who picks a place most likely means, for a dry run that says why it is not offered; null where none is obvious.
 * @param {Place} place
 * @returns {Record<string, unknown> | null}
 */
export function obvious(place) {
  if (place.kind === "room") return { type: "move", to: place.room };
  if (place.kind === "doorway") return { type: "explore", door: place.door };
  return null;
}
