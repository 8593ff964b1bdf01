// Disputes as seats raise them from a line of the log, and what every request to the referee's desk has in common.
import { linkTo } from "../address.js";
import { call, randomKey } from "../api.js";
import { isWaiting, know, moment, place, view } from "../game.js";
import { useDraft } from "../places.js";
import { computed, h, useLayoutEffect, useRef, useState } from "../vendor/preact.js";
import { DESK, TABLE } from "../words.js";
import { Refusal } from "./names.js";

/** @typedef {import("../api.js").Problem} Problem */
/** @typedef {import("../api.js").View} View */
/**
 * What a form of the desk keeps: whether its request is on its way, and what came of it.
 * @typedef {{isOnWay: boolean, problem: Problem | null}} Asking
 */

/**
 * A form that asks something of the desk: `ask` sends it, `outcome` says why it was refused.
 * @param {() => void} [onDone]
 */
export function useDesk(onDone) {
  const [{ isOnWay, problem }, set] = useState(/** @type {Asking} */ ({ isOnWay: false, problem: null }));
  /**
   * @param {"disputes" | "evidence" | "withdrawal" | "ruling" | "reopening"} what
   * @param {object | null} body
   * @param {{number?: number, ifMatch?: number}} [about]
   */
  const ask = async (what, body, { number, ifMatch } = {}) => {
    const of = place.value;
    if (!of || isOnWay) return;
    set({ isOnWay: true, problem: null });
    const path = number ? `/v1/games/{game}/disputes/{number}/${what}` : "/v1/games/{game}/disputes";
    const asked = {
      path: { game: of.game, number },
      token: of.token,
      key: randomKey(),
      ...(body && { body }),
      ...(ifMatch && { ifMatch }),
    };
    const answer = await /** @type {any} */ (call)("post", path, asked);
    set({ isOnWay: false, problem: answer.ok ? null : answer.problem });
    know(answer.ok ? answer.data.version : (answer.problem.current_version ?? 0));
    if (answer.ok) onDone?.();
  };
  const outcome = h("div", { role: "alert", class: problem ? "detail" : "" }, problem && h(Refusal, { problem }));
  return { ask, outcome, waits: isOnWay || isWaiting.value };
}

/** Whether this place can dispute what happened. */
const canDispute = computed(() => {
  const seen = view.value;
  return seen?.status === "started" && seen.you !== null && moment.value === null;
});

/** @param {{number: number, isOpen: boolean, toggle: () => void}} props a commit, and whether the form is open that the button opens */
export function Flag({ number, isOpen, toggle }) {
  if (!canDispute.value) return null;
  const label = DESK.dispute(number);
  return h(
    "button",
    { type: "button", class: "flag", title: label, "aria-label": label, "aria-expanded": isOpen, onClick: toggle },
    "⚑",
  );
}

/** @param {{number: number, close: () => void}} props */
export function Claim({ number, close }) {
  const seen = /** @type {View} */ (view.value);
  const [draft, keep] = useDraft(seen, `claim ${number}`, { claim: "", to: number, addressed: "referee" });
  const { ask, outcome, waits } = useDesk(() => {
    keep();
    close();
  });
  const first = useRef(/** @type {any} */ (null));
  useLayoutEffect(() => first.current?.focus(), []);
  if (seen.desk.barred) {
    const href = linkTo({ part: "desk", game: seen.game });
    return h("p", { class: "claim", ref: first, tabIndex: -1 }, seen.desk.barred, " ", h("a", { href }, DESK.disputes));
  }
  const onInput = (/** @type {Event & {currentTarget: HTMLFormElement}} */ { currentTarget }) =>
    keep(/** @type {any} */ (Object.fromEntries(new FormData(currentTarget))));
  /** @param {SubmitEvent} event */
  const submit = (event) => {
    event.preventDefault();
    void ask("disputes", { ...draft, from: number, to: Number(draft.to), claim: draft.claim.trim() });
  };
  const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Escape") close();
  };
  return h(
    "form",
    { class: "claim", "aria-label": DESK.dispute(number), onSubmit: submit, onInput, onKeyDown },
    h(
      "label",
      null,
      DESK.claim,
      h("textarea", { ref: first, name: "claim", value: draft.claim, required: true, rows: 2, maxLength: 2000 }),
    ),
    h(
      "label",
      null,
      DESK.upTo,
      h("input", {
        name: "to",
        type: "number",
        required: true,
        min: number,
        max: seen.version,
        value: draft.to,
      }),
    ),
    h(
      "label",
      null,
      DESK.decides,
      h(
        "select",
        { name: "addressed", value: draft.addressed },
        Object.entries(DESK.addressed).map(([value, title]) => h("option", { key: value, value }, title)),
      ),
    ),
    outcome,
    h(
      "p",
      null,
      h("button", { type: "submit", class: "main", disabled: waits }, TABLE.send),
      " ",
      h("button", { type: "button", onClick: close }, DESK.cancel),
    ),
  );
}
