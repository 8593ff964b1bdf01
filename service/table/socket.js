// One WebSocket for a place: what happens comes by it. Commands go by POST.
import { call, sleep } from "./api.js";

/**
 * @typedef {{type: "hello", game: string, role: string, cursor: number, heartbeat: number}} Hello
 * @typedef {{type: "event", cursor: number, event: import("./api.js").Commit}} EventFrame
 * @typedef {{type: "heartbeat", cursor: number}} Heartbeat
 * @typedef {{type: "end", reason: string, cursor: number}} End
 * @typedef {{type: "presence", roles: string[], spectators: number}} PresenceFrame
 * @typedef {Hello | EventFrame | PresenceFrame | Heartbeat | End} Frame and others, which may come in later versions of the service
 *
 * @typedef {object} Told What a socket tells.
 * @property {(frame: Frame) => void} frame each frame as it comes
 * @property {(link: "live" | "lost" | "over") => void} link
 * @property {(problem: import("./api.js").Problem) => void} refused the token does not hold, or there is no such game: the socket gave up
 */

/** Milliseconds between attempts to connect, a fifth of them left to chance; the last for all others. */
const RECONNECT_AFTER = [100, 300, 700, 1500, 2000];
/** Seconds that the first frame may take. */
const OPENING = 8;

/**
 * Be told of a game from a commit on, until `close`. Whatever breaks the connection, the next one goes on at the cursor.
 * @param {{game: string, token: string}} place
 * @param {Promise<number>} after the latest commit that is known; by the time it is, the ticket may be there
 * @param {Told} told
 * @returns {{close: () => void}}
 */
export function connect(place, after, told) {
  const off = new AbortController();
  void keepConnected(place, after, told, off.signal);
  return { close: () => off.abort() };
}

/**
 * @param {{game: string, token: string}} place
 * @param {Promise<number>} after
 * @param {Told} told
 * @param {AbortSignal} off
 */
async function keepConnected({ game, token }, after, told, off) {
  /** @type {number | null} */
  let cursor = null;
  for (let attempt = 0; !off.aborted; attempt++) {
    const ticket = await call("post", "/v1/games/{game}/tickets", { path: { game }, token, signal: off });
    if (off.aborted) return;
    if (!ticket.ok) {
      if (ticket.status < 500) {
        told.refused(ticket.problem);
        return;
      }
    } else {
      cursor ??= await after;
      const ended = await openSocket(game, ticket.data.ticket, cursor, off, (frame) => {
        if (frame.type === "hello") {
          attempt = 0;
          told.link("live");
        }
        if (frame.type === "event") cursor = frame.cursor;
        told.frame(frame);
      });
      if (off.aborted) return;
      if (ended === "game-over") {
        told.link("over");
        return;
      }
      if (ended === "ahead-of-log") cursor = 0;
    }
    told.link("lost");
    const pause = RECONNECT_AFTER[Math.min(attempt, RECONNECT_AFTER.length - 1)] ?? 0;
    await sleep(pause * (0.8 + 0.4 * Math.random()), off);
  }
}

/**
 * Listen to one connection until it ends, or nothing came for two heartbeats.
 * @param {string} game
 * @param {string} ticket
 * @param {number} cursor
 * @param {AbortSignal} off
 * @param {(frame: Frame) => void} heard
 * @returns {Promise<string>} the reason that the service gave, or nothing
 */
function openSocket(game, ticket, cursor, off, heard) {
  const place = `${location.origin.replace(/^http/, "ws")}/v1/games/${game}/socket`;
  const socket = new WebSocket(`${place}?${new URLSearchParams({ after: String(cursor), ticket })}`);
  return new Promise((resolve) => {
    const ended = new AbortController();
    let reason = "";
    let silence = OPENING;
    let latest = Date.now();
    const end = () => {
      clearInterval(watchdog);
      ended.abort();
      socket.close();
      resolve(reason);
    };
    const check = () => {
      if (Date.now() - latest > 1000 * silence) end();
    };
    const watchdog = setInterval(check, 250);
    const { signal } = ended;
    // Timers stand still in a phone's pocket.
    document.addEventListener("visibilitychange", check, { signal });
    addEventListener("offline", end, { signal });
    off.addEventListener("abort", end, { signal });
    socket.addEventListener("close", end, { signal });
    socket.addEventListener(
      "message",
      (message) => {
        latest = Date.now();
        /** @type {Frame} */
        const frame = JSON.parse(message.data);
        if (frame.type === "hello") silence = 2 * frame.heartbeat;
        if (frame.type === "end") reason = frame.reason;
        heard(frame);
      },
      { signal },
    );
    if (off.aborted) end();
  });
}
