// Small drawings: those of the printed picture (projections/board/icons.py), and a few that only the table has.
import { h } from "../vendor/preact.js";

/**
 * By icon, on a square of 24 by 24: the path that is drawn as a line, and the one that is filled.
 * @type {Readonly<Record<string, readonly [string, string]>>}
 */
const DRAWINGS = {
  antenna: ["M12 11v11M8 22h8M7 15a7 7 0 0 1 0-10M17 5a7 7 0 0 1 0 10", "M10 10a2 2 0 1 0 4 0a2 2 0 1 0 -4 0"],
  arch: ["M4 21V11a8 8 0 0 1 16 0v10M2 21h20", "M9 21v-9a3 3 0 0 1 6 0v9z"],
  barrel: ["M7 3h10c3 6 3 12 0 18H7C4 15 4 9 7 3zM5 9h14M5 15h14", ""],
  boards: [
    "M2 5h20v5H2zM2 14h20v5H2z",
    "M4 7.5a1 1 0 1 0 2 0a1 1 0 1 0 -2 0M18 7.5a1 1 0 1 0 2 0a1 1 0 1 0 -2 0M4 16.5a1 1 0 1 0 2 0a1 1 0 1 0 -2 0M18 16.5a1 1 0 1 0 2 0a1 1 0 1 0 -2 0",
  ],
  book: ["M12 6C9 4 6 4 2 5v14c4-1 7-1 10 1c3-2 6-2 10-1V5c-4-1-7-1-10 1zM12 6v14", ""],
  bottle: ["M10 2h4v6l4 5v9H6v-9l4-5z", "M6 15h12v7H6z"],
  bridge: ["M2 5c4 9 16 9 20 0M2 4v15M22 4v15M2 17h20M7 10.5V17M12 12v5M17 10.5V17", ""],
  cage: ["M5 21V9a7 7 0 0 1 14 0v12zM9.7 3v18M14.3 3v18M5 12h14", ""],
  candle: ["M9 11h6v10H9zM6 21h12", "M12 1c3 4 3 8 0 8s-3-4 0-8z"],
  chair: ["M7 2v20M7 13h11v9M7 18h11M7 5h3", ""],
  chest: ["M2 11a6 6 0 0 1 6-6h8a6 6 0 0 1 6 6v9H2zM2 11h20", "M10 9h4v6h-4z"],
  cloud: ["M7 19a4.5 4.5 0 0 1-.5-9A6 6 0 0 1 18 9a5 5 0 0 1-.5 10z", ""],
  crate: ["M3 4h18v16H3zM3 4l18 16M21 4L3 20", ""],
  cross: ["M5 5l14 14M19 5L5 19", ""],
  curtain: ["M2 3h20M4 3c0 9 0 12-1 18h6c1-6 2-11 1-18M20 3c0 9 0 12 1 18h-6c-1-6-2-11-1-18", ""],
  cutlery: ["M7 2v20M4 2v5a3 3 0 0 0 6 0V2M17 22V2c-3 2-4 8-3 12h3", ""],
  dish: ["M2.5 12a9.5 9.5 0 1 0 19 0a9.5 9.5 0 1 0 -19 0M7 12a5 5 0 1 0 10 0a5 5 0 1 0 -10 0", ""],
  door: ["M6 21V3h12v18M3 21h18", "M13.5 12a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0 -3 0"],
  drain: ["M2.5 12a9.5 9.5 0 1 0 19 0a9.5 9.5 0 1 0 -19 0M8 4v16M12 3v18M16 4v16", ""],
  drop: ["", "M12 2c5 7 7 10 7 13a7 7 0 0 1-14 0c0-3 2-6 7-13z"],
  ear: ["M6 10a6 6 0 0 1 12 0c0 5-5 5-5 9a3 3 0 0 1-6 1M10 10a2.3 2.3 0 0 1 4.5 0c0 2-2 2-2 4", ""],
  egg: [
    "M12 2c4 0 8 7 8 12a8 8 0 0 1-16 0c0-5 4-12 8-12z",
    "M8.7 10a1.3 1.3 0 1 0 2.6 0a1.3 1.3 0 1 0 -2.6 0M12.4 14a1.6 1.6 0 1 0 3.2 0a1.6 1.6 0 1 0 -3.2 0M7.8 16a1.2 1.2 0 1 0 2.4 0a1.2 1.2 0 1 0 -2.4 0",
  ],
  figure: ["M9 5a3 3 0 1 0 6 0a3 3 0 1 0 -6 0M12 8v7M4 11h16M12 15l-6 7M12 15l6 7", ""],
  flame: ["", "M12 1c1 6 7 7 7 14a7 7 0 0 1-14 0c0-4 2-5 2-8c2 1 3 2 3 4c2-3 3-6 2-10z"],
  footprints: [
    "",
    "M7 1c3 0 4 5 3 10H5C3 6 4 1 7 1zM5 12h5c0 3-1 4-2 4S5 15 5 12zM17 7c3 0 4 5 3 10h-5C13 12 14 7 17 7zM15 18h5c0 3-1 4-2 4s-3-1-3-4z",
  ],
  frame: ["M4 2h16v20H4zM8 6h8v12H8z", ""],
  hammer: ["M12 11v11M4 4h16v7H4z", "M4 4h5v7H4z"],
  hourglass: [
    "M5 2h14M5 22h14M7 2c0 6 4 7 4 10s-4 4-4 10M17 2c0 6-4 7-4 10s4 4 4 10",
    "M8 21c1-4 7-4 8 0zM9 6h6l-3 4z",
  ],
  ladder: ["M7 2v20M17 2v20M7 6h10M7 11h10M7 16h10", ""],
  lamp: ["M8 8h8l2 11H6zM9 8a3 3 0 0 1 6 0M5 21h14M12 2v3", "M12 10c2 3 2 6 0 6s-2-3 0-6z"],
  lock: [
    "M4 11h16v10H4zM7 11V8a5 5 0 0 1 10 0v3",
    "M10.2 15a1.8 1.8 0 1 0 3.6 0a1.8 1.8 0 1 0 -3.6 0M11.2 15h1.6v4h-1.6z",
  ],
  mask: [
    "M4 4c5 2 11 2 16 0c1 10-2 18-8 18S3 14 4 4zM9 16c2 2 4 2 6 0",
    "M7 10.5a1.7 1.7 0 1 0 3.4 0a1.7 1.7 0 1 0 -3.4 0M13.6 10.5a1.7 1.7 0 1 0 3.4 0a1.7 1.7 0 1 0 -3.4 0",
  ],
  mirror: ["M12 2c4 0 6 4 6 8s-2 8-6 8s-6-4-6-8s2-8 6-8zM12 18v4M7 22h10M9.5 11l4-5", ""],
  nest: [
    "M2 12c2 11 18 11 20 0zM7 19l9-6M9 13l7 6",
    "M5.9 8.5a2.6 2.6 0 1 0 5.2 0a2.6 2.6 0 1 0 -5.2 0M12.9 8.5a2.6 2.6 0 1 0 5.2 0a2.6 2.6 0 1 0 -5.2 0",
  ],
  picture: ["M2 4h20v16H2z", "M4 18l5-8l4 5l2-2l5 5zM14.7 9a1.8 1.8 0 1 0 3.6 0a1.8 1.8 0 1 0 -3.6 0"],
  pillar: ["M4 3h16M4 21h16M7 3v18M17 3v18M12 6v12", ""],
  pit: ["M2 11h5v10h10V11h5M12 2v12", "M7.5 11h9L12 17.5z"],
  root: ["M12 2v20M12 8c0 7-7 5-8 14M12 8c0 7 7 5 8 14", ""],
  rope: ["M12 2v8M12 16v6M11 16l-4 6M13 16l4 6", "M8.8 13a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0 -6.4 0"],
  safe: [
    "M3 4h18v15H3zM6 19v3M18 19v3M8 11.5a4 4 0 1 0 8 0a4 4 0 1 0 -8 0",
    "M10.6 11.5a1.4 1.4 0 1 0 2.8 0a1.4 1.4 0 1 0 -2.8 0",
  ],
  shutter: ["M3 3h18v18H3zM12 3v18M3 9h18M3 15h18", ""],
  skull: [
    "M12 2a9 9 0 0 1 9 9c0 3-1 5-4 6v4H7v-4c-3-1-4-3-4-6a9 9 0 0 1 9-9zM12 18v3",
    "M6.3 11a2.2 2.2 0 1 0 4.4 0a2.2 2.2 0 1 0 -4.4 0M13.3 11a2.2 2.2 0 1 0 4.4 0a2.2 2.2 0 1 0 -4.4 0",
  ],
  spiral: ["M12 12a2 2 0 0 1 4 0a5 5 0 0 1-9 0a6.5 6.5 0 0 1 13 0a8.5 8.5 0 0 1-17 0", ""],
  stairs: ["M2 21h20V3h-5v4.5h-5V12H7v4.5H2z", ""],
  star: ["", "M12 1l3.2 7.4l8 .8l-6 5.3l1.8 7.8L12 18.2L5 22.3l1.8-7.8l-6-5.3l8-.8z"],
  stove: ["M4 3h16v15H4zM6 18v4M18 18v4M4 7h16", "M8 10h8v5H8z"],
  table: ["M2 8h20M5 8v13M19 8v13M2 8v3h20V8", ""],
  tag: ["M2 12V2h10l10 10l-10 10z", "M5.2 7a1.8 1.8 0 1 0 3.6 0a1.8 1.8 0 1 0 -3.6 0"],
  wall: ["M2 4h20v16H2zM2 9.3h20M2 14.7h20M9 4v5.3M15 9.3v5.4M9 14.7V20", ""],
  wardrobe: [
    "M4 2h16v18H4zM12 2v18M6 20v2M18 20v2",
    "M8.3 11a1.2 1.2 0 1 0 2.4 0a1.2 1.2 0 1 0 -2.4 0M13.3 11a1.2 1.2 0 1 0 2.4 0a1.2 1.2 0 1 0 -2.4 0",
  ],
  wheel: ["M2.5 12a9.5 9.5 0 1 0 19 0a9.5 9.5 0 1 0 -19 0M12 3v18M3 12h18", "M9 12a3 3 0 1 0 6 0a3 3 0 1 0 -6 0"],
};

/**
 * Only on the table, not in the printed picture: what a deck's symbol shows, and signs of the board.
 * @type {Readonly<Record<string, readonly [string, string]>>}
 */
const SIGNS = {
  omen: ["", "M1 9c3-5 8-5 10-1c4 0 8 2 12 11c-3-1-5-1-6-3l-1 3l-4-3l-1 5l-2-5c-4 0-6-2-6-7z"],
  cards: ["M8 6l9-3l5 14l-9 3z", "M2 6h11v15H2z"],
  harm: ["M12 3L2 21h20zM12 9v6", "M10.7 17.8a1.3 1.3 0 1 0 2.6 0a1.3 1.3 0 1 0 -2.6 0"],
  turn: ["M20 12a8 8 0 1 1-3-6.2", "M21 1v8h-8z"],
  find: ["M5 12a7 7 0 1 0 14 0a7 7 0 1 0 -14 0M12 1v7M12 16v7M1 12h7M16 12h7", ""],
  whole: ["M9 3H3v6M15 3h6v6M9 21H3v-6M15 21h6v-6", ""],
  plus: ["M12 4v16M4 12h16", ""],
  minus: ["M4 12h16", ""],
  way: ["M4 12h16M13 5l7 7l-7 7", ""],
};

/** @param {string} name */
export const isIcon = (name) => name in DRAWINGS || name in SIGNS;

/**
 * A drawing without a name of its own: what it stands in has one.
 * @param {string} name
 * @param {string} [look] its class
 */
export function icon(name, look = "icon") {
  const [line, surface] = SIGNS[name] ?? DRAWINGS[name] ?? ["", ""];
  return h(
    "svg",
    { class: look, viewBox: "0 0 24 24", "aria-hidden": "true" },
    line && h("path", { class: "line", d: line }),
    surface && h("path", { class: "surface", d: surface }),
  );
}
