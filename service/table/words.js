// What the page itself says. Sentences, labels and refusals of the game come from the service.

/**
 * A span of time in words.
 * @param {number} seconds
 */
export function spell(seconds) {
  const [size, unit] = seconds < 60 ? [1, "second"] : seconds < 3600 ? [60, "minute"] : [3600, "hour"];
  const count = Math.round((10 * seconds) / size) / 10;
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

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
    title: "This invite is not good any more",
    what: "It was used, or it is for another game. If you were the one who used it, your place is in the browser in which you did.",
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
  awaits: (/** @type {string} */ who, /** @type {string} */ what) => `Waiting for ${who}${what && `: ${what}`}`,
  moderator: "the moderator",
  hiddenTraitor: "the hidden traitor",
  seat: (/** @type {number} */ seat) => `Seat ${seat}`,
  here: "here now",
  away: "away",
  alsoHere: "Also here",
  watching: (/** @type {number} */ count) => `${count} watching`,
  player: (/** @type {string} */ title, /** @type {string} */ name) => `${title} (${name})`,
  home: "Lobby",
  replay: "Replay",
  moment: (/** @type {number} */ at) => `To this moment, commit ${at}`,
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
    "end-turn": "End the turn",
  },
  takeBack: "Take back",
  refused: "That was refused.",
  allWays: (/** @type {number} */ count) => `${count} ways, one by one`,
  gives: "You would get",
  wants: "You would hand over",
  nothingForIt: "nothing",
  entry: "What was entered",
  asking: "Asking …",
  wouldBeLegal: "That would be allowed. Look among the actions.",
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
    to: "To",
    target: "Target",
    not_room: "Not in",
    room: "In",
    at_least: "At least",
    beside: "Beside",
    holds: "Has",
    haunt: "The haunt has begun",
    option: "Which",
    pick: "Which",
  },
  do: "Do it",
  asJson: "As JSON",
  enterBook: "Enter from the printed book",
  entering: {
    book: "Out of which book",
    kind: "What it says",
    kinds: {
      note: "A note",
      counter: "Something that is counted",
      json: "Anything else, as JSON",
    },
    title: "Title",
    most: "At most",
    example:
      '{"actions": [{"word": "LIGHT", "title": "Light a lamp", "do": [{"count": {"counter": "lamps", "by": 1}}]}]}',
    submit: "Enter it",
    done: "It was entered.",
  },
  notJson: "That is no JSON.",

  logOf: "Log",
  earlier: "Earlier",
  since: "Since you last looked",
  before: "Before the first turn",
  noChange: "Nothing that you can see has changed.",
  noted: "Understood",
  tried: (/** @type {string} */ what, /** @type {string} */ because) => `Refused: ${what}: ${because}`,

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

  dice: {
    shown: (/** @type {number} */ count, /** @type {number} */ all, /** @type {number} */ total) =>
      `${count} of ${all} dice, total ${total}`,
    tap: (/** @type {number} */ face) => `A die shows ${face}`,
    undo: "Take back the last die",
    line: "Or as a die roller wrote it",
    example: "each die = the total",
    /** @param {number} dice @param {number} least */
    strange: (dice, least) => `That is no roll of ${dice} dice that show ${least} to ${least + 2} each.`,
    send: "That was rolled",
  },
  letters: "Type letters of its name",
  /** @param {number} left @param {number} all @param {string} first */
  found: (left, all, first) => (left === 1 ? `Enter takes ${first}` : `${left} of ${all}`),
  watch: {
    live: "You watch, live",
    steps: (/** @type {number} */ steps) => `${steps} ${steps === 1 ? "step" : "steps"}`,
    both: (/** @type {string} */ steps, /** @type {string} */ time) => `${steps}, and at least ${time},`,
    behind: (/** @type {string} */ delay) => `You watch the game ${delay} behind the players.`,
  },
  moderating: {
    title: "Moderator's panel",
    awaited: "Who is awaited",
    since: (/** @type {string} */ time) => `since ${time}`,
    post: "Status post",
    format: "For a forum that takes",
    /** @type {Readonly<Record<string, string>>} */
    formats: { markdown: "Markdown", bbcode: "BBCode" },
    text: "The post, to be selected and copied",
    co: "Co-moderator, links and players",
  },

  noBook: "The haunt has not begun. Its book comes with it.",
  bookOf: (/** @type {string} */ side) => `What the ${side.toLowerCase()} read`,
  everybodysBook: "What everybody reads",
  goal: "How you win",
  bookActions: "What you can do",
  bookRules: "What else holds",
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
  haunt: "The haunt begins",

  messages: "Messages",
  noMessages: "Nobody has written yet.",
  erased: "This message was erased.",
  to: "To",
  text: "Text",
  send: "Send",
  sent: (/** @type {string} */ from, /** @type {string} */ to) => `${from} to ${to}`,
  /** @type {Readonly<Record<string, string>>} */
  recipients: {
    table: "the table",
    heroes: "the heroes",
    traitor: "the traitor's side",
    referee: "the referee",
    "co-referee": "the second referee",
    host: "the host",
  },
  orders: "Standing orders",
  step: "Step",
  addStep: "Add this step",
  withoutStep: (/** @type {number} */ number) => `Without step ${number}`,
  onlyIf: "Only if",
  yesNo: ["no", "yes"],
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

/** What is said of disputes, and at the referee's desk. */
export const DESK = {
  title: "Referee's desk",
  desk: "Desk",
  disputes: "Disputes",
  all: "Disputes, and what was ruled",
  dispute: (/** @type {number} */ number) => `Dispute commit ${number}`,
  claim: "What is wrong?",
  upTo: "Up to commit",
  decides: "Who decides",
  addressed: { referee: "The referee, who alone reads this", table: "All players, who all read it" },
  cancel: "Leave it",
  toTable: "To the table",
  tabs: { cases: "Disputes", board: "Board", trace: "Trace" },
  columns: "What is shown of the desk",

  none: "Nothing has been disputed.",
  referee:
    "Players dispute what happened by the flag beside a line of their log. What they claim comes here, and you rule on it.",
  seat:
    "To dispute something, go to the table, open the log, and press the flag beside the line; then say what is wrong. The referee rules here, or " +
    "all players do. You can follow it, and give evidence: tick commits and rules in the trace.",
  watcher:
    "You watch. Players dispute what happened, by the flag beside a line of their log; here you see what came of it.",
  case: (/** @type {number} */ number, /** @type {string} */ by) => `Dispute ${number}: ${by}`,
  /** @type {Readonly<Record<string, string>>} */
  outcomes: {
    "": "open",
    stands: "what happened stands",
    amend: "amended",
    rewind: "play went back",
    withdrawn: "withdrawn",
    lapsed: "nobody ruled in time, so what happened stands",
    over: "ended with the game",
  },
  turnsLeft: (/** @type {number} */ number) => `lapses after ${number} more ${number === 1 ? "turn" : "turns"}`,
  pauses: "play waits for it",
  toAll: "all players decide",
  noClaim: "What is claimed only the referee and whoever disputes it can read.",
  erased: "The text was erased.",
  commits: (/** @type {number} */ first, /** @type {number} */ last) =>
    first === last ? `Commit ${first}` : `Commits ${first} to ${last}`,
  evidence: "Evidence",
  noEvidence: "None yet.",
  by: (/** @type {string} */ who, /** @type {string} */ what) => (what ? `${who}: ${what}` : who),
  ruled: (/** @type {string} */ who, /** @type {string} */ what, /** @type {number | null} */ to) =>
    `Ruled by ${who}: ${what}${to === null ? "" : ` to commit ${to}`}.`,
  proposed: (
    /** @type {string} */ who,
    /** @type {string} */ what,
    /** @type {number | null} */ to,
    /** @type {string} */ awaited,
  ) =>
    `Proposed by ${who}: ${what}${to === null ? "" : `, to commit ${to}`}. To answer among their actions at the table: ${awaited}.`,
  untold: "The reasons were told to others.",
  precedent: "It is a precedent.",
  undone: (/** @type {number} */ commit) => `It was undone in commit ${commit}.`,
  again: (/** @type {string} */ numbers) => `It did these amendments again: dispute ${numbers}.`,
  earlier: "Before it was reopened",
  reopened: (/** @type {string} */ reasons) => `Reopened: ${reasons}`,
  saw: "What players saw in what was taken back, and still know",
  withdraw: "Withdraw the dispute",
  withdrawWhat: "It is over then, and stays in the log.",

  ticked: "Ticked in the trace",
  noTicks: "Tick commits and rules in the trace.",
  note: "Note",
  give: "Give as evidence",
  cite: (/** @type {number} */ number) => `Cite commit ${number}`,
  citeRule: (/** @type {string} */ id) => `Cite ${id}`,

  rule: "Rule",
  propose: "Propose a ruling",
  outcome: "Ruling",
  /** @type {Readonly<Record<string, string>>} */
  rulings: { stands: "What happened stands", amend: "Amend", rewind: "Go back" },
  goTo: "Play goes on from commit",
  about: "Whom it is about",
  step: (/** @type {number} */ number) => `Step ${number}`,
  remove: (/** @type {number} */ number) => `Remove step ${number}`,
  add: "Add a step",
  /** @type {Readonly<Record<string, string>>} */
  steps: { trait: "Trait", card: "Card", move: "Move", other: "Other, as JSON" },
  gain: "Raise",
  lose: "Lower",
  trait: "Trait",
  spaces: "By spaces",
  /** @type {Readonly<Record<string, string>>} */
  cards: { draw: "Draw from", take: "Take from its holder", floor: "Put down", discard: "Discard" },
  card: "Which",
  room: "To",
  json: "The step, in the words of content files",
  example: '{"damage": {"kind": "mental", "dice": 1}}',
  undoes: (/** @type {number} */ number) => `This undoes the amendment of dispute ${number}.`,
  reapply: (/** @type {number} */ number) => `Do the amendment of dispute ${number} again`,
  reasons: "Reasons",
  reasonsHelp: "They stay in the log for ever: name no persons.",
  public: "Everybody is told the reasons",
  isPrecedent: "It is a precedent: it holds from now on",
  cites: "It cites",
  would: "What it would change",
  nothing: "Nothing changes in the game.",
  trying: "Trying …",
  unsaid: "Say what is to be done, and it is tried here before anything happens.",
  asks: (/** @type {string} */ who) => `These have to agree: ${who}.`,
  consults: (/** @type {string} */ what) => `It would ask for: ${what}.`,
  for: (/** @type {string} */ who) => `For ${who}`,
  doRule: "Rule so",
  reopen: "Reopen",
  reopenWhat: "What was ruled holds until it is ruled again. Nothing that it has changed is changed back.",

  after: (/** @type {number} */ number) => `After commit ${number}`,
  before: "One commit earlier",
  next: "One commit later",
  eyes: "As seen by",
  what: "What if?",
  whatIf: (/** @type {number} */ number) => `Open a sandbox from commit ${number} in a new tab`,
  sandbox: (/** @type {number} */ number) => `The sandbox from commit ${number}`,
  trace: "What happened, and by which rules",
  more: "Later",
  isDisputed: "disputed",
  changed: (/** @type {string} */ what, /** @type {string} */ before, /** @type {string} */ after) =>
    `${what}: ${before} → ${after}`,
  legal: (/** @type {number} */ count) => `Legal then: ${count}`,
};

/** What is wrong with a value by the contract. */
export const SHAPE = {
  expected: (/** @type {string} */ what) => `expected: ${what}`,
  tag: (/** @type {string} */ name, /** @type {readonly string[]} */ words) => `${name}, expected: ${words.join(", ")}`,
  atLeast: (/** @type {unknown} */ limit) => `at least ${limit}`,
  atMost: (/** @type {unknown} */ limit) => `at most ${limit}`,
  missing: (/** @type {string} */ name) => `${name} is missing`,
  unknown: (/** @type {readonly string[]} */ names, pattern = "") =>
    `there is no such field; there are ${pattern || names.join(", ")}`,
};

export const LOBBY = {
  mood: "An old house, and all of you in it. One of you will not stay a friend.",
  mine: "Your games",
  none: "You have no games here yet. Open one, or follow the link that a friend has sent you.",
  how: [
    "Open a game: you get a link and a QR code for each player.",
    "Everybody opens their own link, on a phone or a laptop, and picks an explorer.",
    "Begin. The house keeps the rules, the dice and everybody's secrets.",
  ],
  over: "Finished games",
  yourTurn: "Your turn",
  waitsFor: (/** @type {string} */ whom) => `Waiting for ${whom}`,
  underway: "Under way",
  come: (/** @type {number} */ come, /** @type {number} */ all) => `Open: ${come} of ${all} have come`,
  closedHere: "Your place has been closed here",
  gone: "The service does not have this game any more",
  abandoned: "Abandoned",
  finished: "Finished",
  winner: { heroes: "The heroes won", traitor: "The traitor won", nobody: "Nobody won" },
  unread: "One moment …",
  sandbox: (/** @type {number} */ at) => `Sandbox from commit ${at}`,
  forget: "Forget",
  forgetWhat:
    "This browser forgets the game and your places in it. Without a link to them on another device you can't come back.",
  keepIt: "Keep it",
  manage: "Links and players",
  replay: "Replay",

  open: {
    title: "Open a new game",
    players: "Players",
    number: (/** @type {number} */ number) => `${number} players`,
    name: (/** @type {number} */ seat) => `Name for seat ${seat}`,
    nameHint: "May stay empty: players can say it when they come.",
    explorer: (/** @type {number} */ seat) => `Explorer for seat ${seat}`,
    edition: "Edition",
    byPost: "By post, with a moderator",
    haunt: "Haunt",
    anyHaunt: "Whatever the house brings",
    external: "From your printed books",
    chance: "Dice and cards",
    chances: {
      seeded: "The service rolls, provably fair",
      table: "We roll and draw ourselves",
      moderator: "A moderator rolls and draws",
    },
    deadline: "Time for each decision",
    deadlines: {
      0: "As long as it takes",
      300: "5 minutes",
      3600: "1 hour",
      86400: "1 day",
      259200: "3 days",
      604800: "1 week",
    },
    hotseat: "We all play on this one screen",
    hotseatHint: "It is covered whenever it goes from one player to the next. The game is marked so for everybody.",
    advanced: "Advanced",
    json: "More of the request, as JSON",
    jsonHint: "It is laid over what is chosen above. The API's documentation lists what there is.",
    example: '{\n  "options": {"turn_limit": 400},\n  "spectators": 2\n}',
    noObject: "An object is expected: { … }.",
    at: (/** @type {number} */ line, /** @type {number} */ column, /** @type {string} */ what) =>
      `Line ${line}, column ${column}: ${what}`,
    fine: "That is as the contract has it.",
    key: "Opening key",
    keyHint: "The operator of this service has it.",
    submit: "Open the game",
    sending: "Opening the game …",
    failed: "The game could not be opened.",
    unanswered: "A game was to be opened here, and the service has not said whether it was.",
    drop: "Drop it",
    packs: "The editions could not be read.",
  },

  room: {
    title: "The door is open",
    needed: (/** @type {number} */ left) =>
      left === 1 ? "One player has still to come." : `${left} players have still to come.`,
    ready: "Everybody is here.",
    seat: TABLE.seat,
    you: "you",
    free: "has not come yet",
    anyExplorer: "an explorer by chance",
    start: "Begin the game",
    notYet: (/** @type {string} */ whom) => `It can begin as soon as they are here: ${whom}.`,
    hostStarts: "Whoever opened the game begins it when everybody is here.",
    scenario: "Scenario",
    invites: "Invite the others",
    invite: (/** @type {string} */ whom) => `Link for ${whom}`,
    here: "Take this place here",
    shared: "Several people can use it to watch.",
    referee: "the referee",
    "co-referee": "the second referee",
    spectator: "spectators",
    local:
      "This page was opened as localhost, and so are the links: they work on this computer alone. For phones in the same network start the " +
      "service with --host 0.0.0.0, and open the page by this computer's address.",
    noInvites: "All links have been used, or they are kept in the browser in which the game was opened.",
    used: (/** @type {string} */ whom, /** @type {number} */ used, /** @type {number} */ all) =>
      `${whom}: ${all > 1 ? `${used} of ${all} used` : used > 0 ? "used" : "not used yet"}`,
    copy: "Copy",
    copied: "Copied",
    share: "Share",
    link: "Link, to be selected and copied",
    qr: "Show the QR code",
    qrLabel: (/** @type {string} */ whom) => `QR code: ${whom}`,
    replace: (/** @type {string} */ whom) => `Replace ${whom}`,
    replaceWhat: (/** @type {string} */ whom) =>
      `${whom} loses the place and its name, everybody is told, and there is a new link for somebody else.`,
    close: "Close the game",
    closeWhat: "The game ends for everybody. It stays readable.",
    yes: "Do it",
    no: "Leave it",
    elsewhere: "Your place on another device",
    hostElsewhere: "The host's place on another device",
    elsewhereWhat: "Whoever has this link has your place. Show it to nobody else.",
    showLink: "Show the link to my place",
    renew: "Renew my link",
    renewWhat: "The link that you have now, and every other device that uses it, ends.",
    renewed: "Renewed: this device has the new one already, all others need this link.",
  },

  join: {
    seat: (/** @type {number} */ seat) => `You are invited: seat ${seat}`,
    referee: "You are invited to be the referee",
    "co-referee": "You are invited to be the second referee",
    spectator: "You are invited to watch",
    what: {
      seat: "Say who you are, and come in.",
      referee:
        "The referee sees everything, settles disputes, and answers for dice and cards where a moderator has them.",
      "co-referee": "You see everything and answer the same as the referee does.",
      spectator: "You see what everybody may see, and decide nothing.",
    },
    by: "Edition",
    haunt: "Haunt",
    chance: "Dice and cards",
    seats: "Explorers taken",
    noneTaken: "none yet",
    hotseat: "This game is played on one screen.",
    name: "Your name",
    explorer: "Your explorer",
    chanceExplorer: "Let chance decide",
    starts: (/** @type {Record<string, number | undefined>} */ traits) =>
      `Might ${traits.might}, speed ${traits.speed}, sanity ${traits.sanity}, knowledge ${traits.knowledge}`,
    age: (/** @type {number} */ age) => `age ${age}`,
    entropy: "Your part of the dice",
    entropyHint:
      "These letters are mixed into every roll, so that nobody, not even the service, could have chosen the dice, and anybody can check it " +
      "afterwards. Type anything, or keep what was drawn for you.",
    entropyWrong: "Letters, digits and + / = _ - only, 64 at most.",
    draw: "Draw anew",
    submit: "Take this seat",
    enter: "Come in",
    sending: "One moment …",
    mine: "You have this place already.",
    toTable: "To the table",
  },

  file: {
    title: "Import a finished game",
    label: "File of an exported game",
    hint: "Its whole course is checked before it is taken: every link, every decision, every die.",
    submit: "Import",
    sending: (/** @type {number} */ percent) => `Sending the file: ${percent} %`,
    checking: (/** @type {number} */ seconds) => `The service plays it through to check it: ${seconds} s`,
    silent: "No answer came. Sending it again changes nothing that was done.",
    again: (/** @type {string} */ name) =>
      `This page was closed while ${name} was on its way. Choose that file again: what was done is not done twice.`,
    done: "Imported.",
    unverified: "Imported, though not all of it could be checked:",
    look: "Look at the game",
  },

  hotseat: {
    mark: "One screen for all",
    has: (/** @type {string} */ whom) => `This is what ${whom} sees.`,
    next: (/** @type {string} */ whom) => `${whom} is to decide.`,
    pass: (/** @type {string} */ whom) => `Pass to ${whom}`,
    other: "Pass to somebody else",
    covered: "The screen is covered",
    hand: (/** @type {string} */ whom) => `Hand it to ${whom}. Nobody else looks.`,
    who: "Who has the screen?",
    am: (/** @type {string} */ whom) => `I am ${whom}`,
    back: (/** @type {string} */ whom) => `Back to ${whom}`,
  },
};

/** What the replay says. */
export const REPLAY = {
  now: "Back to now",
  commit: "Commit",
  at: (/** @type {number} */ at, /** @type {number} */ newest, turn = 0) =>
    `Commit ${at} of ${newest}${turn ? `, turn ${turn}` : ""}`,
  line: "Moments of the game",
  marks: "What happened when",
  /** @param {string} kind @param {number} at @param {number} turn */
  marked: (kind, at, turn) => `${REPLAY.kinds[kind]}${kind === "turn" ? ` ${turn}` : ""}, commit ${at}`,
  /** @type {Readonly<Record<string, string>>} */
  kinds: {
    turn: "Turn",
    omen: "Omen drawn",
    haunt: "The haunt begins",
    death: "Death",
    dispute: "Dispute",
    rewind: "Play went back",
  },
  /** @type {readonly (readonly [string, number, string, string])[]} */
  ways: [
    ["own", -1, "« me", "To my turn before"],
    ["turn", -1, "«", "To the turn before"],
    ["commit", -1, "‹", "To the commit before"],
    ["commit", 1, "›", "To the next commit"],
    ["turn", 1, "»", "To the next turn"],
    ["own", 1, "me »", "To my next turn"],
  ],
  play: "Play",
  pause: "Pause",
  speed: "Speed",
  speeds: { slow: "slow", normal: "normal", fast: "fast" },
  type: "Number of a commit",
  go: "Go",
  noCommit: (/** @type {string} */ typed, /** @type {number} */ last) =>
    `There is no commit “${typed}”: this game has commits 1 to ${last}.`,
  eyes: "Through the eyes of",
  own: "my own eyes",
  tabs: { log: "Log", people: "Explorers", book: "Book", changes: "Changes", file: "Share" },

  since: "Changes since commit",
  keep: (/** @type {number} */ at) => `Since this moment, commit ${at}`,
  between: (/** @type {number} */ from, /** @type {number} */ to) => `From commit ${from} to commit ${to}`,
  notBefore: (/** @type {number} */ at) => `Name a commit before the one on screen, ${at}.`,
  same: "Nothing has changed for this role.",

  link: "Link to this moment",
  linkHint: "It has no secret: it opens where somebody has a place in this game, and shows what that place may see.",
  file: "The game as a file",
  whole: "The whole game, to be kept, verified, or imported elsewhere.",
  ownPart: "All that your role was told, with proof that it belongs to the game. The whole game comes once it is over.",
  download: "Download",
  verify: "Verify",
  checked: (/** @type {number} */ checked, /** @type {number} */ all) => `${checked} of ${all} commits checked`,
  failed: "There is no verdict. Ask again.",
  verdicts: {
    EXACT: "Every commit, decision and die is as the rules decide it.",
    UNVERIFIED: "Nothing contradicts the game, but not all of it can be checked now.",
    DIVERGED: "The game differs from what the rules decide.",
  },
  noProof: "What the service says of itself is no proof. For that, download the file, and run",
};
