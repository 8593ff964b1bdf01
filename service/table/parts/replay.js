// Any moment of a game, through the eyes of any role that the token may look as: the board, the log and the book as they were then.
import { address, go, linkTo } from "../address.js";
import { call, sleep } from "../api.js";
import { Tabs } from "../frame.js";
import { moment, place, view, want } from "../game.js";
import { ahead, Eyes, known, PastHouse, past, stepsTo } from "../past.js";
import { batch, h, signal, useEffect, useState } from "../vendor/preact.js";
import { FRAME, REPLAY, TABLE } from "../words.js";
import { Book } from "./book.js";
import { Share } from "./lobby-pieces.js";
import { Steps } from "./log.js";
import { Refusal, RuleDialog, roleName } from "./names.js";
import { People, Strip } from "./people.js";
import { Timeline, useMarks } from "./timeline.js";

/** @typedef {import("../api.js").View} View */
/** @typedef {import("../api.js").Problem} Problem */
/** @typedef {import("contract").components["schemas"]["GameDiff"]} Diff */
/** @typedef {import("contract").components["schemas"]["Verification"]} Verification */
/** @typedef {{at: number, as: string}} Moment */
/** @typedef {Moment & {seen: View}} Shown */

/** Milliseconds after which the address says where one has come to rest: browsers count how often it changes. */
const RESTED = 300;
/** Milliseconds after which the log follows whoever jumps about: it takes longer to make than a board. */
const READ = 60;
/** Views that are fetched ahead, in the direction of travel. */
const AHEAD = 8;

/** Where somebody wants to be. */
const wanted = signal(/** @type {Moment} */ ({ at: 0, as: "" }));
const shown = signal(/** @type {Shown | null} */ (null));
const pastSteps = signal(/** @type {readonly import("../api.js").TraceStep[]} */ ([]));
const wrong = signal(/** @type {import("../vendor/preact.js").ComponentChildren} */ (null));
let isOnWay = false;
let resting = 0;
/** The address that was last written here: whoever has gone on meanwhile is not sent back to it. */
let written = /** @type {unknown} */ (null);
let reading = 0;

/**
 * @param {number} at
 * @param {string} [as]
 */
function travel(at, as = wanted.peek().as) {
  const way = at - wanted.peek().at;
  const next = Array.from({ length: AHEAD }, (_, index) => at + way * (index + 1));
  batch(() => {
    wanted.value = { at, as };
    wrong.value = null;
  });
  rest();
  void ahead([], as);
  void arrive().then(() => ahead(Math.abs(way) === 1 ? next : [at + 1, at - 1, at + 2, at - 2], as));
}

/** Let the address say where one is, as soon as one stays there. */
function rest() {
  clearTimeout(resting);
  resting = setTimeout(() => {
    const now = address.peek();
    const to = wanted.peek();
    if (now.part !== "replay" || (now.at === to.at && now.as === to.as)) return;
    go({ ...now, ...to }, { replace: true });
    written = address.peek();
  }, RESTED);
}

/** Fetch what is wanted until it is on screen; what was wanted meanwhile is passed over. */
async function arrive() {
  if (isOnWay) return;
  isOnWay = true;
  /** @type {Moment} */
  let to;
  do {
    to = wanted.peek();
    const kept = known(to.at, to.as);
    const answer = kept ? { data: kept, problem: null } : await past(to.at, to.as);
    if (!place.peek() || address.peek().part !== "replay") break; // they are elsewhere by now
    if (answer.data) showMoment({ ...to, seen: answer.data });
    else if (answer.problem && to === wanted.peek()) refuse(to, answer.problem);
  } while (to !== wanted.peek());
  isOnWay = false;
}

/** @param {Shown} to */
function showMoment(to) {
  const before = shown.peek();
  batch(() => {
    if (before?.as !== to.as) pastSteps.value = [];
    shown.value = to;
    moment.value = to;
  });
  clearTimeout(reading);
  const read = async () => {
    const answer = await stepsTo(to.at, to.as);
    if (answer.ok && shown.peek() === to) pastSteps.value = answer.data;
  };
  if (before && Math.abs(before.at - to.at) > 1) reading = setTimeout(read, READ);
  else void read();
}

/**
 * Somebody who may not look through these eyes looks through their own.
 * @param {Moment} to
 * @param {Problem} problem
 */
function refuse(to, problem) {
  if (problem.status === 403 && to.as) wanted.value = { ...to, as: "" };
  else if (shown.peek()) wanted.value = /** @type {Shown} */ (shown.peek());
  rest();
  wrong.value = h(Refusal, { problem });
}

/**
 * Go to a commit by its number, or say what is wrong with it.
 * @param {string} text
 * @param {string} [as]
 */
function travelTo(text, as = wanted.peek().as) {
  const last = want.peek();
  const at = numberOf(text);
  const eyes = view.peek()?.role.startsWith(as) ? "" : as;
  if (at >= 1 && at <= last) travel(at, eyes);
  else {
    if (shown.peek()) rest();
    else travel(at ? last : 1, eyes);
    wrong.value = REPLAY.noCommit(text, last);
  }
}

/** @param {string} text */
const numberOf = (text) => (/^\d{1,9}$/.test(text) ? Number(text) : 0);

/** @param {{address: import("../address.js").Address}} props */
export function Part({ address: to }) {
  const isThere = view.value !== null;
  useEffect(() => {
    if (!isThere || to.part !== "replay" || to === written) return;
    const { at, as } = wanted.peek();
    if (!shown.peek() || to.at !== at || to.as !== as) travelTo(String(to.at), to.as);
  }, [isThere, to]);
  // Whoever has another place, or another part of the page, takes nothing along.
  useEffect(
    () => () => {
      clearTimeout(resting);
      clearTimeout(reading);
      batch(() => {
        shown.value = wrong.value = null;
        pastSteps.value = [];
      });
    },
    [isThere],
  );
  const newest = want.value;
  const { at, as } = wanted.value;
  const marks = useMarks(as, newest);
  const now = shown.value;
  if (!now || !isThere)
    return h(
      "p",
      { class: "loading" },
      wrong.value ?? FRAME.loading,
      " ",
      wrong.value && h("a", { href: linkTo({ part: "table", game: place.value?.game ?? "" }) }, REPLAY.now),
    );
  const { seen } = now;
  /** @param {SubmitEvent & {currentTarget: HTMLFormElement}} event */
  const onType = (event) => {
    event.preventDefault();
    travelTo(String(new FormData(event.currentTarget).get("at")).trim());
  };
  return h(
    "div",
    { class: "table replay" },
    h(MomentHeader, { seen, says: REPLAY.at(now.at, newest) }),
    h("div", { class: "board" }, h(PastHouse, now)),
    h(
      Timeline,
      { at, newest, marks, you: seen.you, travel },
      h(
        "form",
        { onSubmit: onType },
        h("input", { name: "at", "aria-label": REPLAY.type, placeholder: REPLAY.commit, inputMode: "numeric" }),
        h("button", { type: "submit" }, REPLAY.go),
      ),
      h(Eyes, { seen, as, look: (as) => travel(at, as) }),
      h("span", { role: "alert", class: "wrong" }, wrong.value),
    ),
    h(Strip, { seen }),
    h(MomentTabs, { ...now, marks }),
    h(RuleDialog, { seen }),
  );
}

/** @param {{seen: View, says: string}} props */
function MomentHeader({ seen, says }) {
  const { turn, haunt, ending } = seen;
  const facts = [
    ending && says,
    turn.number > 0 && TABLE.turn(turn.number),
    haunt?.title || (TABLE.phases[seen.phase] ?? seen.phase),
    haunt && haunt.round > 0 && TABLE.round(haunt.round),
    roleName(seen, seen.role),
  ];
  return h(
    "header",
    { class: "head" },
    h(
      "div",
      { class: "says" },
      h("h1", null, ending?.summary ?? says),
      h(
        "p",
        { class: "facts" },
        facts.map((one) => one && h("span", { key: one }, one)),
      ),
    ),
    h(
      "div",
      { class: "tools" },
      h("a", { class: "button", href: linkTo({ part: "table", game: place.value?.game ?? "" }) }, REPLAY.now),
      h("a", { class: "button", href: linkTo({ part: "lobby" }) }, TABLE.home),
    ),
  );
}

const momentTab = signal("log");
const lead = (/** @type {number} */ at) => travel(at);

/** @param {Shown & {marks: readonly import("./timeline.js").Mark[]}} props */
function MomentTabs({ seen, at, as, marks }) {
  const now = momentTab.value;
  return h(
    "div",
    { class: "beside" },
    h(Tabs, { label: TABLE.panels, titles: REPLAY.tabs, tab: momentTab }),
    h(
      "div",
      { class: "panel", key: now },
      now === "log" && h(Steps, { told: pastSteps.value.filter((one) => one.number <= at), as, onMoment: lead }),
      now === "people" && h(People, { seen, isPast: true }),
      now === "book" && h(Book, { seen, as, isPast: true }),
      now === "changes" && h(Changes, { at, as, marks }),
      now === "file" && h(Files, { at, as }),
    ),
  );
}

/** @param {Moment & {marks: readonly import("./timeline.js").Mark[]}} props what has changed since an earlier moment, in words */
function Changes({ at, as, marks }) {
  const [typed, type] = useState("");
  const [told, setTold] = useState({ key: "", changes: /** @type {Diff["changes"]} */ ([]), problem: "" });
  const turn = marks.findLast((one) => one.kind === "turn" && one.at < at)?.at;
  const from = typed ? numberOf(typed) : (turn ?? Math.max(1, at - 1));
  const isGood = from >= 1 && from < at;
  const key = `${as}@${from}-${at}`;
  useEffect(() => {
    const of = place.value;
    if (!of || !isGood) return undefined;
    const off = new AbortController();
    const query = { from, to: at, as };
    const asked = { path: { game: of.game }, token: of.token, query, signal: off.signal };
    void call("get", "/v1/games/{game}/diff", asked).then((answer) => {
      if (off.signal.aborted) return;
      const { changes = [] } = /** @type {Partial<Diff>} */ (answer.data ?? {});
      setTold({ key, changes: changes.filter((one) => one.text), problem: answer.problem?.detail ?? "" });
    });
    return () => off.abort();
  }, [key, isGood]);
  const { changes, problem } = told.key === key ? told : { changes: null, problem: "" };
  return h(
    "div",
    { class: "scroll", tabIndex: 0, role: "region", "aria-label": REPLAY.tabs.changes },
    h(
      "label",
      null,
      REPLAY.since,
      h("input", {
        inputMode: "numeric",
        value: typed,
        placeholder: String(from),
        onInput: (/** @type {Event & {currentTarget: HTMLInputElement}} */ event) =>
          type(event.currentTarget.value.trim()),
      }),
    ),
    h("button", { type: "button", onClick: () => type(String(at)) }, REPLAY.keep(at)),
    h("p", { role: "alert", class: "wrong" }, isGood ? problem : REPLAY.notBefore(at)),
    isGood && h("h2", null, REPLAY.between(from, at)),
    isGood &&
      changes && [
        changes.length === 0 && !problem && h("p", null, REPLAY.same),
        h(
          "ul",
          null,
          changes.map((one) => h("li", { key: one.topic + one.id + one.kind }, one.text)),
        ),
      ],
  );
}

/** @param {Moment} props the link to the moment, the game's file, and its audit */
function Files({ at, as }) {
  const to = /** @type {const} */ ({ part: "replay", game: place.value?.game ?? "", at, as });
  return h(
    "div",
    { class: "scroll", tabIndex: 0, role: "region", "aria-label": REPLAY.tabs.file },
    h("h2", null, REPLAY.link),
    h(Share, { to, whom: REPLAY.at(at, want.value) }),
    h("p", { class: "small" }, REPLAY.linkHint),
    h("h2", null, REPLAY.file),
    h(Audit, { key: at }),
  );
}

function Audit() {
  const [told, setTold] = useState(/** @type {Verification | null} */ (null));
  const [problem, setProblem] = useState(/** @type {Problem | null} */ (null));
  const [off] = useState(() => new AbortController());
  useEffect(() => () => off.abort(), []);
  const { game: id = "", token = "" } = place.value ?? {};
  const asked = { path: { game: id }, token, signal: off.signal };
  const file = `${id}.ndjson`;
  const save = async () => {
    const answer = await call("get", "/v1/games/{game}/export", { ...asked, accept: "application/x-ndjson" });
    setProblem(answer.problem ?? null);
    if (!answer.ok) return;
    const href = URL.createObjectURL(new Blob([answer.data]));
    Object.assign(document.createElement("a"), { href, download: file }).click();
    setTimeout(() => URL.revokeObjectURL(href), 60_000);
  };
  const verify = async () => {
    let answer = await call("post", "/v1/games/{game}/verifications", asked);
    for (;;) {
      setProblem(answer.problem ?? null);
      setTold(answer.data ?? null);
      if (!answer.ok || !isRunning(answer.data)) return;
      await sleep(500, off.signal);
      const path = { game: id, verification: answer.data.id };
      answer = await call("get", "/v1/games/{game}/verifications/{verification}", { ...asked, path });
    }
  };
  return [
    h("p", null, view.value?.looks_as.length ? REPLAY.whole : REPLAY.ownPart),
    h(
      "p",
      { class: "actions" },
      h("button", { type: "button", onClick: () => void save() }, REPLAY.download),
      h(
        "button",
        { type: "button", disabled: told !== null && isRunning(told), onClick: () => void verify() },
        REPLAY.verify,
      ),
    ),
    h("div", { role: "status" }, problem ? h(Refusal, { problem }) : told && h(AuditResult, { told })),
    h("p", { class: "small" }, REPLAY.noProof, " ", h("code", null, `omenlog verify ${file}`)),
  ];
}

/** @param {Verification} told */
const isRunning = (told) => told.status === "queued" || told.status === "running";

/** @param {{told: Verification}} props */
function AuditResult({ told }) {
  const { outcome, commit, because, dice, status, differs } = told;
  const said = outcome === "UNVERIFIED" && view.value?.status === "started" ? REPLAY.unfinished : outcome;
  return [
    outcome && h("p", null, h("strong", null, said), " ", REPLAY.verdicts[outcome]),
    status === "failed" && h("p", { class: "wrong" }, REPLAY.failed),
    h("p", null, [REPLAY.checked(told.checked, told.version), !differs && because, dice].filter(Boolean).join(" · ")),
    differs && [
      REPLAY.differs(differs.event),
      h("pre", null, differs.recorded || "–"),
      REPLAY.decided,
      h("pre", null, differs.decided || "–"),
    ],
    commit && h("button", { type: "button", onClick: () => travel(commit) }, `${REPLAY.commit} ${commit}`),
  ];
}
