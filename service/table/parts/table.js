// The table of a place: whose turn it is, the house, what can be done, and what is at hand beside it.
import { linkTo } from "../address.js";
import { House } from "../board/house.js";
import { obvious, placedIn, spotsOf } from "../board/spots.js";
import { Tabs } from "../frame.js";
import { act, decisions, game, isWaiting, moment, noteSeen, place, steps, view, why } from "../game.js";
import { note, reread } from "../places.js";
import { computed, effect, h, signal, useEffect, useMemo, useState } from "../vendor/preact.js";
import { DESK, FRAME, TABLE } from "../words.js";
import { Actions } from "./actions.js";
import { Book } from "./book.js";
import { Dice } from "./dice.js";
import { Log } from "./log.js";
import { Moderating } from "./moderator.js";
import { awaitedName, Badge, clock, Refusal, RuleDialog } from "./names.js";
import { People, Strip } from "./people.js";
import { Calls, notify } from "./ring.js";
import { Talk, unread } from "./talk.js";

/** @typedef {import("../api.js").View} View */

/** The role of whoever watches. */
const WATCHING = "spectators";
/** What is open beside the house. On a wide screen the actions are always there. */
const openTab = signal("actions");
const isWide = signal(false);
const wide = matchMedia("(min-width: 60rem) and (min-height: 30rem)");
const measure = () => {
  isWide.value = wide.matches;
};
measure();
wide.addEventListener("change", measure);

/** Whether the game waits for this role. */
const isAsked = computed(() => {
  const seen = view.value;
  if (seen?.status !== "started") return false;
  if (seen.you !== null) return seen.waiting.some((one) => one.seat === seen.you);
  return seen.role === "referee" && (decisions.value?.yours.length ?? 0) > 0;
});

// Whoever is asked while another panel is open on a phone sees what is asked.
let wasAsked = false;
effect(() => {
  if (isAsked.value && !wasAsked) openTab.value = "actions";
  wasAsked = isAsked.value;
});

const spots = computed(() => spotsOf((decisions.value?.yours ?? []).flatMap((one) => placedIn(one))));

/** @param {{name: string}} props */
export function Part({ name }) {
  const isModerated = name === "moderator";
  const seen = view.value;
  const mine = isAsked.value;
  const asked = mine && seen ? asksWhat(seen) : "";
  useEffect(() => {
    document.title = asked ? `${asked} · ${FRAME.title}` : FRAME.title;
    return () => {
      document.title = FRAME.title;
    };
  }, [asked]);
  useEffect(() => {
    if (mine) notify(asked);
  }, [mine]);
  useEffect(() => {
    if (!document.hidden) noteSeen();
    const onBack = () => !document.hidden && noteSeen();
    document.addEventListener("visibilitychange", onBack);
    return () => document.removeEventListener("visibilitychange", onBack);
  }, [seen?.version]);
  if (!seen) return h("p", { class: "loading" }, FRAME.loading);
  return [
    h(WentBack, { key: "back" }),
    h(
      "div",
      { key: "table", class: `table ${mine ? "asked" : ""} ${isModerated ? "moderated" : ""}` },
      h(GameHeader, { seen }),
      h("div", { class: "board" }, h(Board, { seen }), h(Dice, { seen })),
      h(Strip, { seen }),
      h(Sidebar, { seen, isModerated }),
      h(RuleDialog, { seen }),
    ),
  ];
}

/** @param {{seen: View}} props */
function GameHeader({ seen }) {
  const { turn, haunt } = seen;
  const disputes = seen.desk.disputes.length;
  const shownBy = seen.waiting.find((one) => one.seat === seen.you) ?? seen.waiting[0];
  const behind = delayOf(seen);
  const facts = [
    seen.role === WATCHING && game.value && !behind && TABLE.watch.live,
    turn.number > 0 && TABLE.turn(turn.number),
    haunt && haunt.round > 0 && TABLE.round(haunt.round),
    turn.acting && turn.spaces_left > 0 && TABLE.spaces(turn.spaces_left),
    !haunt && seen.omens_drawn > 0 && TABLE.omens(seen.omens_drawn),
  ].filter(Boolean);
  return h(
    "header",
    { class: "head" },
    turn.seat !== null && seen.status === "started" && h(Badge, { seen, seat: turn.seat }),
    h(
      "div",
      { class: "says" },
      h("h1", null, asksWhat(seen)),
      h(
        "p",
        { class: "facts" },
        h("strong", null, haunt?.title || (TABLE.phases[seen.phase] ?? seen.phase)),
        facts.map((one) => h("span", { key: one }, one)),
        shownBy?.due && h("span", null, TABLE.due(clock(shownBy.due))),
        haunt?.counters.map((one) =>
          h(
            "span",
            { key: `${one.name}${one.seat}` },
            `${one.title}: ${one.value}${one.max === null ? "" : `/${one.max}`}`,
          ),
        ),
        h("span", { class: "quiet" }, TABLE.version(seen.version)),
      ),
      seen.sandbox && !place.value?.sandbox && h("p", { class: "aside" }, TABLE.sandbox(seen.sandbox.at)),
      seen.desk.paused && h("p", { class: "aside" }, TABLE.paused),
      seen.role === WATCHING && behind && h("p", { class: "aside" }, behind),
    ),
    h(
      "div",
      { class: "tools" },
      h(Calls, null),
      h(
        "a",
        {
          class: "button",
          href: linkTo({ part: "replay", game: place.value?.game ?? "", at: Math.max(1, seen.version), as: "" }),
        },
        TABLE.replay,
      ),
      (seen.role === "referee" || disputes > 0) &&
        h(
          "a",
          { class: "button", href: linkTo({ part: "desk", game: seen.game }) },
          seen.role === "referee" ? DESK.desk : DESK.disputes,
          disputes > 0 && h("span", { class: "count" }, disputes),
        ),
      h("a", { class: "button", href: linkTo({ part: "lobby" }) }, TABLE.home),
    ),
  );
}

/** What says who took something back, or who ruled, and why. */
const TOLD = ["TakenBack", "DisputeClosed", "ReasonsGiven"];

/** Says that play went back: who took back what, or ruled so, and why, as far as this role was told; until that is noted. */
function WentBack() {
  const of = place.value;
  const noted = reread(of)?.back ?? 0;
  const isSeen = (/** @type {string} */ by) => by === of?.role || game.value?.hotseat;
  const step = steps.value.findLast(({ by, happened }) => {
    const types = happened.map((one) => one.type);
    return types.includes("Rewound") && !(types.includes("TakenBack") && isSeen(by));
  });
  if (!of || !step || step.number <= noted) return null;
  const { number, happened, changes } = step;
  const told = TOLD.flatMap((type) => happened.find((one) => one.type === type)?.words ?? []);
  if (happened.some((one) => one.type === "TakenBack"))
    told.push(...changes.map(({ what, before, after }) => `${what} ${before} → ${after}.`));
  return h(
    "div",
    { class: "banner", role: "status" },
    h(
      "p",
      { class: "rewound" },
      told.join(" ") || happened.find((one) => one.type === "Rewound")?.words,
      " ",
      h("button", { type: "button", onClick: () => note(of, { back: number }) }, TABLE.noted),
    ),
  );
}

/**
 * What the game waits for, from this role's side.
 * @param {View} seen
 */
function asksWhat(seen) {
  if (seen.ending) return seen.ending.summary;
  if (seen.status !== "started") return seen.because || TABLE.over;
  const isOwn = seen.you !== null || (seen.role === "referee" && isAsked.value);
  const own = seen.waiting.filter((one) => isOwn && one.seat === seen.you && !one.unnamed);
  if (own.length > 0) return own.some((one) => one.kind === "turn") ? TABLE.yours : (own[0]?.text ?? TABLE.awaitsYou);
  /** @type {Map<string, string[]>} */
  const others = new Map();
  for (const one of seen.waiting) {
    const what = one.kind === "turn" ? "" : one.text; // whose turn it is has been said by then
    others.set(what, [...(others.get(what) ?? []), awaitedName(seen, one)]);
  }
  const [first] = others;
  return first ? TABLE.awaits(first[1].join(", "), first[0]) : TABLE.nobody;
}

/**
 * How far those who watch are behind the game, in words; empty where they are not.
 * @param {View} seen
 */
function delayOf({ status }) {
  const { spectator_delay: steps = 0, spectator_delay_seconds: seconds = 0 } = game.value?.options ?? {};
  if (status !== "started") return "";
  return steps || seconds ? TABLE.watch.behind(steps, seconds) : "";
}

/** @param {{seen: View}} props */
function Board({ seen }) {
  const [told, setTold] = useState(/** @type {import("../vendor/preact.js").ComponentChildren} */ (null));
  useEffect(() => setTold(null), [seen.version]);
  /** @param {import("../board/spots.js").Place} about */
  const onWhy = async (about) => {
    const asked = obvious(about);
    const decision = seen.turn.decision || decisions.value?.yours[0]?.id;
    setTold(null);
    if (!asked || !decision || seen.status !== "started") return;
    setTold(h("p", { class: "loading" }, TABLE.asking));
    const answer = await why(/** @type {import("../api.js").Command} */ ({ ...asked, decision }));
    const refusal = answer.ok ? answer.data.refusal : answer.problem;
    if (answer.ok && answer.data.legal) setTold(h("p", null, TABLE.wouldBeLegal));
    else if (refusal) setTold(h("div", { class: "detail", role: "status" }, h(Refusal, { problem: refusal })));
  };
  return h(House, {
    view: seen,
    spots: spots.value,
    waits: isWaiting.value,
    moment: moment.value,
    why: told,
    onWhy: (about) => void onWhy(about),
    onAct: (one) => void act(one.command),
  });
}

/** @type {Readonly<Record<string, (props: {seen: View, isModerated: boolean}) => import("../vendor/preact.js").VNode<any> | null>>} */
const PANELS = { people: People, log: Log, book: Book, talk: Talk };

/** @param {{seen: View, isModerated: boolean}} props */
function Sidebar({ seen, isModerated }) {
  const isWatching = seen.role === WATCHING;
  const names = Object.keys(TABLE.tabs).filter((one) => one !== "actions" || !(isWide.value || isWatching));
  const now = names.includes(openTab.value) ? openTab.value : "log";
  const Panel = PANELS[now];
  const panel = useMemo(() => (Panel ? h(Panel, { seen, isModerated }) : null), [Panel, seen, isModerated]);
  const label = isModerated ? TABLE.moderating.title : TABLE.actions;
  const actions = () => h(Actions, { seen, label }, isModerated && h(Moderating, { seen }));
  const isActionsHidden = !isWide.value && now !== "actions";
  return h(
    "div",
    { class: "beside" },
    isWide.value && !isWatching && actions(),
    h(Tabs, {
      label: TABLE.panels,
      titles: TABLE.tabs,
      tab: openTab,
      names,
      now,
      news: { talk: unread.value || "", actions: isAsked.value && now !== "actions" ? "!" : "" },
    }),
    isActionsHidden && isAsked.value && h("p", { class: "reminder" }, asksWhat(seen)),
    now === "actions" ? actions() : h("div", { class: "panel", key: now }, panel),
  );
}
