// Disputes as seats raise them from a line of the log, and what every request to the referee's desk has in common.
import { call, randomKey } from "../api.js";
import { isWaiting, know, moment, place, view } from "../game.js";
import { computed, h, useLayoutEffect, useRef, useState } from "../vendor/preact.js";
import { DESK, TABLE } from "../words.js";
import { Refusal } from "./names.js";

/** @typedef {import("../api.js").Problem} Problem */
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
   * @param {object} body
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
      body,
      ...(ifMatch && { ifMatch }),
    };
    const told = await /** @type {any} */ (call)("post", path, asked);
    set({ isOnWay: false, problem: told.ok ? null : told.problem });
    know(told.ok ? told.data.version : (told.problem.current_version ?? 0));
    if (told.ok) onDone?.();
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
  const { ask, outcome, waits } = useDesk(close);
  const text = useRef(/** @type {HTMLTextAreaElement | null} */ (null));
  useLayoutEffect(() => text.current?.focus(), []);
  /** @param {SubmitEvent & {currentTarget: HTMLFormElement}} event */
  const submit = (event) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const claim = String(given.get("claim")).trim();
    void ask("disputes", { from: number, to: Number(given.get("to")), claim, addressed: given.get("addressed") });
  };
  const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Escape") close();
  };
  return h(
    "form",
    { class: "claim", "aria-label": DESK.dispute(number), onSubmit: submit, onKeyDown },
    h("label", null, DESK.claim, h("textarea", { ref: text, name: "claim", required: true, rows: 2, maxLength: 2000 })),
    h(
      "label",
      null,
      DESK.upTo,
      h("input", {
        name: "to",
        type: "number",
        required: true,
        min: number,
        max: view.value?.version,
        defaultValue: number,
      }),
    ),
    h(
      "label",
      null,
      DESK.decides,
      h(
        "select",
        { name: "addressed" },
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
