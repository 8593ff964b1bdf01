// What the board itself says; names, labels and texts of the game come from the service.

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
  lay: "Lay the tile",
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
  /** @param {string} room */
  way: (room) => `Way to ${room}`,
  /** @param {string} room */
  goTo: (room) => `Show ${room}`,
  /** @param {string} place @param {readonly string[]} labels */
  offers: (place, labels) => (labels.length > 1 ? `${place}: ${labels.length} choices` : `${place}: ${labels[0]}`),
  /** @param {string} floor @param {number} count */
  floorOffers: (floor, count) => (count ? `${floor}, ${count} places to choose` : floor),
};
