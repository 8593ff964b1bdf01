// The line of a game's commits: what happened where, and the ways to go along it.
import { call } from "../api.js";
import { Kept } from "../board/floor.js";
import { icon } from "../board/icons.js";
import { place } from "../game.js";
import { h, useEffect, useMemo, useState } from "../vendor/preact.js";
import { REPLAY } from "../words.js";

/** @typedef {import("../api.js").Schemas["Mark"] & {at: number}} Mark */

/** What is drawn for each kind of mark but turns, which are lines. */
const MARK_ICONS = { omen: "omen", haunt: "spiral", death: "skull", dispute: "hammer", rewind: "turn" };
/** Pixels of a mark. */
const MARK = 24;
/** Milliseconds that each commit is shown, by speed. */
const PACES = { slow: 2000, normal: 900, fast: 300 };

/**
 * What of a commit is marked, as far as there is a word for it.
 * @param {import("../api.js").Commit} commit
 * @returns {Mark[]}
 */
const marksOf = ({ data: { number: at, marks } }) =>
  (marks ?? []).filter(({ kind }) => kind in REPLAY.kinds).map((one) => ({ ...one, at }));

/**
 * All marks that a role knows of, up to the latest commit.
 * @param {string} as
 * @param {number} newest
 */
export function useMarks(as, newest) {
  const who = `${place.value?.token}@${as}`;
  const [read, setRead] = useState({ who, next: 0, marks: /** @type {readonly Mark[]} */ ([]) });
  const { next, marks } = read.who === who ? read : { next: 0, marks: [] };
  useEffect(() => {
    const of = place.value;
    if (!of || next >= newest) return undefined;
    const off = new AbortController();
    const query = { after: next, limit: 1000, as };
    const asked = { path: { game: of.game }, token: of.token, query, signal: off.signal };
    void call("get", "/v1/games/{game}/events", asked).then((answer) => {
      if (!answer.ok || off.signal.aborted) return;
      const page = /** @type {import("contract").components["schemas"]["EventPage"]} */ (answer.data);
      setRead({ who, next: page.next, marks: [...marks, ...page.events.flatMap(marksOf)] });
    });
    return () => off.abort();
  }, [who, newest, next]);
  return marks;
}

/**
 * The line with its marks, and what goes along it.
 * @param {{at: number, newest: number, marks: readonly Mark[], you: number | null, travel: (at: number) => void,
 *   children?: import("../vendor/preact.js").ComponentChildren}} props `you`: the seat through whose eyes it is
 */
export function Timeline({ at, newest, marks, you, travel, children }) {
  const [isPlaying, play] = useState(false);
  const [speed, setSpeed] = useState(/** @type {keyof typeof PACES} */ ("normal"));
  const turns = useMemo(() => marks.filter((one) => one.kind === "turn"), [marks]);
  /**
   * The next stop on the way; 0 if there is none.
   * @param {string} kind
   * @param {number} way
   */
  const stop = (kind, way) => {
    if (kind === "commit") return at + way <= newest ? at + way : 0;
    const stops = kind === "turn" ? turns : turns.filter((one) => one.seat === you);
    return (way > 0 ? stops.find((one) => one.at > at) : stops.findLast((one) => one.at < at))?.at ?? 0;
  };
  const go = (/** @type {number} */ to) => {
    play(false);
    if (to) travel(to);
  };

  useEffect(() => {
    const to = isPlaying && stop("commit", 1);
    if (!to) {
      play(false);
      return undefined;
    }
    const timer = setTimeout(() => travel(to), PACES[speed]);
    return () => clearTimeout(timer);
  }, [isPlaying, speed, at]);

  useEffect(() => {
    const onKey = (/** @type {KeyboardEvent} */ event) => {
      const way = ["ArrowLeft", "", "ArrowRight"].indexOf(event.key) - 1;
      const isTyping =
        event.target instanceof Element && event.target.closest("select,textarea,input:not([type=range]),dialog");
      if (way < -1 || isTyping || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      go(stop(event.shiftKey ? "turn" : "commit", way));
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  });

  return h(
    "section",
    { class: "line", "aria-label": REPLAY.line },
    h(Marks, { marks, newest, travel: go }),
    h("input", {
      type: "range",
      min: 1,
      max: newest,
      value: at,
      "aria-label": REPLAY.commit,
      "aria-valuetext": REPLAY.at(at, newest, turns.findLast((one) => one.at <= at)?.turn ?? 0),
      onInput: (/** @type {Event & {currentTarget: HTMLInputElement}} */ event) =>
        go(Number(event.currentTarget.value)),
    }),
    h(
      "div",
      { class: "ways" },
      REPLAY.ways.map(
        ([kind, way, sign, title]) =>
          (kind !== "own" || you !== null) &&
          h(
            "button",
            {
              type: "button",
              key: title,
              "aria-label": title,
              title,
              disabled: !stop(kind, way),
              onClick: () => go(stop(kind, way)),
            },
            sign,
          ),
      ),
      h(
        "button",
        { type: "button", class: "main", disabled: at >= newest, onClick: () => play(!isPlaying) },
        isPlaying ? REPLAY.pause : REPLAY.play,
      ),
      h(
        "select",
        {
          "aria-label": REPLAY.speed,
          value: speed,
          onChange: (/** @type {Event & {currentTarget: HTMLSelectElement}} */ event) =>
            setSpeed(/** @type {keyof typeof PACES} */ (event.currentTarget.value)),
        },
        Object.keys(PACES).map((one) =>
          h("option", { key: one, value: one }, REPLAY.speeds[/** @type {keyof typeof PACES} */ (one)]),
        ),
      ),
      children,
    ),
  );
}

/** @param {{marks: readonly Mark[], newest: number, travel: (at: number) => void}} props */
function Marks({ marks, newest, travel }) {
  const [width, setWidth] = useState(innerWidth);
  useEffect(() => {
    const measure = () => setWidth(innerWidth);
    addEventListener("resize", measure);
    return () => removeEventListener("resize", measure);
  }, []);
  const make = () => {
    const apart = MARK / (width < 960 ? width - 32 : 0.6 * width);
    /** Where each row begins, from the lowest row up: a phone has two, on which marks that are close to each other make room to the left. */
    const rows = width < 480 ? [2, 2] : [2, 2, 2];
    let top = 0;
    const drawn = marks.toReversed().map((mark) => {
      const { kind, at } = mark;
      const across = (at - 1) / Math.max(1, newest - 1);
      const name = REPLAY.marked(mark);
      const look = { key: kind + at, "aria-label": name, title: name };
      const left = (/** @type {number} */ share) => `${100 * share}%`;
      if (kind === "turn") return h("i", { role: "img", ...look, style: { left: left(across) } });
      const free = rows.findIndex((begins) => begins - across >= apart);
      const row = free < 0 ? rows.indexOf(Math.max(...rows)) : free;
      const place = Math.max(0, Math.min(across, (rows[row] ?? 0) - apart));
      rows[row] = place;
      top = Math.max(top, row);
      return h(
        "button",
        {
          type: "button",
          ...look,
          style: { left: left(place), bottom: `${8 + MARK * row}px` },
          onClick: () => travel(at),
        },
        icon(MARK_ICONS[/** @type {keyof typeof MARK_ICONS} */ (kind)]),
      );
    });
    const style = { height: `${8 + MARK * (top + 1)}px` };
    return h("div", { class: "marks", role: "group", "aria-label": REPLAY.marks, style }, drawn.reverse());
  };
  return h(Kept, { seen: [marks, newest, width], make });
}
