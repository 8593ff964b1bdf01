// Reads the address, chooses the part, follows the place: what is on screen begins here.
import { address, go, watch, write } from "./address.js";
import { call } from "./api.js";
import { Banner, Stop } from "./frame.js";
import { follow, game, leave, link, moment, trouble, underway, view } from "./game.js";
import { Hotseat } from "./hotseat.js";
import { chosen, dropSecret, keep } from "./places.js";
import { computed, effect, h, render, untracked, useEffect, useState } from "./vendor/preact.js";
import { FRAME } from "./words.js";

/** @typedef {import("./address.js").Address} Address */
/** @typedef {(props: {address: Address, name: string}) => import("./vendor/preact.js").ComponentChildren} Part */

/**
 * Parts come when they are wanted.
 * @type {Readonly<Record<string, () => Promise<{Part: Part}>>>}
 */
const PARTS = {
  lobby: () => import("./parts/lobby.js"),
  moderator: () => import("./parts/table.js"),
  table: () => import("./parts/table.js"),
  replay: () => import("./parts/replay.js"),
  desk: () => import("./parts/desk.js"),
};

/**
 * What is to be on screen: a part, or why there is none.
 * @type {import("./vendor/preact.js").ReadonlySignal<{part: string} | {stop: string, detail?: string} | {arriving: string, game: string}>}
 */
const onScreen = computed(() => {
  const to = address.value;
  if (to.part === "lobby") return { part: "lobby" };
  if (to.part === "unknown") return { stop: "address" };
  if (to.part === "join") return to.invite ? { part: "lobby" } : { stop: "link" };
  if (to.part === "as") return to.token ? { arriving: to.token, game: to.game } : { stop: "link" };
  if (!chosen(to.game)) return { stop: "stranger" };
  const { code, title = "", detail = "" } = trouble.value ?? {};
  if (code === "unauthorized" || code === "forbidden") return { stop: "token" };
  if (code === "not-found") return { stop: "game" };
  if (code) return { stop: "link", detail: `${title}: ${detail}` };
  if (to.part === "table") return { part: mine() };
  return to.part in PARTS ? { part: to.part } : { stop: "address" };
});

/** The part that a place has in its game; none until it is known. */
function mine() {
  const { status, role } = view.value ?? {};
  if (status === "open") return "lobby";
  if (role !== "referee") return "table";
  return game.value ? (game.value.moderated ? "moderator" : "table") : "";
}

/** The place that the address is about is followed, the one that is chosen in this tab. */
effect(() => {
  const to = address.value;
  const of = "game" in to && to.part !== "as" && to.part !== "join" ? chosen(to.game) : undefined;
  if (to.part !== "replay") moment.value = null; // the replay says what is on screen
  untracked(() => (of ? follow(of) : leave()));
});

/** The link to the service was there before. */
let wasLive = false;

/** @param {{name: string}} props */
function Loaded({ name }) {
  const [found, setFound] = useState(/** @type {{name: string, Part: Part | null} | null} */ (null));
  useEffect(() => {
    let isWanted = true;
    PARTS[name]?.().then(
      ({ Part }) => isWanted && setFound({ name, Part }),
      () => isWanted && setFound({ name, Part: null }),
    );
    return () => {
      isWanted = false;
    };
  }, [name]);
  const hasFailed = found?.Part === null;
  useEffect(() => {
    if (!hasFailed) return undefined;
    // Not every browser asks again for a module that it could not get.
    const again = () => location.reload();
    let isLost = false;
    const off = effect(() => {
      if (isLost && link.value === "live") again();
      isLost = wasLive && link.value === "lost";
    });
    addEventListener("online", again);
    return () => [off(), removeEventListener("online", again)];
  }, [hasFailed]);
  if (found?.name !== name) return h("p", { class: "loading" }, FRAME.loading);
  return found.Part ? h(found.Part, { address: address.value, name }) : h(Stop, { why: "load" });
}

/**
 * Take a place over from another device, if its token holds; else the one that is kept here stays.
 * @param {{game: string, token: string}} props
 */
function Arriving({ game, token }) {
  const [problem, setProblem] = useState(/** @type {import("./api.js").Problem | null} */ (null));
  useEffect(() => {
    const off = new AbortController();
    void call("post", "/v1/games/{game}/tickets", { path: { game }, token, signal: off.signal }).then((answer) => {
      if (off.signal.aborted) return;
      if (!answer.ok && answer.status === 0) return;
      dropSecret(write({ part: "as", game, token: "" }));
      if (!answer.ok) setProblem(answer.problem);
      else {
        keep({ game, role: answer.data.role, token });
        go({ part: "table", game }, { replace: true });
      }
    });
    return () => off.abort();
  }, [game, token]);
  if (!problem) return h("p", { class: "loading" }, FRAME.loading);
  // How programs send tokens is nothing to those who follow a link.
  return h(Stop, { why: "link", detail: problem.status === 401 ? "" : problem.detail });
}

/** @param {Address} of */
function gameOf(of) {
  return "game" in of ? of.game : "";
}

function Page() {
  const what = onScreen.value;
  return [
    h(Banner, { key: "banner" }),
    "part" in what
      ? h(
          Hotseat,
          { key: "part", game: what.part === "lobby" ? "" : gameOf(address.value) },
          h(Loaded, { name: what.part }),
        )
      : "stop" in what
        ? h(Stop, { key: "stop", why: what.stop, ...(what.detail && { detail: what.detail }) })
        : h(Arriving, { key: "arriving", game: what.game, token: what.arriving }),
  ];
}

const main = /** @type {HTMLElement} */ (document.getElementById("main"));

effect(() => {
  const what = onScreen.value;
  main.dataset.part = "part" in what ? what.part : "";
  const at = address.value.part === "replay" ? moment.value?.at : view.value?.version;
  main.dataset.version = String(at ?? 0);
  main.dataset.link = link.value;
  wasLive ||= link.value === "live";
  main.ariaBusy = String(underway.value !== null);
});

/** Who goes elsewhere by keyboard or hears the page begins at its top. */
let before = "";
effect(() => {
  const to = address.value;
  const what = onScreen.value;
  const isInLobby = "part" in what && what.part === "lobby"; // a game that begins leaves its room, at the same address
  const now = (to.part === "replay" ? write({ ...to, at: 0, as: "" }) : write(to)) + isInLobby;
  if (before && before !== now) {
    document.title = FRAME.title;
    main.focus();
  }
  before = now;
});

/** What nobody sees is nothing, so that a field that needs a text says so itself. */
addEventListener("change", (event) => {
  const field = /** @type {HTMLInputElement} */ (event.target);
  if (!/^text/.test(field.type) || !field.value || /[^\s\p{Cf}]/u.test(field.value)) return;
  field.value = "";
  field.dispatchEvent(new Event("input", { bubbles: true }));
});

watch();
render(h(Page, null), main);
