// The house: its floors beside each other, on a phone one at a time, in a frame in which it is moved, with what was picked on top.
import { h, useLayoutEffect, useMemo, useRef, useState } from "../vendor/preact.js";
import { BOARD } from "../words.js";
import { Painter } from "./floor.js";
import { Camera } from "./gestures.js";
import { icon } from "./icons.js";
import { arranged, CELL, plansOf } from "./layout.js";
import { Look } from "./look.js";

/** @typedef {import("./layout.js").View} View */
/** @typedef {import("./layout.js").Box} Box */
/** @typedef {import("./spots.js").Place} Place */
/** @typedef {import("./spots.js").Placed} Placed */
/**
 * @typedef {object} HouseProps
 * @property {View} view
 * @property {import("./spots.js").Spots} spots where the commands are
 * @property {(command: Placed) => void} onAct a command was chosen
 * @property {(place: Place) => void} [onWhy] a place was picked that no command is about
 * @property {import("../vendor/preact.js").ComponentChildren} [why] what came of it, shown beside the place that was picked last
 * @property {boolean} [waits] whether commands wait for something
 * @property {{at: number, as: string} | null} [moment] nothing glides in the past
 * @property {number | null} [me] my seat
 */

/** Pixels; below, one floor is shown at a time. */
const NARROW = 640;
/** Below this zoom the house can't be read well. */
const READABLE = 0.72;
/** How far an arrow key moves the house. */
const STEP = 60;
const CLOSER = 1.25;

/** @type {Readonly<Record<string, readonly [number, number]>>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const UNKNOWN = { width: 0, height: 0 };

/** @param {HouseProps} props */
export function House(props) {
  const { view, spots, onAct, onWhy, why, waits = false, moment = null, me = view.you ?? null } = props;
  const frame = useRef(/** @type {HTMLDivElement | null} */ (null));
  const world = useRef(/** @type {HTMLDivElement | null} */ (null));
  const camera = useRef(/** @type {Camera | null} */ (null));
  const painter = useRef(new Painter());
  const [size, setSize] = useState(UNKNOWN);
  const [turned, setTurned] = useState(/** @type {Readonly<Record<string, number>>} */ ({}));
  const [tab, setTab] = useState({ floor: "", from: "" });
  const [picked, setPicked] = useState({ key: "", version: -1 });

  const mine = view.explorers.find((one) => one.seat === me);
  const acting =
    view.monsters.find((one) => one.id === view.turn.active) ??
    view.explorers.find((one) => one.seat === view.turn.seat);
  const home = view.rooms.find((room) => room.id === (mine ?? acting)?.room) ?? view.rooms[0];
  const isNarrow = size.width > 0 && size.width < NARROW;
  const plans = useMemo(() => plansOf(view, spots.offers), [view, spots]);
  // Whoever looks at another floor comes back when the explorer changes floors.
  const isElsewhere = tab.from === home?.floor && plans.some((one) => one.floor === tab.floor);
  const floor = (isElsewhere ? tab.floor : home?.floor) ?? "";
  const { shown, whole } = useMemo(() => {
    const found = plans.filter((one) => size.width > 0 && (!isNarrow || one.floor === floor));
    return { shown: found, whole: arranged(found, size.width || 1, size.height || 1) };
  }, [plans, isNarrow, floor, size]);
  const floors = painter.current.paint({ view, spots, home: mine ? mine.room : "", turned, waits }, plans);
  const { buttons } = painter.current;
  const open = picked.version === view.version ? buttons.get(picked.key) : undefined;

  /** @param {string} key */
  const buttonOf = (key) => {
    const found = world.current?.querySelector(`[data-key="${CSS.escape(key)}"]`);
    return found instanceof HTMLElement ? found : null;
  };
  const close = () => setPicked({ key: "", version: -1 });

  /**
   * Act, if one thing can be done there. Otherwise take a closer look, and always in one's own room: what can be done there is no move.
   * @param {string} key
   * @param {boolean} [isLook] whether only to look
   */
  const pick = (key, isLook = false) => {
    const spot = buttons.get(key);
    if (!spot) return;
    const [first, second] = spot.commands;
    if (first && !second && !isLook && key !== `room/${mine?.room}`) {
      if (waits) return;
      close();
      onAct(first);
      return;
    }
    setPicked({ key, version: view.version });
    if (!first && !isLook) onWhy?.(spot.place);
  };

  /** @param {string} id */
  const goTo = (id) => {
    const room = view.rooms.find((one) => one.id === id);
    if (!room) return;
    setTab({ floor: room.floor, from: home?.floor ?? "" });
    setTimeout(() => reveal(buttonOf(`room/${id}`)));
  };

  /** @param {HTMLElement | null} spot */
  const reveal = (spot) => {
    const [edge, box, own] = [frame.current?.getBoundingClientRect(), spot?.getBoundingClientRect(), camera.current];
    if (!edge || !box || !own) return;
    own.reveal({ x: box.left - edge.left, y: box.top - edge.top, width: box.width, height: box.height });
    spot?.focus({ preventScroll: true });
  };

  const latest = useRef({ pick, close });
  latest.current = { pick, close };
  useLayoutEffect(() => {
    const [outer, inner] = [frame.current, world.current];
    if (!outer || !inner) return;
    const onRest = (/** @type {Element} */ target) => {
      const key = target.closest("[data-key]")?.getAttribute("data-key");
      if (key) latest.current.pick(key, true);
    };
    const own = new Camera(outer, inner, { onDrag: () => latest.current.close(), onRest });
    camera.current = own;
    const measure = () => {
      const [width, height] = [outer.clientWidth, outer.clientHeight];
      setSize((now) => (now.width === width && now.height === height ? now : { width, height }));
    };
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(outer);
    return () => {
      own.leave();
      watch.disconnect();
    };
  }, []);

  // Whoever was at a spot that is gone stays at the board.
  const held = useRef(/** @type {Element | null} */ (null));
  useLayoutEffect(() => {
    const now = document.activeElement;
    if (held.current && !held.current.isConnected && now === document.body)
      frame.current?.focus({ preventScroll: true });
    else held.current = frame.current?.contains(now) ? now : null;
  });

  // What is in sight stays where it is when the house grows; until somebody moves it by hand, all of it is shown, or as much as can be read.
  const before = useRef({ whole, floor: "", size: UNKNOWN });
  useLayoutEffect(() => {
    const own = camera.current;
    if (!own || !size.width) return;
    const was = before.current;
    before.current = { whole, floor, size };
    own.size = { width: whole.width, height: whole.height };
    const [from, to] = [was.whole.at[floor], whole.at[floor]];
    const isOther = was.size !== size || (isNarrow && was.floor !== floor);
    const isLarger = was.whole.width !== whole.width || was.whole.height !== whole.height;
    const origin = home && whole.at[home.floor];
    const around = origin && { x: origin.x + home.x * CELL, y: origin.y - home.y * CELL, width: CELL, height: CELL };
    if (isOther || (isLarger && !own.moved)) own.fit(around ?? null, READABLE);
    else if (from && to && (from.x !== to.x || from.y !== to.y)) {
      own.pan((from.x - to.x) * own.zoom, (from.y - to.y) * own.zoom);
    }
  });

  /** @param {MouseEvent} event */
  const onClick = (event) => {
    const target = event.target instanceof Element ? event.target : null;
    if (target?.closest(".look")) return;
    const { key, to, turn } = target?.closest("button")?.dataset ?? {};
    if (turn) setTurned({ ...turned, [turn]: (turned[turn] ?? 0) + 1 });
    else if (to) goTo(to);
    else if (key) pick(key, event.shiftKey);
    else close();
  };

  /** @param {KeyboardEvent} event */
  const onKeyDown = (event) => {
    const [own, target] = [camera.current, event.target];
    if (!own || !(target instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.altKey) return;
    const spot = target === frame.current ? null : target;
    const arrow = ARROWS[event.key];
    if (event.key === "Escape" && open) {
      buttonOf(picked.key)?.focus({ preventScroll: true });
      close();
    } else if (target.closest(".look")) return;
    else if (arrow && spot) reveal(neighbor(world.current, spot, arrow));
    else if (arrow) own.pan(-arrow[0] * STEP, -arrow[1] * STEP);
    else if (event.key === "+" || event.key === "=") own.zoomBy(CLOSER);
    else if (event.key === "-") own.zoomBy(1 / CLOSER);
    else if (event.key === "Enter" && !spot && home) goTo(home.id);
    else if (event.key === "i" && spot?.dataset.key) pick(spot.dataset.key, true);
    else return;
    event.preventDefault();
  };

  const look = ["house", isNarrow && "narrow", moment && "past", waits && "waits"].filter(Boolean).join(" ");
  return h(
    "section",
    { class: look, "aria-label": BOARD.house },
    h(
      "div",
      { class: "bar" },
      isNarrow &&
        plans.map((one) => {
          const count = [...buttons.values()].filter((spot) => spot.commands.length && spot.floor === one.floor).length;
          const name = BOARD.floorOffers(BOARD.floors[one.floor] ?? one.floor, count);
          const onPress = () => setTab({ floor: one.floor, from: home?.floor ?? "" });
          return h(
            "button",
            { type: "button", class: "tab", "aria-pressed": one.floor === floor, "aria-label": name, onClick: onPress },
            BOARD.tabs[one.floor] ?? one.floor,
            count > 0 && h("span", { "data-count": count }),
          );
        }),
      h("span", { class: "space" }),
      tool("minus", BOARD.zoomOut, () => camera.current?.zoomBy(1 / CLOSER)),
      tool("plus", BOARD.zoomIn, () => camera.current?.zoomBy(CLOSER)),
      tool("whole", BOARD.wholeHouse, () => camera.current?.fit(null)),
      mine && tool("find", BOARD.findMe, () => goTo(mine.room)),
    ),
    h(
      "div",
      { class: "frame", ref: frame, tabIndex: 0, role: "group", "aria-label": BOARD.map, onClick, onKeyDown },
      h(
        "div",
        { class: "world", ref: world },
        shown.map((plan) => {
          const { x, y } = whole.at[plan.floor] ?? { x: 0, y: 0 };
          const style = { left: `${plan.left + 34}px`, top: `${plan.top + 12}px` };
          return h(
            "div",
            { class: "floor", key: plan.floor, style: { transform: `translate(${x}px, ${y}px)` } },
            !isNarrow && h("h2", { class: "name", style }, BOARD.floors[plan.floor] ?? plan.floor),
            floors.get(plan.floor),
          );
        }),
      ),
      open &&
        h(Look, {
          told: open.told(),
          commands: open.commands,
          anchor: buttonOf(picked.key),
          frame: frame.current,
          waits,
          onCover: (pixels) => camera.current?.pan(0, -pixels),
          onAct: (command) => {
            close();
            onAct(command);
          },
          onClose: () => {
            buttonOf(picked.key)?.focus({ preventScroll: true });
            close();
          },
          children: open.commands.length ? null : why,
        }),
    ),
  );
}

/**
 * @param {string} name
 * @param {string} words
 * @param {() => void} onPress
 */
const tool = (name, words, onPress) =>
  h("button", { type: "button", class: "tool", "aria-label": words, title: words, onClick: onPress }, icon(name));

/**
 * The nearest button in a direction.
 * @param {HTMLElement | null} world
 * @param {HTMLElement} from
 * @param {readonly [number, number]} arrow
 */
function neighbor(world, from, [across, down]) {
  const [x, y] = middleOf(from);
  /** @type {HTMLElement | null} */
  let best = null;
  let least = Number.POSITIVE_INFINITY;
  for (const one of world?.querySelectorAll("button") ?? []) {
    const [right, below] = [middleOf(one)[0] - x, middleOf(one)[1] - y];
    const [along, aside] = [right * across + below * down, Math.abs(right * down) + Math.abs(below * across)];
    const far = along + 2 * aside;
    if (one !== from && along > 1 && aside <= along && far < least) [best, least] = [one, far];
  }
  return best;
}

/**
 * @param {Element} one
 * @returns {[number, number]}
 */
function middleOf(one) {
  const { left, top, width, height } = one.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
}
