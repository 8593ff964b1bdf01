// Names of seats, cards and rules as the table says them, and rules that open wherever they are named.
import { call } from "../api.js";
import { initialsOf, pawn } from "../board/figures.js";
import { game, place } from "../game.js";
import { seatOf } from "../places.js";
import { h, signal, useEffect, useRef, useState } from "../vendor/preact.js";
import { BOARD, TABLE } from "../words.js";

/** @typedef {import("../api.js").View} View */

/**
 * An explorer with its player's name: `Ox Bellows (Ann)`.
 * @param {View} seen
 * @param {number} seat
 */
export function nameOf(seen, seat) {
  const title = seen.explorers.find((one) => one.seat === seat)?.title ?? TABLE.seat(seat);
  const player = game.value?.seats.find((one) => one.seat === seat);
  return player?.name && player.named_at <= seen.version ? TABLE.player(title, player.name) : title;
}

/**
 * A role in words: `seat:1`, `referee`, a side.
 * @param {View} seen
 * @param {string} role
 */
export function roleName(seen, role) {
  const seat = seatOf(role);
  return seat >= 0 ? nameOf(seen, seat) : (TABLE.recipients[role] ?? role);
}

/**
 * Whoever is awaited.
 * @param {View} seen
 * @param {View["waiting"][number]} awaited
 */
export function awaitedName(seen, { seat, unnamed }) {
  return unnamed ? TABLE.hiddenTraitor : seat === null ? TABLE.moderator : nameOf(seen, seat);
}

/**
 * Anything with an id, as its title: a card, a trait, a room, a monster.
 * @param {View} seen
 * @param {string | number} id
 */
export function titleOf(seen, id) {
  if (typeof id === "number") return nameOf(seen, id);
  return (
    seen.cards[id]?.title ??
    BOARD.traits[id] ??
    seen.rooms.find((one) => one.id === id)?.title ??
    seen.monsters.find((one) => one.id === id)?.title ??
    id
  );
}

/**
 * A time as a clock says it, with the day if it is another one than today.
 * @param {string} moment
 */
export function clock(moment) {
  const at = new Date(moment);
  const isToday = at.toDateString() === new Date().toDateString();
  return at.toLocaleString([], isToday ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" });
}

/** @param {{seen: View, seat: number}} props the figure of an explorer, as it stands in the house */
export function Badge({ seen, seat }) {
  return pawn(seat, initialsOf(seen.explorers.map((one) => one.title))[seat] ?? "");
}

/**
 * The rule that is open, by its id, with what is known of it already.
 * @type {import("../vendor/preact.js").Signal<{id: string, title?: string, text?: string} | null>}
 */
const openRule = signal(/** @type {{id: string, title?: string, text?: string} | null} */ (null));

/** @param {{rule: {id: string, title?: string, text?: string}, children?: import("../vendor/preact.js").ComponentChildren, look?: string}} props */
export function RuleButton({ rule, children, look = "rule" }) {
  const onClick = () => {
    openRule.value = rule;
  };
  return h(
    "button",
    { type: "button", class: look, "aria-haspopup": "dialog", onClick },
    children ?? TABLE.rule(rule.title ?? rule.id),
  );
}

/** @param {{seen: View}} props the rule that is open, in a dialog, with what had been ruled on it at this table */
export function RuleDialog({ seen }) {
  const box = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const wanted = openRule.value;
  const [told, setTold] = useState(/** @type {import("contract").components["schemas"]["RuleShown"] | null} */ (null));
  useEffect(() => {
    if (!wanted) return undefined;
    if (!box.current?.open) box.current?.showModal();
    const off = new AbortController();
    const token = place.value?.token;
    void call("get", "/v1/rules/{rule}", {
      path: { rule: wanted.id },
      ...(token && { token }),
      signal: off.signal,
    }).then((answer) => !off.signal.aborted && answer.ok && setTold(answer.data));
    return () => off.abort();
  }, [wanted]);
  const close = () => {
    openRule.value = null;
  };
  useEffect(() => close, []); // whoever comes next has not asked
  if (!wanted) return null;
  const whole = told?.id === wanted.id ? told : null;
  const rule = whole ?? wanted;
  const precedents = seen.desk.precedents.filter((one) => one.rules.includes(wanted.id));
  return h(
    "dialog",
    { class: "opened", ref: box, onClose: close, "aria-labelledby": "rule-title" },
    h("p", { class: "small" }, rule.id, whole?.source && ` · ${whole.source}`),
    h("h2", { id: "rule-title" }, rule.title ?? rule.id),
    h("p", null, rule.text ?? TABLE.loading),
    whole?.ambiguity && h("p", { class: "aside" }, whole.ambiguity),
    "overrides" in rule && whole?.overrides.map((id) => h("p", { key: id }, h(RuleButton, { rule: { id } }))),
    precedents.map((one) =>
      h("p", { key: one.number, class: "aside" }, h("strong", null, TABLE.precedents), " ", one.reasons),
    ),
    h("p", { class: "actions" }, h("button", { type: "button", onClick: () => box.current?.close() }, BOARD.close)),
  );
}

/** @param {{problem: {detail: string, rule?: {id: string, title: string, text: string} | null, errors?: readonly {pointer: string, detail: string}[]}}} props */
export function Refusal({ problem }) {
  const { detail, rule, errors = [] } = problem;
  return [
    h("span", null, detail),
    errors.length > 0 &&
      h(
        "ul",
        null,
        errors.map((one) => h("li", null, `${one.pointer} ${one.detail}`)),
      ),
    rule && h("span", { class: "cited" }, " ", rule.text, " "),
    rule && h(RuleButton, { rule }),
  ];
}

/**
 * A chance as people say it.
 * @param {import("contract").components["schemas"]["Ratio"]} ratio
 */
export function percent(ratio) {
  const share = (100 * Number(ratio.numerator)) / Number(ratio.denominator);
  return `${share > 0 && share < 1 ? "<1" : share < 100 && share > 99 ? ">99" : Math.round(share)} %`;
}
