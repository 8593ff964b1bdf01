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

/** What the table says. */
export const TABLE = {
  yours: "Your turn",
  awaitsYou: "You are asked",
  nobody: "Nobody is awaited",
  over: "The game is over",
  watching: "You are watching",
  version: (/** @type {number} */ number) => `Commit ${number}`,
  turn: (/** @type {number} */ number) => `Turn ${number}`,
  round: (/** @type {number} */ number) => `Round ${number}`,
  omens: (/** @type {number} */ number) => `${number} ${number === 1 ? "omen" : "omens"}`,
  spaces: (/** @type {number} */ number) => `${number} ${number === 1 ? "space" : "spaces"} left`,
  due: (/** @type {string} */ time) => `until ${time}`,
  /** @type {Readonly<Record<string, string>>} */
  phases: { setup: "Setting up", exploration: "Exploration", haunt: "The haunt", over: "Over" },
  /** @type {Readonly<Record<string, string>>} */
  sides: { heroes: "Heroes", traitor: "Traitor" },
  awaits: (/** @type {string} */ who, /** @type {string} */ what) => `Waiting for ${who}: ${what}`,
  moderator: "the moderator",
  hiddenTraitor: "the hidden traitor",
  seat: (/** @type {number} */ seat) => `Seat ${seat}`,
  player: (/** @type {string} */ title, /** @type {string} */ name) => `${title} (${name})`,
  home: "Lobby",
  /** @type {Readonly<Record<string, string>>} */
  tabs: { actions: "Actions", people: "Explorers", log: "Log", book: "Book", talk: "Talk" },
  panels: "What is shown beside the house",
  actions: "What you can do",
  nothing: "You have nothing to decide now.",
  loading: "One moment …",
  sound: "Sound on my turn",
  notify: "Notify me on my turn",
  sandbox: (/** @type {number} */ at) => `A sandbox from commit ${at} on: nothing here changes the real game.`,
  paused: "Play waits for a ruling on a dispute.",

  /** @type {Readonly<Record<string, string>>} */
  kinds: {
    move: "Go",
    explore: "Explore",
    cross: "Cross",
    act: "Act",
    attack: "Attack",
    "break-free": "Break free",
    trade: "Trade",
    drop: "Drop",
    "pick-up": "Pick up",
    loot: "Take from the dead",
    "look-through": "Look",
    reveal: "Reveal",
  },
  takeBack: "Take back",
  refused: "That was refused.",
  allWays: (/** @type {number} */ count) => `All ${count} ways, one by one`,
  gives: "You would get",
  wants: "You would hand over",
  nothingForIt: "nothing",
  entry: "What was entered",
  whyNot: "Why not?",
  asking: "Asking …",
  wouldBeLegal: "That would be allowed. Look among the actions.",
  asks: (/** @type {string} */ what) => `It would first ask: ${what}`,
  rule: (/** @type {string} */ title) => `Rule: ${title}`,

  left: (/** @type {number} */ least, /** @type {number} */ total, /** @type {number} */ now) =>
    least === total ? `${now} of ${total} points divided` : `${now} of ${least} to ${total} points divided`,
  less: (/** @type {string} */ what) => `Less ${what}`,
  more: (/** @type {string} */ what) => `More ${what}`,
  atMost: (/** @type {number} */ count) => `At most ${count}`,
  atLeast: (/** @type {number} */ count) => `At least ${count}`,
  die: (/** @type {number} */ number) => `Die ${number}`,
  shows: (/** @type {number} */ number, /** @type {string} */ face) => `Die ${number} shows ${face}`,
  /** @type {Readonly<Record<string, string>>} */
  fields: {
    gives: "You give",
    wants: "You ask for",
    cards: "Which",
    points: "Points",
    chosen: "Which dice",
    faces: "What the dice show",
    rolled: "What the die roller shows",
    with: "With",
    option: "Which",
    pick: "Which",
  },
  do: "Do it",
  asJson: "As JSON",
  enterBook: "Enter from the printed book",
  notJson: "That is no JSON.",

  logOf: "Log",
  earlier: "Earlier",
  since: "Since you last looked",
  before: "Before the first turn",
  tried: (/** @type {string} */ what, /** @type {string} */ because) => `Refused: ${what}: ${because}`,
  rewound: "Play went back",

  me: "You",
  othersCards: "Cards",
  noCards: "No cards",
  explorers: "Explorers",
  monsters: "Monsters",
  boxed: "The box is not open to you.",
  critical: "on the last space before the skull",
  onSpace: (/** @type {string} */ trait, /** @type {number} */ value, /** @type {number} */ place) =>
    `${trait} ${value}, space ${place} of 8`,
  dead: "dead",
  escaped: "escaped",
  held: (/** @type {string} */ what) => `Held by ${what}`,
  decks: "Stacks",
  /** @type {Readonly<Record<string, string>>} */
  deck: { tiles: "Rooms", event: "Events", item: "Items", omen: "Omens" },
  drawn: "Drawn in this turn",
  counters: "The haunt counts",
  odds: "Odds",
  hauntOdds: (/** @type {number} */ omens) => `The haunt roll with ${omens} ${omens === 1 ? "omen" : "omens"}`,
  begins: (/** @type {string} */ chance) => `begins the haunt: ${chance}`,
  oddsOf: (/** @type {string} */ what) => `Odds: ${what}`,
  attackOdds: (/** @type {string} */ wins, /** @type {string} */ tie, /** @type {string} */ loses) =>
    `You win ${wins}, tie ${tie}, lose ${loses}.`,
  notCounted: (/** @type {string} */ what) => `Not counted: ${what}`,
  orMore: (/** @type {number} */ total, /** @type {string} */ chance) => `${total} or more: ${chance}`,
  mean: (/** @type {string} */ mean) => `${mean} on average`,

  noBook: "The haunt has not begun. Its book comes with it.",
  bookOf: (/** @type {string} */ side) => `What the ${side.toLowerCase()} read`,
  everybodysBook: "What everybody reads",
  goal: "How you win",
  bookActions: "What you can do",
  bookRules: "What else holds",
  bookTokens: "Tokens and items",
  setup: "As it begins",
  secrets: "Chosen in secret",
  demand: (/** @type {string} */ part) => `Have it read out: ${part}`,
  reminders: "Reference cards",
  /** @type {Readonly<Record<string, string>>} */
  reminder: { player: "Your turn", traitor: "The traitor", monster: "Monsters" },
  precedents: "Precedents of this table",
  agreed: "Rulings of this table",
  rulesLook: "Rules",

  rolled: (/** @type {string} */ who, /** @type {number} */ total) => `${who}: ${total}`,
  roll: "The latest roll",
  face: (/** @type {number} */ face) => `${face}`,
  haunt: "The haunt begins",

  messages: "Messages",
  noMessages: "Nobody has written yet.",
  erased: "This message was erased.",
  to: "To",
  text: "Text",
  send: "Send",
  sent: (/** @type {string} */ from, /** @type {string} */ to) => `${from} to ${to}`,
  /** @type {Readonly<Record<string, string>>} */
  recipients: { table: "the table", heroes: "the heroes", traitor: "the traitor's side", referee: "the referee" },
  orders: "Standing orders",
  noOrders: "No orders are left for your next turn.",
  ordersHelp:
    "Steps that are done for you when your turn comes, each as its command. The first that cannot be done ends them.",
  leave: "Leave these orders",
  withdraw: "Withdraw the orders",
  /** @type {Readonly<Record<string, string>>} */
  orderStates: {
    waiting: "They wait for your turn.",
    running: "They are being carried out.",
    done: "They are done.",
    stopped: "They ended.",
  },
  propose: "Propose a ruling",
  proposeHelp: "Where no rule gives an answer. All others are asked for their consent; the text stays in the log.",
  proposed: (/** @type {string} */ text) => `Proposed: ${text}`,
  coin: "Flip a coin",
  coinHelp: "Heads is the first, tails the second. Both stay in the log.",
  heads: "Heads",
  tails: "Tails",
  flip: "Flip",
};
