// What was, through the eyes of a role: views and steps of moments, kept while they may be looked at again.
//
//     const answer = await past(140, "seat:2");    an Answer: `answer.data` is the view, or `answer.problem` says why there is none
//     known(140, "seat:2")                         the same view at once, if it is there; else undefined
//     ahead([141, 142, 143], "seat:2")             fetches what will be looked at next, one after the other, until the next call of `ahead`
//     const answer = await stepsTo(140, "seat:2"); an Answer: the latest 51 to 100 steps up to the moment, without gaps and none later
//     h(PastHouse, {seen, at: 140, as: "seat:2"})  the house at the moment; nothing in it can be chosen, and nothing glides
//
// A role is empty for one's own. `Strip`, `Steps`, `RuleDialog`, `People` and `Book` (both with `isPast`) show what they are given, too.
import { call } from "./api.js";
import { House } from "./board/house.js";
import { spotsOf } from "./board/spots.js";
import { place, view, want } from "./game.js";
import { roleName } from "./parts/names.js";
import { effect, h } from "./vendor/preact.js";
import { REPLAY } from "./words.js";

/** @typedef {import("./api.js").View} View */
/** @typedef {import("./api.js").TraceStep} Step */
/**
 * @template T
 * @typedef {import("./api.js").Answer<T>} Answer
 */
/**
 * @template T
 * @typedef {{told: Promise<Answer<T>>, data?: T}} Kept
 */

/** Views that are kept, those looked at last. */
const VIEWS = 64;
/** Stretches of steps that are kept. */
const STRETCHES = 24;
const STRETCH = 50;

/** @type {Map<string, Kept<View>>} */
const views = new Map();
/** @type {Map<string, Kept<Step[]>>} */
const stretches = new Map();
let off = new AbortController();
let latest = 0;

// Another place, or an older log that was put back: nothing of this holds.
effect(() => {
  if (want.value > 0) return;
  off.abort();
  off = new AbortController();
  latest += 1;
  views.clear();
  stretches.clear();
});

/**
 * What is kept under a key, or is fetched now. What could not be fetched is not kept.
 * @template T
 * @param {Map<string, Kept<T>>} kept
 * @param {number} most
 * @param {string} key
 * @param {() => Promise<Answer<T>>} fetch
 */
function fetchOnce(kept, most, key, fetch) {
  const found = kept.get(key) ?? { told: fetch() };
  if (!kept.delete(key))
    void found.told.then((answer) => {
      if (answer.ok) found.data = answer.data;
      else if (kept.get(key) === found) kept.delete(key);
    });
  kept.set(key, found);
  for (const old of kept.keys()) if (kept.size > most) kept.delete(old);
  return found.told;
}

function ofPlace() {
  const { game, token } = /** @type {import("./places.js").Place} */ (place.peek());
  return { path: { game }, token, signal: off.signal };
}

/**
 * @param {number} at
 * @param {string} as
 */
export function past(at, as) {
  return fetchOnce(views, VIEWS, `${as}@${at}`, () =>
    call("get", "/v1/games/{game}/view", { ...ofPlace(), query: { at, as } }),
  );
}

/**
 * @param {number} at
 * @param {string} as
 */
export const known = (at, as) => views.get(`${as}@${at}`)?.data;

/**
 * @param {readonly number[]} moments the next one first
 * @param {string} as
 */
export async function ahead(moments, as) {
  const own = ++latest;
  for (const at of moments) {
    if (own !== latest || !place.peek()) return;
    if (at >= 1 && at <= want.peek()) await past(at, as);
  }
}

/**
 * @param {number} at
 * @param {string} as
 * @returns {Promise<Answer<Step[]>>}
 */
export async function stepsTo(at, as) {
  const number = Math.floor((at - 1) / STRETCH);
  const both = await Promise.all([number > 0 ? readStretch(number - 1, at, as) : null, readStretch(number, at, as)]);
  const [before, last] = both;
  if (!last.ok) return last;
  if (before && !before.ok) return before;
  return { ...last, data: [...(before?.data ?? []), ...last.data].filter((step) => step.number <= at) };
}

/**
 * Fifty steps, or as many as there are. The last one grows while the game goes on.
 * @param {number} number
 * @param {number} at
 * @param {string} as
 */
function readStretch(number, at, as) {
  const from = number * STRETCH + 1;
  const to = Math.min(from + STRETCH - 1, Math.max(at, want.peek()));
  const query = { from, to, as, legal: false, names: true, limit: STRETCH };
  return fetchOnce(stretches, STRETCHES, `${as}@${from}-${to}`, async () => {
    const answer = await call("get", "/v1/games/{game}/trace", { ...ofPlace(), query });
    return answer.ok ? { ...answer, data: answer.data.steps } : answer;
  });
}

/**
 * Chooses through whose eyes the past is seen, where the token may look through others'.
 * @param {{seen: View, as: string, look: (as: string) => void}} props
 */
export function Eyes({ seen, as, look }) {
  const others = view.value?.looks_as ?? [];
  if (others.length === 0) return null;
  return h(
    "select",
    { "aria-label": REPLAY.eyes, value: as, onChange: (/** @type {any} */ event) => look(event.currentTarget.value) },
    ["", ...others].map((one) => h("option", { key: one, value: one }, one ? roleName(seen, one) : REPLAY.own)),
  );
}

const NOWHERE = spotsOf([]);
const nothing = () => {};

/** @param {{seen: View, at: number, as: string}} props */
export function PastHouse({ seen, at, as }) {
  return h(House, { view: seen, spots: NOWHERE, moment: { at, as }, onAct: nothing });
}
