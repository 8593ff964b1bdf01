// Where on the board commands are: each listed command says in `at` which rooms, doorways, spots, figures and cards it is about.

/** @typedef {import("../api.js").Listed} Listed */
/** @typedef {import("../api.js").OpenDecision} OpenDecision */
/**
 * Something on the table, as the contract tags it. Kinds that this page does not know have a key too, and so are never taken for others.
 * @typedef {object} Place
 * @property {string} kind
 * @property {string} [room]
 * @property {number | null} [part]
 * @property {string} [door]
 * @property {string} [side]
 * @property {string} [tile]
 * @property {string} [title]
 * @property {string} [floor]
 * @property {number} [x]
 * @property {number} [y]
 * @property {number} [turns]
 * @property {readonly string[]} [doors]
 * @property {readonly string[]} [windows]
 * @property {readonly (readonly string[])[]} [parts]
 * @property {number | string} [figure]
 * @property {string} [card]
 * @property {string} [token]
 */
/** @typedef {{label: string, command: Listed["command"], at?: readonly Place[]}} Placed a command and what it is about */
/** @typedef {{place: Place, commands: readonly Placed[]}} Offer a place and the commands about it, in the order in which they are listed */
/** @typedef {{commandsAt: (place: Place) => readonly Placed[], offers: readonly Offer[]}} Spots */

/** @type {readonly Placed[]} */
const NONE = [];

/**
 * The same text for the same place: both parts of a divided room are one place, and so is a cell whichever tile lies there, and however.
 * @param {Place} place
 */
export function keyOf(place) {
  switch (place.kind) {
    case "room":
      return `room/${place.room}`;
    case "doorway":
      return `doorway/${place.room}/${place.door}`;
    case "wall":
      return `wall/${place.room}/${place.side}`;
    case "spot":
      return `spot/${place.floor}/${place.x}/${place.y}`;
    case "figure":
      return `figure/${place.figure}`;
    case "card":
      return `card/${place.card}`;
    case "token":
      return `token/${place.token}/${place.room}/${place.part ?? 0}`;
    case "pile":
      return `pile/${place.room}/${place.part ?? 0}`;
    default:
      return JSON.stringify(place);
  }
}

/**
 * All commands of a decision that can be told by a place: those listed, and those of families in which one member varies.
 * @param {OpenDecision} decision
 * @returns {Placed[]}
 */
export function placedIn(decision) {
  /** @type {Map<string, Placed>} */
  const found = new Map(decision.commands.map((one) => [JSON.stringify(one.command), one]));
  for (const { fields, fixed } of decision.families) {
    const [field, other] = fields;
    if (!field || other || field.shape !== "one-of") continue;
    /** @type {readonly {label: string, at?: readonly Place[]}[]} */
    const each = "each" in field && Array.isArray(field.each) ? field.each : [];
    each.forEach(({ label, at = [] }, index) => {
      const command = /** @type {Listed["command"]} */ ({ ...fixed, [field.field]: field.values[index] });
      const key = JSON.stringify(command);
      if (!found.has(key)) found.set(key, { label, command, at });
    });
  }
  return [...found.values()];
}

/**
 * Index commands by the places that they are about.
 * @param {readonly Placed[]} commands
 * @returns {Spots}
 */
export function spotsOf(commands) {
  /** @type {Map<string, {place: Place, commands: Placed[]}>} */
  const found = new Map();
  for (const command of commands) {
    for (const place of command.at ?? []) {
      const key = keyOf(place);
      const here = found.get(key);
      if (!here) found.set(key, { place, commands: [command] });
      else if (!here.commands.includes(command)) here.commands.push(command);
    }
  }
  return { commandsAt: (place) => found.get(keyOf(place))?.commands ?? NONE, offers: [...found.values()] };
}

/**
 * How a command about a cell would lay the tile there.
 * @param {Placed} command
 * @param {Place} cell
 */
export function layingAt(command, cell) {
  const key = keyOf(cell);
  return command.at?.find((place) => keyOf(place) === key) ?? cell;
}

/**
 * The command that somebody who picks a place most likely means, for a dry run that says why it is not offered; null where none is obvious.
 * It has no decision yet.
 * @param {Place} place
 * @returns {Record<string, unknown> | null}
 */
export function obvious(place) {
  if (place.kind === "room") return { type: "move", to: place.room };
  if (place.kind === "doorway") return { type: "explore", door: place.door };
  if (place.kind === "figure") return { type: "attack", target: place.figure };
  return null;
}
