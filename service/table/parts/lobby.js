// Games that this browser has places in.
import { link } from "../address.js";
import { PasteLink } from "../frame.js";
import { places } from "../places.js";
import { h } from "../vendor/preact.js";
import { FRAME } from "../words.js";

/** @param {{address: import("../address.js").Address}} props */
export function Part(props) {
  void props;
  return h(
    "section",
    { class: "lobby" },
    h("h1", null, FRAME.title),
    h(
      "ul",
      null,
      places.value.map((one) =>
        h(
          "li",
          { key: one.game + one.role },
          h("a", { href: link({ part: "table", game: one.game }) }, `${one.game}: ${one.role}`),
        ),
      ),
    ),
    h(PasteLink, null),
  );
}
