// What the page itself says. Sentences, labels and refusals of the game come from the service.

export const FRAME = {
  title: "Omenlog",
  lost: "The connection is lost. You can read the board; controls wait until it is back.",
  silent: "The service does not answer. The page tries again until it does.",
  waiting: (/** @type {number} */ seconds) => `The service asks to wait: ${seconds} more s.`,
  loading: "One moment …",
  home: "To the lobby",
  again: "Try again",
  forget: "Forget this place",
  paste: "Link to your place",
  open: "Open",
  noLink: "That is no link to this table. It looks like …/#/g/GAME/join/… or …/#/g/GAME/as/….",
  places: "Your places in this game",
  part: { lobby: "Lobby", table: "Table", replay: "Replay", desk: "Referee's desk", moderator: "Moderator's panel" },
};

/**
 * Pages that say what went wrong and what to do about it.
 * @type {Record<string, {title: string, what: string, next: string}>}
 */
export const STOPS = {
  address: {
    title: "There is nothing at this address",
    what: "It is not one of this page's addresses. Perhaps the end of the link was cut off when it was sent.",
    next: "Copy the whole link again, or go to the lobby.",
  },
  link: {
    title: "This link does not work",
    what: "It is for another game, or its end was cut off, or what it opened has ended since.",
    next: "Ask whoever sent it for a new one, and open it here.",
  },
  invite: {
    title: "This invite has been used",
    what: "An invite is good for one claim. If you were the one, your place is in the browser in which you claimed it.",
    next:
      "There, open the game and use the link to your place to come here with it. If the place is lost, the host can replace the player, " +
      "which makes a new invite.",
  },
  stranger: {
    title: "You have no place at this table on this device",
    what: "Places are kept in the browser in which they were claimed.",
    next: "Open the link to your place, which the device that has it can show, or an invite from the host. Paste it here if you have it as text.",
  },
  token: {
    title: "Your place has been closed here",
    what: "The token that this device has does not hold any more: it was renewed on another device, or the host replaced the player.",
    next: "Get the link to your place from the device that has the new token, or a new invite from the host, and open it here.",
  },
  game: {
    title: "There is no such game",
    what: "The service does not have it, or not any more.",
    next: "Check the link, or ask the host. The place on this device is kept until you forget it.",
  },
  load: {
    title: "A part of the page did not come",
    what: "The connection broke while it was loading, or the service was updated.",
    next: "Load the page again.",
  },
};

/** What the board says: names of places that have none of their own, and of what moves the house. */
export const BOARD = {
  house: "The house",
  map: "Map of the house. Arrow keys move it, plus and minus zoom, Enter goes to a room.",
  you: "you",
  turn: "whose turn it is",
  traitor: "the traitor",
  dead: "dead",
  stunned: "stunned",
  hidden: "hidden from others",
  unknown: "Doorway into the unknown",
  noTiles: "Doorway, but no rooms are left for this floor",
  layTile: "Lay the tile",
  close: "Close",
  turnTile: "Turn the tile",
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
  wholeHouse: "Show all of it",
  findMe: "Find me",
  harmful: "May do harm.",
  foundInHaunt: "Found in the haunt.",
  monstersOnly: "monsters only",
  explorersOnly: "explorers only",
  nobodySays: "The box is not open to you.",
  /** @type {Readonly<Record<string, string>>} */
  floors: { upper: "Upper floor", ground: "Ground floor", basement: "Basement" },
  /** @type {Readonly<Record<string, string>>} */
  tabs: { upper: "Upper", ground: "Ground", basement: "Basement" },
  /** @type {Readonly<Record<string, string>>} */
  symbols: { event: "Event", item: "Item", omen: "Omen" },
  /** @type {Readonly<Record<string, string>>} */
  traits: { might: "Might", speed: "Speed", sanity: "Sanity", knowledge: "Knowledge" },
  /** @param {string} title @param {number} count */
  times: (title, count) => `${title}, ${count} of them`,
  /** @param {string} titles */
  floor: (titles) => `On the floor: ${titles}`,
  /** @param {string} titles */
  waits: (titles) => `${titles}, waiting for a new custodian`,
  /** @param {string} side @param {string} room */
  doorway: (side, room) => `Doorway ${side} of ${room}`,
  /** @param {string} side @param {string} room */
  wall: (side, room) => `Wall ${side} of ${room}`,
  /** @param {string} title */
  lay: (title) => `Lay the ${title}`,
  /** @param {string} room */
  way: (room) => `Way to ${room}`,
  /** @param {string} title @param {string} letters */
  signed: (title, letters) => `${title}, ${letters}`,
  /** @param {string} floor @param {string} room */
  stairs: (floor, room) => `${floor}: to ${room}`,
  /** @param {string} place @param {readonly string[]} labels */
  offers: (place, labels) => (labels.length > 1 ? `${place}: ${labels.length} choices` : `${place}: ${labels[0]}`),
  /** @param {string} floor @param {number} count */
  floorOffers: (floor, count) => (count ? `${floor}, ${count} places to choose` : floor),
};
