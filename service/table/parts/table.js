// The table of a place.
import { act, decisions, isWaiting, refused, steps, view } from "../game.js";
import { h } from "../vendor/preact.js";
import { FRAME } from "../words.js";

/** @param {{address: import("../address.js").Address}} props */
export function Part(props) {
  void props;
  const seen = view.value;
  if (!seen) return h("p", { class: "loading" }, FRAME.loading);
  const refusal = refused.value;
  return h(
    "section",
    { class: "table" },
    h("h1", null, seen.waiting.map((one) => one.text).join("; ") || FRAME.part.table),
    decisions.value?.yours.map((decision) =>
      h(
        "section",
        { key: decision.id },
        h("h2", null, decision.text),
        h(
          "ul",
          { class: "commands" },
          decision.commands.map((listed) =>
            h(
              "li",
              { key: listed.label },
              h(
                "button",
                { type: "button", disabled: isWaiting.value, onClick: () => act(listed.command) },
                listed.label,
              ),
            ),
          ),
        ),
      ),
    ),
    h("p", { role: "alert" }, refusal?.problem.detail),
    h(
      "ol",
      { class: "log", "aria-live": "polite" },
      steps.value.map((step) => h("li", { key: step.number }, step.happened.map((one) => one.words).join(" "))),
    ),
  );
}
