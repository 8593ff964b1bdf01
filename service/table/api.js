// Calls of the service, by the contract's own paths. Types in, types out; what goes wrong is an answer, never an exception.
import { signal } from "./vendor/preact.js";
import { FRAME } from "./words.js";

/** @typedef {import("contract").components["schemas"]} Schemas */
/** @typedef {import("contract").components["schemas"]["GameView"]} View */
/** @typedef {import("contract").components["schemas"]["DecisionsShown"]} Decisions */
/** @typedef {import("contract").components["schemas"]["OpenDecision"]} OpenDecision */
/** @typedef {import("contract").components["schemas"]["Listed"]} Listed */
/** @typedef {import("contract").components["schemas"]["Family"]} Family */
/** @typedef {import("contract").components["schemas"]["Command"]} Command */
/** @typedef {import("contract").components["schemas"]["GameDetails"]} Game */
/** @typedef {import("contract").components["schemas"]["TraceStep"]} TraceStep */
/** @typedef {import("contract").components["schemas"]["CommitEvent"]} Commit */
/** @typedef {import("contract").components["schemas"]["DryRun"]} DryRun */
/** @typedef {import("contract").components["schemas"]["Problem"]} Problem */

/** @typedef {import("contract").paths} Paths */
/** @typedef {"get" | "post" | "put" | "delete"} Method */
/**
 * @template {keyof Paths} P
 * @template {Method} M
 * @typedef {NonNullable<Paths[P][M]>} Operation
 */
/**
 * @template O
 * @typedef {O extends {requestBody?: {content: {"application/json": infer T}}} ? T : unknown} Body
 */
/**
 * What a call takes: `path` and `query` as the contract names them, `token`, the version that it is meant for, an idempotency key, and a
 * signal that calls it off.
 * @template O
 * @typedef {O extends {parameters: infer T} ? Sent & Omit<T, "header" | "cookie"> & {body?: Body<O>} : never} Asked
 */
/**
 * @typedef {object} Sent
 * @property {string} [token]
 * @property {number} [ifMatch]
 * @property {string} [key]
 * @property {string} [accept] a media type other than JSON
 * @property {AbortSignal} [signal]
 * @property {boolean} [once] whether not to send it again if no answer comes
 */
/**
 * @template O
 * @typedef {O extends {responses: infer R} ? Content<R[keyof R & (200 | 201 | 202)]> : never} Told
 */
/**
 * @template R
 * @typedef {R extends {content: {"application/json": infer T}} ? T : R extends {content: infer C} ? C[keyof C] : undefined} Content
 */
/**
 * @template T
 * @typedef {Good<T> | Bad} Answer
 */
/**
 * @template T
 * @typedef {object} Good
 * @property {true} ok
 * @property {number} status
 * @property {T} data
 * @property {number} version of the game, as the entity tag tells it; 0 where there is none
 * @property {undefined} [problem]
 */
/**
 * @typedef {object} Bad
 * @property {false} ok
 * @property {number} status 0 if there was no answer
 * @property {undefined} [data]
 * @property {number} version
 * @property {Problem} problem
 */

/**
 * Set while a call waits because the service said so (429, 503) or does not answer.
 * @type {import("./vendor/preact.js").Signal<{until: number, problem: Problem} | null>}
 */
export const waiting = signal(/** @type {{until: number, problem: Problem} | null} */ (null));

/** Milliseconds between attempts of a call that gets no answer; the last for all others. */
const PAUSES = [250, 500, 1000, 1500];
/** Seconds that an answer may take before its call is sent again, as many more each time, and at most: a connection may die without a word. */
const ANSWERING = 10;
const MOST_ANSWERING = 60;
/** Seconds that a call waits as told; told more, it gives up and says so. */
const PATIENCE = 60;

/**
 * @typedef {<P extends keyof Paths, M extends Method>(method: M, path: P, asked: Asked<Operation<P, M>>) =>
 *   Promise<Answer<Told<Operation<P, M>>>>} Call
 */

/**
 * Call the service: `call("get", "/v1/games/{game}/view", {path: {game}, token})`. Without an answer it is sent again, under the same key,
 * until there is one or `signal` calls it off; only a POST without a key is sent once, unless it is one of those that change nothing.
 */
export const call = /** @type {Call} */ (/** @type {unknown} */ (callPlainly));

/**
 * @param {Method} method
 * @param {string} path
 * @param {Sent & {body?: unknown, query?: object, path?: object}} asked
 * @returns {Promise<Answer<any>>}
 */
async function callPlainly(method, path, { token, ifMatch, key, accept, signal: off, once, body, query, path: names }) {
  /** @type {Record<string, string>} */
  const headers = { Accept: accept ?? "application/json" };
  if (token) headers.Authorization = `Bearer ${token}`;
  if (ifMatch) headers["If-Match"] = `"${ifMatch}"`;
  if (key) headers["Idempotency-Key"] = key;
  /** @type {RequestInit} */
  const request = { method: method.toUpperCase(), headers, cache: "no-store", credentials: "omit" };
  if (body instanceof Blob) {
    headers["Content-Type"] = body.type;
    request.body = body;
  } else if (body !== undefined) {
    headers["Content-Type"] = "application/json";
    request.body = JSON.stringify(body);
  }
  const again = !once && (method !== "post" || key !== undefined || HARMLESS.test(path));
  const isBounded = again && !(body instanceof Blob); // a file may take minutes
  for (let attempt = 0; ; attempt++) {
    const late = new AbortController();
    const timer = setTimeout(
      () => isBounded && late.abort(),
      1000 * Math.min(ANSWERING * (attempt + 1), MOST_ANSWERING),
    );
    request.signal = off ? AbortSignal.any([off, late.signal]) : late.signal;
    const answer = await sendOnce(url(path, names ?? {}, query ?? {}), request);
    clearTimeout(timer);
    const pause = off?.aborted ? null : patience(answer, again, attempt);
    if (pause === null) return answer;
    const told = { until: Date.now() + pause, problem: /** @type {Bad} */ (answer).problem };
    waiting.value = told;
    await sleep(pause, off);
    if (waiting.value === told) waiting.value = null;
    if (off?.aborted) return answer;
  }
}

/** POSTs that change nothing, or the same if they come twice. */
const HARMLESS = /\/(tickets|dry-runs|odds|verifications)$/;

/**
 * Milliseconds until a call is sent again; null if its answer stands.
 * @param {Answer<unknown>} answer
 * @param {boolean} again
 * @param {number} attempt
 */
function patience(answer, again, attempt) {
  if (answer.ok) return null;
  if (answer.status === 429 || answer.status === 503) {
    const seconds = answer.problem.retry_after ?? 1;
    return seconds <= PATIENCE ? 1000 * Math.max(seconds, 0.25) : null;
  }
  const silent =
    answer.status === 0 || ((answer.status === 502 || answer.status === 504) && answer.problem.code === UNREADABLE);
  return silent && again ? (PAUSES[Math.min(attempt, PAUSES.length - 1)] ?? null) : null;
}

/**
 * @param {string} path
 * @param {object} names
 * @param {object} query
 */
function url(path, names, query) {
  const filled = path.replace(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(/** @type {Record<string, string>} */ (names)[name] ?? ""),
  );
  const said = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== "");
  return said.length > 0
    ? `${filled}?${new URLSearchParams(said.map(([name, value]) => [name, String(value)]))}`
    : filled;
}

/** The code of an answer that is none of the service's: there is no answer, or a proxy's. */
export const UNREADABLE = "no-answer";

/**
 * @param {string} where
 * @param {RequestInit} request
 * @returns {Promise<Answer<any>>}
 */
async function sendOnce(where, request) {
  try {
    const answer = await fetch(where, request);
    const version = Number(/^"(\d+)/.exec(answer.headers.get("ETag") ?? "")?.[1] ?? 0);
    const isJson = /[/+]json\b/.test(answer.headers.get("Content-Type") ?? "");
    if (answer.ok) {
      const data = answer.status === 204 ? undefined : isJson ? await answer.json() : await answer.text();
      return { ok: true, status: answer.status, data, version };
    }
    const problem = isJson ? await answer.json() : unreadable(answer.status);
    return { ok: false, status: answer.status, version, problem };
  } catch {
    return { ok: false, status: 0, version: 0, problem: unreadable(0) };
  }
}

/**
 * @param {number} status
 * @returns {Problem}
 */
function unreadable(status) {
  return /** @type {Problem} */ ({
    type: "about:blank",
    title: "",
    status,
    detail: FRAME.unanswered,
    code: UNREADABLE,
  });
}

/**
 * @param {number} milliseconds
 * @param {AbortSignal} [off] ends it early; so does coming back online
 * @returns {Promise<void>}
 */
export function sleep(milliseconds, off) {
  return new Promise((done) => {
    const ended = new AbortController();
    const end = () => {
      clearTimeout(timer);
      ended.abort();
      done();
    };
    const timer = setTimeout(end, milliseconds);
    addEventListener("online", end, { signal: ended.signal });
    off?.addEventListener("abort", end, { signal: ended.signal });
    if (off?.aborted) end();
  });
}

/**
 * Whether a request is done with: the service has done or refused it, and nobody has to send it again.
 * @param {{status: number}} answer
 */
export const isSettled = ({ status }) => status > 0 && status < 500;

/** A random idempotency key. `crypto.randomUUID` needs https, which a living room does not have. */
export function randomKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
