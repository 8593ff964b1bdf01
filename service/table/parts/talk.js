// What is said beside the game: messages, rulings where no rule answers, a coin, and orders left for one's next turn.
import { linkTo } from "../address.js";
import { call, randomKey } from "../api.js";
import { act, isWaiting, listen, place, refused, view } from "../game.js";
import { effect, h, signal, useEffect, useRef, useState } from "../vendor/preact.js";
import { DESK, TABLE } from "../words.js";
import { Refusal, roleName } from "./names.js";
import { OrdersLeft } from "./orders.js";

/** @typedef {import("../api.js").View} View */
/** @typedef {import("contract").components["schemas"]["Message"]} Message */
/** @typedef {import("../api.js").Problem} Problem */

const messages = signal(/** @type {readonly Message[]} */ ([]));
/** To whom one may write. */
const openTo = signal(/** @type {readonly string[]} */ ([]));
/** Messages that came while they were not on screen. */
export const unread = signal(0);
let isShown = false;

/** Read anew all messages, and to whom one may write. */
async function readMessages() {
  const of = place.peek();
  if (!of) return;
  const answer = await call("get", "/v1/games/{game}/messages", { path: { game: of.game }, token: of.token });
  if (!answer.ok || of !== place.peek()) return;
  messages.value = answer.data.messages;
  openTo.value = answer.data.to;
}

effect(() => {
  messages.value = [];
  openTo.value = [];
  unread.value = 0;
  if (place.value) void readMessages();
});

listen((frame) => {
  const { type } = /** @type {{type: string}} */ (frame);
  if (type === "hello" && messages.peek().length > 0) void readMessages();
  if (type !== "message") return;
  const { message } = /** @type {{message: Message | null}} */ (/** @type {unknown} */ (frame));
  if (!message) void readMessages();
  else {
    const before = messages.peek();
    const isNew = !before.some((one) => one.id === message.id);
    messages.value = isNew ? [...before, message] : before.map((one) => (one.id === message.id ? message : one));
    if (isNew && !isShown && message.sender !== place.peek()?.role) unread.value += 1;
  }
});

/** @param {{seen: View}} props */
export function Talk({ seen }) {
  useEffect(() => {
    isShown = true;
    unread.value = 0;
    return () => {
      isShown = false;
    };
  }, []);
  // Sides come with the haunt, and people change them.
  useEffect(() => void readMessages(), [seen.haunt?.id, seen.explorers.map((one) => one.side).join()]);
  const isPlayer = seen.you !== null || seen.role === "referee";
  return h(
    "div",
    { class: "scroll talk", tabIndex: 0, role: "region", "aria-label": TABLE.tabs.talk },
    h("h2", null, TABLE.messages),
    messages.value.length === 0 && h("p", { class: "quiet" }, TABLE.noMessages),
    h(
      "ol",
      { class: "messages", "aria-live": "polite" },
      messages.value.map((one) =>
        h(
          "li",
          { key: one.id, class: one.sender === seen.role ? "own" : "" },
          h("p", { class: "small" }, TABLE.sent(roleName(seen, one.sender), roleName(seen, one.to))),
          h("p", { class: one.text === null ? "quiet" : "" }, one.text ?? TABLE.erased),
        ),
      ),
    ),
    openTo.value.length > 0 && h(Write, { seen }),
    h("p", null, h("a", { href: linkTo({ part: "desk", game: seen.game }) }, DESK.all)),
    isPlayer && seen.status === "started" && [h(Propose, null), h(Coin, null)],
    seen.you !== null && seen.status === "started" && h(OrdersLeft, { seen, seat: seen.you }),
  );
}

/** @param {{seen: View}} props */
function Write({ seen }) {
  const isOnWay = useRef(false);
  const [problem, setProblem] = useState(/** @type {Problem | null} */ (null));
  /** @param {SubmitEvent & {currentTarget: HTMLFormElement}} event */
  const submit = async (event) => {
    event.preventDefault();
    const form = event.currentTarget;
    const of = place.value;
    const given = new FormData(form);
    if (!of || isOnWay.current) return;
    isOnWay.current = true;
    const body = { to: String(given.get("to")), text: String(given.get("text")).trim() };
    const answer = await call("post", "/v1/games/{game}/messages", {
      path: { game: of.game },
      token: of.token,
      key: randomKey(),
      body,
    });
    isOnWay.current = false;
    setProblem(answer.ok ? null : answer.problem);
    if (!answer.ok) return;
    form.reset();
    await readMessages();
  };
  return h(
    "form",
    { class: "write", onSubmit: submit },
    h(
      "label",
      null,
      TABLE.to,
      h(
        "select",
        { name: "to" },
        openTo.value.map((one) => h("option", { key: one, value: one }, roleName(seen, one))),
      ),
    ),
    h("label", null, TABLE.text, h("textarea", { name: "text", required: true, rows: 2, maxLength: 4000 })),
    h("button", { type: "submit" }, TABLE.send),
    problem && h("div", { class: "detail", role: "status" }, h(Refusal, { problem })),
  );
}

/**
 * What came of a command that is not listed.
 * @param {{type: string}} props
 */
function Outcome({ type }) {
  const refusal = refused.value;
  return refusal?.command.type === type
    ? h("div", { class: "detail", role: "status" }, h(Refusal, { problem: refusal.problem }))
    : null;
}

/**
 * A form that does a command, and is empty again once it is done.
 * @param {(given: FormData) => import("../api.js").Command} command
 */
const doing = (command) => async (/** @type {SubmitEvent & {currentTarget: HTMLFormElement}} */ event) => {
  event.preventDefault();
  const form = event.currentTarget;
  if (await act(command(new FormData(form)))) form.reset();
};

function Propose() {
  const proposed = view.value?.rulings.proposed;
  const submit = doing((given) => ({
    type: "propose-ruling",
    decision: "table",
    text: String(given.get("text")).trim(),
  }));
  return h(
    "details",
    null,
    h("summary", null, TABLE.propose),
    proposed && h("p", null, TABLE.proposed(proposed.text)),
    h("p", { class: "quiet" }, TABLE.proposeHelp),
    h(
      "form",
      { onSubmit: submit },
      h("label", null, TABLE.text, h("textarea", { name: "text", required: true, rows: 2, maxLength: 500 })),
      h("button", { type: "submit", disabled: isWaiting.value }, TABLE.propose),
      h(Outcome, { type: "propose-ruling" }),
    ),
  );
}

function Coin() {
  const submit = doing((given) => ({
    type: "flip-coin",
    decision: "table",
    options: [String(given.get("heads")).trim(), String(given.get("tails")).trim()],
  }));
  return h(
    "details",
    null,
    h("summary", null, TABLE.coin),
    h("p", { class: "quiet" }, TABLE.coinHelp),
    h(
      "form",
      { onSubmit: submit },
      h(
        "label",
        null,
        TABLE.heads,
        h("input", { name: "heads", type: "text", required: true, maxLength: 120, autocomplete: "off" }),
      ),
      h(
        "label",
        null,
        TABLE.tails,
        h("input", { name: "tails", type: "text", required: true, maxLength: 120, autocomplete: "off" }),
      ),
      h("button", { type: "submit", disabled: isWaiting.value }, TABLE.flip),
      h(Outcome, { type: "flip-coin" }),
    ),
  );
}
