// What this browser keeps, in `localStorage`: places at tables, invites of games opened here, requests without an answer; and each tab its drafts.
import { signal, useState } from "./vendor/preact.js";

/**
 * @typedef {object} Place A role in a game, and the token that proves it.
 * @property {string} game
 * @property {string} role `host`, `seat:1`, `referee`, `co-referee`, `spectator`
 * @property {string} [id] the public name of its token, if it is known: `seat-1`
 * @property {string} token
 * @property {string} [name] what the player is called
 * @property {number} [sandbox] of a sandbox that was made here: the commit from which it is one
 * @property {number} [seen] the commit up to which its owner has looked
 * @property {number} [back] the latest rewind of which its owner has taken note
 *
 * @typedef {object} Kept A request of which nobody knows whether it was done.
 * @property {string} key its idempotency key
 * @property {unknown} body
 * @property {number} [version] for `If-Match`
 *
 * @typedef {Record<string, string>} Invites by place: `seat-1`, `referee`, `co-referee`, `spectator-1`
 */

const PREFIX = "omenlog:";
const PLACES = `${PREFIX}places`;
const INVITES = `${PREFIX}invites:`;
const REQUESTS = `${PREFIX}request:`;
const SECRETS = `${PREFIX}link:`;
const CHOSEN = `${PREFIX}chosen:`;

/**
 * All places that this browser has, those kept last at the end. Other tabs' changes come in by themselves.
 * @type {import("./vendor/preact.js").Signal<readonly Place[]>}
 */
export const places = signal(storedPlaces());

addEventListener("storage", (event) => {
  if (event.key === PLACES || event.key === null) places.value = storedPlaces();
});

/**
 * @template T
 * @param {string} name
 * @returns {T | null}
 */
function stored(name) {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "null");
  } catch {
    return null; // a browser that forbids storage, or somebody wrote into ours
  }
}

/** @returns {readonly Place[]} */
function storedPlaces() {
  const found = stored(PLACES);
  return Array.isArray(found) ? found.filter((one) => one?.game && one.role && one.token) : [];
}

function canStore() {
  try {
    return Boolean(localStorage);
  } catch {
    return false;
  }
}

/**
 * @param {string} name
 * @param {unknown} value null removes it
 */
function store(name, value) {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // Full or forbidden: the page works until it is closed.
  }
}

/** @param {(before: readonly Place[]) => readonly Place[]} change */
function change(change) {
  places.value = change(canStore() ? storedPlaces() : places.value);
  store(PLACES, places.value);
}

/**
 * Keep a place, with what is known of one with the same role, and choose it in this tab.
 * @param {Place} place
 */
export function keep(place) {
  change((before) => [
    ...before.filter((one) => !isSame(one, place)),
    { ...before.find((one) => isSame(one, place)), ...place },
  ]);
  choose(place);
}

/**
 * Note something about a place that is kept.
 * @param {Place} place
 * @param {Partial<Place>} facts
 */
export function note(place, facts) {
  change((before) => before.map((one) => (isSame(one, place) ? { ...one, ...facts } : one)));
}

/** @param {Place} place */
export function forget(place) {
  change((before) => before.filter((one) => !isSame(one, place)));
}

/**
 * @param {Place} one
 * @param {Place} other
 */
function isSame(one, other) {
  return one.game === other.game && one.role === other.role;
}

/**
 * The number of a seat: of `seat:1`, or of `seat-1`; -1 for other roles.
 * @param {string} role
 */
export function seatOf(role) {
  return Number(/^seat[:-](\d)$/.exec(role)?.[1] ?? -1);
}

/**
 * The role for which a game waits; empty for a hidden traitor, whose seat nobody is told.
 * @param {{seat: number | null, unnamed?: boolean}} awaited
 */
export function awaitedRole({ seat, unnamed }) {
  return unnamed ? "" : seat === null ? "referee" : `seat:${seat}`;
}

/**
 * The places in a game: several on a hotseat's one screen, or for a host who plays.
 * @param {string} game
 */
export function placesIn(game) {
  return places.value.filter((one) => one.game === game);
}

/**
 * The seats that share this screen, or the one that plays here.
 * @param {string} game
 */
export function seatsIn(game) {
  const seats = placesIn(game).filter((one) => one.role.startsWith("seat:"));
  return seats.toSorted((one, other) => (one.role < other.role ? -1 : 1));
}

/**
 * A place as it is kept now.
 * @param {Place | null} place
 */
export function reread(place) {
  return place ? places.value.find((one) => isSame(one, place)) : undefined;
}

/**
 * The place of this tab in a game: the one chosen last, else one that plays.
 * @param {string} game
 * @returns {Place | undefined}
 */
export function chosen(game) {
  const mine = placesIn(game);
  let role = choices.value[game] ?? "";
  try {
    role ||= sessionStorage.getItem(CHOSEN + game) ?? "";
  } catch {
    // The browser forbids storage.
  }
  return mine.find((one) => one.role === role) ?? mine.findLast((one) => one.role !== "host") ?? mine[0];
}

/** Roles by game, as chosen since this page was loaded. */
const choices = signal(/** @type {Record<string, string>} */ ({}));

/**
 * Choose a place for this tab; another tab may have chosen another one.
 * @param {Place} place
 */
export function choose(place) {
  choices.value = { ...choices.value, [place.game]: place.role };
  try {
    sessionStorage.setItem(CHOSEN + place.game, place.role);
  } catch {
    // The browser forbids storage.
  }
}

/**
 * The invites of a game that was opened here and that nobody has claimed yet, as far as known. The service shows them once.
 * @param {string} game
 * @returns {Invites}
 */
export function invitesOf(game) {
  return stored(INVITES + game) ?? {};
}

/**
 * What this browser calls an invite: `seat-1`, `spectator-1`.
 * @param {{id: string}} invite
 */
export const inviteName = ({ id }) => id.slice("invite-".length);

/**
 * @param {string} game
 * @param {Invites} invites
 */
export function keepInvites(game, invites) {
  store(INVITES + game, { ...invitesOf(game), ...invites });
}

/**
 * @param {string} game
 * @param {string} place all of its invites; with `#` and what follows one of them
 */
export function dropInvite(game, place) {
  const others = Object.entries(invitesOf(game)).filter(([name]) => name !== place && !name.startsWith(`${place}#`));
  store(INVITES + game, others.length > 0 ? Object.fromEntries(others) : null);
}

/**
 * A request that is about to be sent, so that it can be sent again under its key, even by the page that is loaded next.
 * @param {string} name what it does, for whom: `open`, `GAME/seat:1`
 * @param {Kept} request
 */
export function keepRequest(name, request) {
  store(`${REQUESTS}${name}/${request.key}`, request);
}

/**
 * The requests of this name that were not answered.
 * @param {string} name
 */
export function requestsKept(name) {
  const prefix = `${REQUESTS}${name}/`;
  /** @type {Kept[]} */
  const found = [];
  try {
    for (let index = 0; index < localStorage.length; index++) {
      const key = localStorage.key(index) ?? "";
      const request = key.startsWith(prefix) && stored(key);
      if (request) found.push(/** @type {Kept} */ (request));
    }
  } catch {
    // The browser forbids storage.
  }
  return found;
}

/**
 * @param {string} name
 * @param {string} key
 */
export function dropRequest(name, key) {
  store(`${REQUESTS}${name}/${key}`, null);
}

/**
 * The secret that came with an address, until it is used.
 * @param {string} where the address without it
 * @param {string} secret
 */
export function keepSecret(where, secret) {
  store(SECRETS + where, secret);
}

/** @param {string} where */
export function secretOf(where) {
  return stored(SECRETS + where) ?? "";
}

/** @param {string} where */
export function dropSecret(where) {
  store(SECRETS + where, null);
}

/**
 * What somebody has chosen for this browser.
 * @param {string} name
 * @returns {string}
 */
export function setting(name) {
  return stored(`${PREFIX}setting:${name}`) ?? "";
}

/**
 * @param {string} name
 * @param {string} value
 */
export function keepSetting(name, value) {
  store(`${PREFIX}setting:${name}`, value);
}

/** @type {Record<string, string>} */
let drafts = {};
try {
  drafts = /** @type {any} */ (sessionStorage);
} catch {} // a browser that forbids storage keeps them until a reload

/**
 * What is being written, kept by this tab for the game, the role and what it is about: a reload loses nothing, and no other role is shown it.
 * @template T
 * @param {{game: string, role: string}} of
 * @param {string} about
 * @param {T} blank
 * @returns {[T, (now?: T) => void]} what was written, or `blank`; keeps something else, or forgets it, as the next drawing shows
 */
export function useDraft({ game, role }, about, blank) {
  const key = `${game} ${role} ${about}`;
  const [, redraw] = useState({});
  const kept = drafts[key];
  const keep = (/** @type {T | undefined} */ now) => {
    if (now) drafts[key] = JSON.stringify(now);
    else delete drafts[key];
    if (now !== undefined) redraw({});
  };
  return [kept ? JSON.parse(kept) : blank, keep];
}
