// What can be done: the listed commands as buttons, by decision; what was refused is said beside the button.
import { call } from "../api.js";
import { act, decisions, isWaiting, place, refused } from "../game.js";
import { seatsIn } from "../places.js";
import { h, useEffect, useLayoutEffect, useRef, useState } from "../vendor/preact.js";
import { TABLE } from "../words.js";
import { Lettered } from "./chance.js";
import { EntryForm } from "./entry.js";
import { FamilyForm } from "./forms.js";
import { percent, Refusal, titleOf } from "./names.js";
import { Card } from "./people.js";

/** @typedef {import("../api.js").View} View */
/** @typedef {import("../api.js").Listed} Listed */
/** @typedef {import("../api.js").OpenDecision} OpenDecision */
/** @typedef {import("../api.js").Family} Family */

/** Commands of a family up to which they are listed in place of its form. */
const FEW = 8;

/** @param {{seen: View, label: string, children?: import("../vendor/preact.js").ComponentChildren}} props `children`: what else is at hand */
export function Actions({ seen, label, children }) {
  const open = decisions.value;
  const own = useRef(/** @type {HTMLElement | null} */ (null));
  useStay(own);
  const yours = open?.yours ?? [];
  const refusal = refused.value;
  const drawn = seen.turn.drawn.at(-1);
  const labels = yours.flatMap((one) => one.commands.map((listed) => JSON.stringify(listed.command)));
  const isInForm =
    refusal?.command.type === "enter"
      ? open?.enter
      : yours.some((one) => one.kind === "chance" && one.id === refusal?.command.decision);
  const isElsewhere = refusal && !isInForm && !labels.includes(JSON.stringify(refusal.command));
  return h(
    "section",
    { class: "deeds", ref: own, "aria-label": label },
    (!refusal || isElsewhere) &&
      h("div", { role: "alert", class: refusal ? "detail" : "" }, refusal && h(Refusal, { problem: refusal.problem })),
    yours.length === 0 && h("p", { class: "quiet" }, TABLE.nothing),
    yours.map((decision) =>
      h(Decision, {
        key: decision.id,
        decision,
        seen,
        drawn: drawn && decision.about.includes(`/${drawn}`) ? drawn : "",
      }),
    ),
    open?.take_back &&
      h(
        "p",
        null,
        h(
          "button",
          {
            type: "button",
            class: "back",
            disabled: isWaiting.value,
            onClick: () => open.take_back && act(open.take_back.command),
          },
          open.take_back.label || TABLE.takeBack,
        ),
      ),
    children,
    open?.enter && h("details", null, h("summary", null, TABLE.enterBook), h(EntryForm, { enter: open.enter, seen })),
  );
}

/**
 * Whoever acts by keyboard stays among the actions when the one that was chosen is gone or had to wait, and begins there who takes over a shared
 * screen.
 * @param {{current: HTMLElement | null}} own
 */
function useStay(own) {
  const held = useRef(/** @type {HTMLElement | boolean | null} */ (seatsIn(place.value?.game ?? "").length > 1));
  const waits = isWaiting.value;
  useEffect(() => {
    const onFocus = (/** @type {FocusEvent & {target: any}} */ { target }) => {
      held.current = own.current?.contains(target) ? target : null;
    };
    document.addEventListener("focusin", onFocus);
    return () => document.removeEventListener("focusin", onFocus);
  }, [own]);
  useLayoutEffect(() => {
    if (!held.current || waits || document.activeElement !== document.body) return;
    const { current: last } = held;
    const to = last instanceof HTMLElement && last.isConnected ? last : own.current?.querySelector("h2");
    to?.focus({ preventScroll: true });
  });
}

/** @param {{decision: OpenDecision, seen: View, drawn: string}} props `drawn`: the card that it may be about */
function Decision({ decision, seen, drawn }) {
  const { commands, count, families, offer, entry } = decision;
  const isChance = decision.kind === "chance";
  const forms = families.filter((one) => isForm(one, commands));
  const isIn = (/** @type {Listed} */ listed) => forms.some((one) => isOf(one, listed));
  const plain = commands.filter((listed) => !isIn(listed));
  const others = commands.filter(isIn);
  const list = (/** @type {readonly Listed[]} */ those) =>
    h(
      "ul",
      { class: "commands" },
      those.map((listed) => h(Deed, { key: listed.label, listed, seen })),
    );
  return h(
    "section",
    { class: `decision of-${decision.kind}`, role: "group", "aria-label": decision.text },
    h("h2", { tabIndex: -1 }, decision.text),
    drawn && h(Card, { seen, id: drawn }),
    offer && [
      h("p", null, `${TABLE.gives}: ${offer.gives.map((one) => titleOf(seen, one)).join(", ") || TABLE.nothingForIt}`),
      h("p", null, `${TABLE.wants}: ${offer.wants.map((one) => titleOf(seen, one)).join(", ") || TABLE.nothingForIt}`),
    ],
    entry && h("pre", { "aria-label": TABLE.entry, tabIndex: 0 }, JSON.stringify(entry.entry, null, 1)),
    isChance && plain.length > 3
      ? h(Lettered, { listed: plain, children: list })
      : grouped(plain).map(([kind, those]) =>
          h(
            "div",
            { key: kind, class: `kind ${kind}` },
            those.length > 1 && TABLE.kinds[kind] && h("h3", null, TABLE.kinds[kind]),
            list(those),
          ),
        ),
    forms.map((family) =>
      h(FamilyForm, {
        key: JSON.stringify(family.fixed) + family.label,
        family,
        seen,
        isOpen: decision.kind !== "turn",
      }),
    ),
    others.length > 0 &&
      h("details", null, h("summary", null, TABLE.allWays(others.length, count > commands.length)), list(others)),
  );
}

/**
 * Whether a family is shown as a form: its commands are many, or not listed, or dice to be tapped.
 * @param {Family} family
 * @param {readonly Listed[]} commands
 */
function isForm(family, commands) {
  const isDice = family.fields[0]?.shape === "faces";
  return isDice || family.count > FEW || !commands.some((listed) => isOf(family, listed));
}

/**
 * Whether a family describes a listed command.
 * @param {Family} family
 * @param {Listed} listed
 */
function isOf(family, listed) {
  const command = /** @type {Record<string, unknown>} */ (listed.command);
  return (
    family.fields.every((one) => !one.field || one.field in command) &&
    Object.entries(family.fixed).every(
      ([name, value]) => JSON.stringify(command[name] ?? null) === JSON.stringify(value),
    )
  );
}

/**
 * Commands by what they do, in the order in which they are listed.
 * @param {readonly Listed[]} commands
 */
function grouped(commands) {
  /** @type {Map<string, Listed[]>} */
  const found = new Map();
  for (const listed of commands) {
    const { type } = listed.command;
    const those = found.get(type);
    if (those) those.push(listed);
    else found.set(type, [listed]);
  }
  return [...found];
}

/** @param {{listed: Listed, seen: View}} props */
function Deed({ listed, seen }) {
  const refusal = refused.value;
  const isRefused = refusal && JSON.stringify(refusal.command) === JSON.stringify(listed.command);
  const { command, label } = listed;
  return h(
    "li",
    null,
    h(
      "button",
      { type: "button", class: command.type, disabled: isWaiting.value, onClick: () => void act(command) },
      label,
    ),
    command.type === "attack" && seen.you !== null && h(AttackOdds, { command, label, seen }),
    isRefused && h("div", { role: "alert", class: "detail" }, h(Refusal, { problem: refusal.problem })),
  );
}

/**
 * The odds of an attack, when asked for.
 * @param {{command: Extract<import("../api.js").Command, {type: "attack"}>, label: string, seen: View}} props
 */
function AttackOdds({ command, label, seen }) {
  const [told, setTold] = useState({ version: 0, text: "" });
  const ask = async () => {
    const of = place.value;
    if (!of || seen.you === null) return;
    const attacker = command.monster || (seen.turn.monsters && seen.turn.active) || seen.you;
    const body = {
      of: /** @type {const} */ ("attack"),
      attacker,
      target: command.target,
      weapon: command.weapon ?? null,
    };
    const answer = await call("post", "/v1/games/{game}/odds", { path: { game: of.game }, token: of.token, body });
    setTold({ version: seen.version, text: answer.ok ? fight(answer.data) : answer.problem.detail });
  };
  return [
    h("button", { type: "button", class: "odds", "aria-label": TABLE.oddsOf(label), onClick: () => void ask() }, "%"),
    h("span", { role: "status", class: "told" }, told.version === seen.version && told.text),
  ];
}

/** @param {import("contract").components["schemas"]["Odds"]} odds */
function fight(odds) {
  if (!odds.fight) return "";
  const { attacker_wins: wins, tie, defender_wins: loses } = odds.fight;
  const rest = odds.not_counted?.length ? ` ${TABLE.notCounted(odds.not_counted.join("; "))}` : "";
  return TABLE.attackOdds(percent(wins), percent(tie), percent(loses)) + rest;
}
