// The place on screen: what its role sees, may do and was told, kept up to date. Parts read these signals and call `act`.
import { call, randomKey, sleep } from "./api.js";
import { dropRequest, keepRequest, note, requestsKept } from "./places.js";
import { connect } from "./socket.js";
import { batch, computed, signal } from "./vendor/preact.js";

/** @typedef {import("./places.js").Place} Place */
/** @typedef {import("./api.js").Problem} Problem */
/** @typedef {import("./api.js").Command} Command */
/**
 * @template T
 * @typedef {import("./vendor/preact.js").Signal<T>} Signal
 */
/**
 * @template T
 * @typedef {import("./api.js").Answer<T>} Answer
 */

/** The place that is followed. */
export const place = signal(/** @type {Place | null} */ (null));

/** Whether what is on screen is what is: controls wait while it is `lost`. */
export const link = signal(/** @type {"live" | "lost" | "over"} */ ("lost"));

/** What the role sees, and what it may do, both as of one commit; null until they have come. */
export const view = signal(/** @type {import("./api.js").View | null} */ (null));

export const decisions = signal(/** @type {import("./api.js").Decisions | null} */ (null));

/** The public facts, with the names of players. */
export const game = signal(/** @type {import("./api.js").Game | null} */ (null));

/** The latest steps in words, without gaps, up to the commit on screen; `earlier` puts more before them. */
export const steps = signal(/** @type {readonly import("./api.js").TraceStep[]} */ ([]));

/** The moment that is on screen in place of the present. */
export const moment = signal(/** @type {{at: number, as: string} | null} */ (null));

/**
 * What happened between the view on screen and the one before, for animation: the commits as this role was told them. Empty after the
 * first view, and where so much happened that nobody would want to watch it.
 */
export const fresh = signal(/** @type {readonly import("./api.js").Commit[]} */ ([]));

/** Who follows the game now, by role; null as long as nobody has said. */
export const present = signal(/** @type {import("./api.js").Schemas["Present"] | null} */ (null));

/** The latest commit that this page knows of. */
export const want = signal(0);

/** Why there is nothing to show: no such game, or a token that does not hold any more. */
export const trouble = signal(/** @type {Problem | null} */ (null));

/** The command on its way. */
export const underway = signal(/** @type {Command | null} */ (null));

/** The latest command that was refused, until the next one or a new view. */
export const refused = signal(/** @type {{command: Command, problem: Problem} | null} */ (null));

/** Whether it has been on its way for so long that controls show it: most are done before anybody would see that. */
const isSlow = signal(false);

/** Whether controls wait: the link is lost, or a command takes long, or a moment of the past is on screen. */
export const isWaiting = computed(() => link.value === "lost" || isSlow.value || moment.value !== null);

/** Steps that are loaded at first, and with each `earlier`. */
const PAGE = 40;
/** Steps that stay while others follow; more, once somebody has asked for `earlier` ones. */
const STEPS_KEPT = 200;
/** Commits at most whose steps a screen is told. */
const CATCH_UP = 200;
/** Commits at most that are worth watching one after the other. */
const WATCHED = 12;
/** Milliseconds that a command takes before controls show it. */
const SLOW = 150;

/** @type {AbortController | null} */
let following = null;
/** @type {{close: () => void} | null} */
let socket = null;
/** @type {import("./api.js").Commit[]} */
let heard = [];
/** @type {Set<(frame: import("./socket.js").Frame) => void>} */
const listeners = new Set();
let isFetching = false;
/** The commit of a command that is done and not on screen yet. */
let unshown = 0;
let mostSteps = STEPS_KEPT;

/**
 * Whether something of a kind has happened in any of some commits.
 * @param {readonly import("./api.js").Commit[]} commits
 * @param {import("./api.js").Schemas["Mark"]["kind"]} kind
 */
export const isMarked = (commits, kind) => commits.some(({ data }) => data.marks?.some((one) => one.kind === kind));

/**
 * Follow a place, in place of the one before.
 * @param {Place} to
 */
export function follow(to) {
  if (following && place.value?.game === to.game && place.value.token === to.token) return;
  leave();
  following = new AbortController();
  place.value = to;
  void begin(to, following.signal);
}

/** Follow nothing any more, and forget what was on screen. */
export function leave() {
  following?.abort();
  socket?.close();
  following = socket = null;
  heard = [];
  isFetching = false;
  mostSteps = STEPS_KEPT;
  batch(() => {
    place.value = view.value = decisions.value = game.value = trouble.value = refused.value = present.value = null;
    steps.value = [];
    fresh.value = [];
    want.value = 0;
    link.value = "lost";
    settle();
  });
}

/**
 * @param {Place} of
 * @param {AbortSignal} off
 */
async function begin(of, off) {
  const shown = renew();
  void readGame();
  socket = connect(
    of,
    shown.then(() => want.value),
    {
      frame: (frame) => hear(frame, off),
      link: (state) => {
        if (off.aborted) return;
        link.value = state;
        if (state !== "live") present.value = null;
      },
      refused: (problem) => {
        if (!off.aborted) giveUp(problem);
      },
    },
  );
  await shown;
  if (!off.aborted) void sendAgain(of);
}

/** @param {Problem} problem with a game that is gone no place of it holds either, but that it is gone is what is said */
function giveUp(problem) {
  if (trouble.value?.code !== "not-found") trouble.value = problem;
}

/**
 * @param {import("./socket.js").Frame} frame
 * @param {AbortSignal} off
 */
function hear(frame, off) {
  if (off.aborted) return;
  if (frame.type === "event") {
    heard.push(frame.event);
    if (heard.length > 2 * WATCHED) heard.shift();
    know(frame.cursor);
  }
  if (frame.type === "presence") present.value = frame;
  if (frame.type === "end" && frame.reason === "ahead-of-log") restart();
  for (const listener of listeners) listener(frame);
}

/**
 * Be told of every frame of the socket, those of later versions of the service among them.
 * @param {(frame: import("./socket.js").Frame) => void} listener
 * @returns {() => void} stops it
 */
export function listen(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** An older log was put back: what is on screen never happened. */
function restart() {
  heard = [];
  settle();
  want.value = 0;
  view.value = decisions.value = null;
  steps.value = [];
  void renew();
}

/**
 * A commit exists: fetch what it made of the game, unless that is under way.
 * @param {number} number
 */
export function know(number) {
  want.value = Math.max(want.value, number);
  void renew();
}

/** Whether what is on screen is not what is wanted. */
const isBehind = () => (view.value?.version ?? -1) < want.value;

/** Fetch until what is on screen is what is wanted; not while the answer to a command is about to bring it. */
async function renew() {
  const off = following?.signal;
  if (isFetching || !off || !isBehind() || (underway.value && !unshown && !isSlow.value)) return;
  isFetching = true;
  try {
    do {
      const answer = await readScreen(off);
      if (off.aborted) return;
      if (answer.ok) show(answer.data);
      else if (answer.problem.status < 500) {
        giveUp(answer.problem);
        return;
      }
      // The service has a fault, or the process that answered has not heard of the commit yet.
      if (isBehind()) await sleep(answer.ok ? 30 : 2000, off);
    } while (!off.aborted && isBehind());
  } finally {
    if (!off.aborted) isFetching = false;
  }
}

/** @param {AbortSignal} signal */
function readScreen(signal) {
  const { game, role, token } = /** @type {Place} */ (place.value);
  const query = { after: view.value?.version, since: role === "referee" || undefined };
  return call("get", "/v1/games/{game}/screen", { path: { game }, token, signal, query });
}

/**
 * @param {number} from
 * @param {number | undefined} to
 * @param {AbortSignal} signal
 */
async function readSteps(from, to, signal) {
  const { game, token } = /** @type {Place} */ (place.value);
  const query = { from: Math.max(1, from), to, legal: false, names: true, limit: 1000 };
  const answer = await call("get", "/v1/games/{game}/trace", { path: { game }, token, query, signal });
  return answer.ok ? answer.data.steps : [];
}

/** @param {import("./api.js").Schemas["Screen"]} screen */
function show({ view: seen, decisions: open, steps: told }) {
  const before = view.value?.version ?? 0;
  if (seen.version <= before) return; // an answer to a command was quicker
  const between = heard.filter((one) => Number(one.id) > before && Number(one.id) <= seen.version);
  heard = heard.filter((one) => Number(one.id) > seen.version);
  batch(() => {
    const isWhole = between.length === seen.version - before;
    if (before > 0 && (!isWhole || view.value?.status !== seen.status || isMarked(between, "seat"))) void readGame();
    fresh.value = before > 0 && isWhole && between.length <= WATCHED ? between : [];
    steps.value = [
      ...(seen.version - before > CATCH_UP ? [] : steps.value),
      ...told.filter((one) => one.number > before),
    ].slice(-mostSteps);
    decisions.value = open;
    view.value = seen;
    if (unshown && seen.version >= unshown) settle();
    if (seen.version > want.value) want.value = seen.version;
    // What was about a board that is no more is said as long as the one that came in its place is on screen.
    if (seen.version > Math.max(before, refused.value?.problem.current_version ?? 0)) refused.value = null;
  });
}

/** Put more steps before those that are there. */
export async function earlier() {
  const off = following?.signal;
  const first = steps.value[0]?.number ?? 1;
  if (!off || first <= 1) return;
  const told = await readSteps(first - PAGE, first - 1, off);
  if (off.aborted || steps.value[0]?.number !== first) return;
  steps.value = [...told, ...steps.value];
  mostSteps = Math.max(mostSteps, steps.value.length);
}

/** Read the public facts of the game anew: names, seats, status. */
export async function readGame() {
  const of = place.value;
  const off = following?.signal;
  if (!of || !off) return;
  const answer = await call("get", "/v1/games/{game}", { path: { game: of.game }, token: of.token, signal: off });
  if (off.aborted) return;
  if (answer.ok) game.value = answer.data;
  else if (answer.problem.status < 500) giveUp(answer.problem);
  else {
    await sleep(2000, off); // a fault that passes takes no board away
    if (!off.aborted) void readGame();
  }
}

/**
 * Do a command, as of the commit on screen. If the game has moved on it is refused (412), and the board moves on; nobody clicks twice.
 * @param {Command} command
 * @returns {Promise<boolean>} whether it was done; else `refused` says why
 */
export async function act(command) {
  const of = place.value;
  const shown = view.value;
  if (!of || !shown || underway.value || isWaiting.value) return false;
  return await sendCommand(of, { key: randomKey(), body: command, version: shown.version });
}

/**
 * @param {Place} of
 * @param {import("./places.js").Kept} request
 */
async function sendCommand(of, request) {
  const off = following?.signal;
  const name = `${of.game}/${of.role}`;
  const command = /** @type {Command} */ (request.body);
  keepRequest(name, request);
  underway.value = command;
  refused.value = null;
  setTimeout(() => {
    isSlow.value = underway.value === command;
    void renew();
  }, SLOW);
  const { game, token } = of;
  const { key, version: ifMatch = 0 } = request;
  const answer = await call("post", "/v1/games/{game}/commands", {
    path: { game },
    query: { screen: true },
    token,
    key,
    ifMatch,
    body: command,
    ...(off && { signal: off }),
  });
  if (off?.aborted && !answer.ok) return false; // called off, or told to wait: sent again when the place is followed again
  dropRequest(name, key);
  if (off?.aborted) return true;
  batch(() => {
    const before = view.value?.version ?? 0;
    if (answer.ok && answer.data.version > before) {
      const { version, commit, screen } = answer.data;
      unshown = version;
      heard = [...heard.filter(({ id }) => id !== commit.id), commit];
      if (screen && version === before + 1) show(screen);
    } else settle();
    if (!answer.ok) {
      refused.value = { command, problem: answer.problem };
      if (answer.status === 401) giveUp(answer.problem);
    }
    know(answer.data?.version ?? answer.problem?.current_version ?? 0);
  });
  return answer.ok;
}

/** No command is on its way any more. */
function settle() {
  unshown = 0;
  underway.value = null;
  isSlow.value = false;
}

/**
 * Send what was left without an answer when the page was closed.
 * @param {Place} of
 */
async function sendAgain(of) {
  for (const left of requestsKept(`${of.game}/${of.role}`)) await sendCommand(of, left);
}

/**
 * Ask what a command would do, or which rule forbids it.
 * @param {Command} command
 */
export async function why(command) {
  const of = /** @type {Place} */ (place.value);
  return await call("post", "/v1/games/{game}/dry-runs", { path: { game: of.game }, token: of.token, body: command });
}

/** Note that the owner of the place has looked at what is on screen. */
export function noteSeen() {
  if (place.value && view.value) note(place.value, { seen: view.value.version });
}
