// The panel of whoever moderates: what dice and cards showed, who is awaited since when, the status post, the co-moderator.
import { call } from "../api.js";
import { decisions, place } from "../game.js";
import { invitesOf, keepSetting, setting } from "../places.js";
import { h, signal, useEffect, useState } from "../vendor/preact.js";
import { LOBBY, TABLE } from "../words.js";
import { Copy, Share } from "./lobby-pieces.js";
import { clock, nameOf } from "./names.js";
import { Part as Table } from "./table.js";

/** @typedef {import("../api.js").View} View */

const WORDS = TABLE.moderating;
const INVITE = "co-referee";

/** @param {{address: import("../address.js").Address}} props */
export function Part({ address }) {
  return h(Table, { address, Panel });
}

/** @param {{seen: View}} props */
function Panel({ seen }) {
  return [
    h(Awaited, { seen }),
    h(Opened, { title: WORDS.post }, h(Post, { version: seen.version })),
    h(Opened, { title: WORDS.co }, h(CoModerator, { version: seen.version })),
  ];
}

/** What is open, by its title; it stays so while another panel is looked at. */
const opened = signal(/** @type {Readonly<Record<string, boolean>>} */ ({}));

/**
 * What is made once it is opened.
 * @param {{title: string, children?: import("../vendor/preact.js").ComponentChildren}} props
 */
function Opened({ title, children }) {
  const isOpen = opened.value[title] ?? false;
  const onToggle = (/** @type {{currentTarget: HTMLDetailsElement}} */ event) => {
    opened.value = { ...opened.peek(), [title]: event.currentTarget.open };
  };
  return h("details", { open: isOpen, onToggle }, h("summary", null, title), isOpen && children);
}

/** @param {{seen: View}} props */
function Awaited({ seen }) {
  const waiting = decisions.value?.waiting ?? [];
  if (waiting.length === 0) return null;
  return [
    h("h2", null, WORDS.awaited),
    h(
      "ul",
      { class: "awaited" },
      waiting.map((one) => {
        const who = one.unnamed ? TABLE.hiddenTraitor : one.seat === null ? TABLE.moderator : nameOf(seen, one.seat);
        return h(
          "li",
          { key: one.decision + who },
          h("strong", null, who),
          h("span", null, one.text),
          one.since && h("time", { dateTime: one.since }, WORDS.since(clock(one.since))),
          one.due && h("time", { dateTime: one.due }, TABLE.due(clock(one.due))),
        );
      }),
    ),
  ];
}

/** @param {{version: number}} props */
function Post({ version }) {
  const [format, setFormat] = useState(setting("post") === "bbcode" ? "bbcode" : "markdown");
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
    }).then((told) => !off.signal.aborted && setText(told.ok ? told.data : told.problem.detail));
    return () => off.abort();
  }, [version, format]);
  const choose = (/** @type {any} */ event) => {
    setFormat(event.currentTarget.value);
    keepSetting("post", event.currentTarget.value);
  };
  return [
    h(
      "label",
      null,
      WORDS.format,
      h(
        "select",
        { value: format, onChange: choose },
        Object.entries(WORDS.formats).map(([one, title]) => h("option", { key: one, value: one }, title)),
      ),
    ),
    h(
      "label",
      null,
      WORDS.text,
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

/** @param {{version: number}} props */
function CoModerator({ version }) {
  const [left, setLeft] = useState(-2); // of the invite; -1: there is none
  useEffect(() => {
    const of = place.value;
    if (!of) return undefined;
    const off = new AbortController();
    void call("get", "/v1/games/{game}/invites", { path: { game: of.game }, token: of.token, signal: off.signal }).then(
      (told) => {
        if (told.ok) setLeft(told.data.invites.find((one) => one.place === INVITE)?.left ?? -1);
      },
    );
    return () => off.abort();
  }, [version]);
  const of = place.value;
  const invite = invitesOf(of?.game ?? "")[INVITE];
  if (left === -2 || !of) return h("p", { class: "loading" }, TABLE.loading);
  if (left === 0) return h("p", null, WORDS.come);
  if (left === -1) return h("p", null, WORDS.alone);
  if (!invite) return h("p", null, WORDS.elsewhere);
  return [
    h("p", null, WORDS.share),
    h(Share, { to: { part: "join", game: of.game, place: INVITE, invite }, whom: LOBBY.room[INVITE] }),
  ];
}
