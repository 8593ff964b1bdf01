// Addresses of the page: what stands behind "#". A secret that comes in an address leaves it at once.

import { chosen, keepSecret, secretOf } from "./places.js";
import { signal } from "./vendor/preact.js";

/**
 * @typedef {{part: "lobby"}} LobbyAddress
 * @typedef {{part: "table" | "desk", game: string}} TableAddress
 * @typedef {{part: "join", game: string, place: string, invite: string}} JoinAddress `place`: `seat-1`, `referee`, `co-referee`, `spectator`
 * @typedef {{part: "as", game: string, token: string}} AsAddress
 * @typedef {{part: "replay", game: string, at: number, as: string}} ReplayAddress `as`: a role (`seat:2`), or empty for one's own
 * @typedef {{part: "unknown", text: string}} UnknownAddress
 * @typedef {LobbyAddress | TableAddress | JoinAddress | AsAddress | ReplayAddress | UnknownAddress} Address
 */

const GAME = /^[a-z2-7]{20}$/;
const SECRET = /^[A-Za-z0-9_-]{8,80}$/;
const PLACE = /^(seat-[0-5]|referee|co-referee|spectator)$/;
const ROLE = /^(seat:[0-5]|referee|spectator)$/;
const NUMBER = /^(0|[1-9][0-9]{0,8})$/;

/**
 * What a fragment asks for.
 * @param {string} hash as `location.hash` has it
 * @returns {Address}
 */
export function read(hash) {
  const text = hash.replace(/^#\/?/, "");
  if (text === "") return { part: "lobby" };
  const [g, game = "", what, first = "", second = "", ...more] = text.split("/");
  const unknown = /** @type {Address} */ ({ part: "unknown", text: hash.replace(/omen(_|%5f)[\w%-]*/gi, "") });
  if (g !== "g" || !GAME.test(game) || more.length > 0) return unknown;
  if (what === undefined || (what === "desk" && first === "")) return { part: what ?? "table", game };
  if (what === "as" && second === "" && isSecret(first)) return { part: "as", game, token: first };
  const place = first.replace(/^(?=[0-5]$)/, "seat-"); // terminals wrote numbers alone once
  if (what === "join" && PLACE.test(place) && isSecret(second)) return { part: "join", game, place, invite: second };
  if (what === "at" && NUMBER.test(first) && (second === "" || ROLE.test(second)))
    return { part: "replay", game, at: Number(first), as: second };
  return unknown;
}

/** @param {string} text */
function isSecret(text) {
  return text === "" || SECRET.test(text);
}

/**
 * The fragment of an address: `#/g/GAME/at/140`.
 * @param {Address} address
 */
export function write(address) {
  switch (address.part) {
    case "lobby":
      return "#/";
    case "table":
      return `#/g/${address.game}`;
    case "desk":
      return `#/g/${address.game}/desk`;
    case "join":
      return `#/g/${address.game}/join/${address.place}${address.invite && `/${address.invite}`}`;
    case "as":
      return `#/g/${address.game}/as${address.token && `/${address.token}`}`;
    case "replay":
      return `#/g/${address.game}/at/${address.at}${address.as && `/${address.as}`}`;
    default:
      return address.text;
  }
}

/**
 * The whole address, to be copied or shown as a QR code.
 * @param {Address} address
 */
export function linkTo(address) {
  return `${location.origin}${location.pathname}${write(address)}`;
}

/**
 * The address of the page as it is now, with the secret that came with it.
 * @type {import("./vendor/preact.js").Signal<Address>}
 */
export const address = signal(/** @type {Address} */ ({ part: "lobby" }));

/**
 * Go somewhere.
 * @param {Address} to
 * @param {{replace?: boolean}} [how] whether *back* leads to where the page was before this
 */
export function go(to, { replace = false } = {}) {
  const { address: shown, secret } = split(to);
  if (secret) keepSecret(write(shown), secret);
  if (replace) history.replaceState(null, "", write(shown));
  else history.pushState(null, "", write(shown));
  address.value = join(shown, secret);
}

/** Follow what the browser's address says, from now on. */
export function watch() {
  addEventListener("popstate", take); // every change of the fragment, by link, hand or *back*
  take();
}

function take() {
  const { address: shown, secret } = split(read(location.hash));
  if (secret) keepSecret(write(shown), secret);
  const to = join(shown, secret || secretOf(write(shown)));
  if (secret || shown.part === "unknown") history.replaceState(null, "", write(shown));
  // Whoever loads the page anew while a secret is being used comes without it, and has what it was good for.
  if (((to.part === "as" && !to.token) || (to.part === "join" && !to.invite)) && chosen(to.game))
    go({ part: "table", game: to.game }, { replace: true });
  else address.value = to;
}

/**
 * An address without its secret, and the secret.
 * @param {Address} from
 * @returns {{address: Address, secret: string}}
 */
function split(from) {
  if (from.part === "join") return { address: { ...from, invite: "" }, secret: from.invite };
  if (from.part === "as") return { address: { ...from, token: "" }, secret: from.token };
  return { address: from, secret: "" };
}

/**
 * @param {Address} to
 * @param {string} secret
 * @returns {Address}
 */
function join(to, secret) {
  if (to.part === "join") return { ...to, invite: secret };
  if (to.part === "as") return { ...to, token: secret };
  return to;
}
