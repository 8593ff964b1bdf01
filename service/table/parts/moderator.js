// The panel of whoever moderates: what dice and cards showed, who is awaited since when, the status post, the co-moderator.
import { call } from "../api.js";
import { decisions, place } from "../game.js";
import { h, signal, useEffect, useState } from "../vendor/preact.js";
import { TABLE } from "../words.js";
import { Copy } from "./lobby-pieces.js";
import { awaitedName, clock } from "./names.js";
import { Managed } from "./people.js";

/** @typedef {import("../api.js").View} View */

const MODERATING = TABLE.moderating;

/** @param {{seen: View}} props */
export function Moderating({ seen }) {
  return [h(Awaited, { seen }), h(Opened, seen), h(Managed, { label: MODERATING.co })];
}

/** Whether the post is open; it stays so while another panel is looked at. */
const isOpen = signal(false);

/** @param {{version: number}} props */
function Opened({ version }) {
  const onToggle = (/** @type {{currentTarget: HTMLDetailsElement}} */ event) => {
    isOpen.value = event.currentTarget.open;
  };
  const { value: open } = isOpen;
  return h("details", { open, onToggle }, h("summary", null, MODERATING.post), open && h(Post, { version }));
}

/** @param {{seen: View}} props */
function Awaited({ seen }) {
  const waiting = decisions.value?.waiting ?? [];
  if (waiting.length === 0) return null;
  return [
    h("h2", null, MODERATING.awaited),
    h(
      "ul",
      { class: "awaited" },
      waiting.map((one) => {
        const who = awaitedName(seen, one);
        return h(
          "li",
          { key: one.decision + who },
          h("strong", null, who),
          h("span", null, one.text),
          one.since && h("time", { dateTime: one.since }, MODERATING.since(clock(one.since))),
          one.due && h("time", { dateTime: one.due }, TABLE.due(clock(one.due))),
        );
      }),
    ),
  ];
}

/** @param {{version: number}} props */
function Post({ version }) {
  const [format, setFormat] = useState("markdown");
  const [text, setText] = useState("");
  useEffect(() => {
    const of = place.value;
    if (!of) return undefined;
    const off = new AbortController();
    void call("get", "/v1/games/{game}/post", {
      path: { game: of.game },
      query: { format: /** @type {"markdown"} */ (format) },
      token: of.token,
      accept: "text/plain",
      signal: off.signal,
    }).then((answer) => !off.signal.aborted && setText(answer.ok ? answer.data : answer.problem.detail));
    return () => off.abort();
  }, [version, format]);
  return [
    h(
      "label",
      null,
      MODERATING.format,
      h(
        "select",
        { value: format, onChange: (/** @type {any} */ event) => setFormat(event.currentTarget.value) },
        MODERATING.formats.map((one) => h("option", { key: one }, one)),
      ),
    ),
    h(
      "label",
      null,
      MODERATING.text,
      h("textarea", {
        readOnly: true,
        rows: 8,
        value: text,
        onFocus: (/** @type {any} */ event) => event.currentTarget.select(),
      }),
    ),
    h("p", null, h(Copy, { key: text, text })),
  ];
}
