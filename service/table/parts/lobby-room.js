// The waiting room of an open game, and what its host does later, too: links, players, the end.
import { go } from "../address.js";
import { call, isSettled, randomKey } from "../api.js";
import { initialsOf, pawn } from "../board/figures.js";
import { game, know, readGame, view } from "../game.js";
import {
  chosen,
  dropInvite,
  dropRequest,
  inviteName,
  invitesOf,
  keep,
  keepInvites,
  keepRequest,
  placesIn,
  requestsKept,
  seatOf,
} from "../places.js";
import { h, signal, useEffect, useState } from "../vendor/preact.js";
import { LOBBY } from "../words.js";
import { Choice, Confirm, Door, Share, seatName, usePack } from "./lobby-pieces.js";

/** @typedef {import("../api.js").Schemas} Schemas */
/** @typedef {import("../places.js").Place} Place */

const ROOM = LOBBY.room;

/** Counts invites that have come or gone. */
const changes = signal(0);

/** The invite that was made just now. */
const made = signal("");

/** The place whose link is shown, and whether it is a new one: a new token is followed anew, and all else on the page with it. */
const elsewhere = signal({ place: "", isRenewed: false });

export function Room() {
  const facts = game.value;
  const version = view.value?.version ?? 0;
  useEffect(() => {
    if (version > 0) void readGame();
  }, [version]);
  if (!facts) return h("p", { class: "loading" }, LOBBY.unread);
  const mine = placesIn(facts.id);
  const host = mine.find((one) => one.role === "host");
  const left = facts.seats.filter((one) => !one.claimed);
  return h(
    "section",
    { class: "lobby room" },
    h(Door, { title: ROOM.title, said: left.length > 0 ? ROOM.needed(left.length) : ROOM.ready }),
    h(Seats, { facts, mine }),
    host ? h(Start, { facts, host, left }) : h("p", null, ROOM.hostStarts),
    h(Invites, { facts }),
    h(Managing, { facts, onChange: () => void readGame() }),
  );
}

/** @param {{facts: Schemas["GameShown"], mine: readonly Place[]}} props */
function Seats({ facts, mine }) {
  const pack = usePack(facts.pack);
  const explorers = facts.seats.map((one) => pack?.characters.find(({ id }) => id === one.character));
  const letters = initialsOf(explorers.map((one) => one?.title ?? ""));
  return h(
    "ul",
    { class: "seats" },
    facts.seats.map((one) => {
      const explorer = explorers[one.seat];
      const isMine = mine.some(({ role }) => role === `seat:${one.seat}`);
      return h(
        "li",
        { key: one.seat, class: one.claimed ? "come" : "" },
        pawn(one.seat, (explorer && letters[one.seat]) ?? "?"),
        h(
          "span",
          null,
          h("strong", null, seatName(one)),
          isMine && ` (${ROOM.you})`,
          h("small", null, one.claimed ? (explorer?.title ?? ROOM.anyExplorer) : ROOM.free),
        ),
      );
    }),
  );
}

/** @param {{facts: Schemas["GameShown"], host: Place, left: readonly Schemas["SeatShown"][]}} props */
function Start({ facts, host, left }) {
  const scenarios = usePack(facts.pack)?.scenarios ?? [];
  const [isSending, setSending] = useState(false);
  const [wrong, setWrong] = useState("");
  /** @param {SubmitEvent & {currentTarget: HTMLFormElement}} event */
  const submit = async (event) => {
    event.preventDefault();
    const scenario = String(new FormData(event.currentTarget).get("scenario") ?? "");
    setSending(true);
    const answer = await call("post", "/v1/games/{game}/start", {
      path: { game: facts.id },
      token: host.token,
      key: randomKey(),
      body: scenario ? { scenario } : {},
    });
    setSending(false);
    setWrong(answer.ok ? "" : answer.problem.detail);
    if (answer.ok) know(answer.data.version);
    else void readGame();
  };
  const whom = left.map(seatName).join(", ");
  return h(
    "form",
    { class: "start", onSubmit: submit },
    scenarios.length > 0 &&
      !facts.options.scenario &&
      h(Choice, {
        label: ROOM.scenario,
        name: "scenario",
        options: scenarios.map((one) => /** @type {const} */ ([one.id, one.title])),
      }),
    h(
      "button",
      { type: "submit", class: "main large", disabled: left.length > 0 || isSending, "aria-describedby": "not-yet" },
      ROOM.start,
    ),
    h("p", { id: "not-yet", class: "quiet" }, left.length > 0 && ROOM.notYet(whom)),
    h("p", { class: "wrong", role: "alert" }, wrong),
  );
}

/**
 * Links that this browser keeps until they are used, and for the host and the referee new ones in place of all that are not used up.
 * @param {{facts: Schemas["GameShown"]}} props
 */
export function Invites({ facts }) {
  void changes.value;
  const [said, say] = useState("");
  const told = useInvites(facts);
  const kept = Object.entries(invitesOf(facts.id));
  // An invite of a player's successor names the commit behind which its seat is claimed by it.
  const left = kept.filter(([name]) => {
    const [place = "", since = 0] = name.split("#");
    const isUsed = told.some((one) => !one.left && inviteName(one) === name);
    return !isUsed && !(facts.seats[seatOf(place)]?.claimed && facts.version > Number(since));
  });
  useEffect(() => {
    for (const [name] of kept) if (!left.some(([one]) => one === name)) dropInvite(facts.id, name);
  });
  if (facts.status === "abandoned" || (left.length === 0 && (facts.hotseat || told.length === 0))) return null;
  const isLocal = /^(localhost|127\.|\[::1\])/.test(location.hostname);
  const path = { game: facts.id };
  /** @param {string} name @param {string} token */
  const look = async (name, token) => {
    const answer = await call("get", "/v1/games/{game}/invites", { path, token });
    if (answer.status !== 401) return;
    dropInvite(facts.id, name);
    say(ROOM.ended);
    changes.value += 1;
  };
  /** @param {Schemas["InviteShown"] | undefined} one @param {string} whom */
  const anew = (one, whom) =>
    one && one.left > 0 && h(Confirm, { label: ROOM.anew(whom), what: ROOM.anewWhat, onYes: () => void renew(one) });
  /** @param {Schemas["InviteShown"]} one */
  const renew = async (one) => {
    const answer = await call("post", "/v1/games/{game}/invites/{invite}/rotate", {
      path: { ...path, invite: one.id },
      token: managerOf(facts.id)?.token ?? "",
    });
    say(answer.ok ? "" : answer.problem.detail);
    if (answer.ok) keepNew(facts.id, inviteName(one), inviteName(one), answer.data.invite.secret);
    changes.value += 1;
  };
  return h(
    "section",
    { class: "invites" },
    h("h2", null, ROOM.invites),
    isLocal && left.length > 0 && h("p", { class: "notice" }, ROOM.local),
    facts.randomness === "moderator" &&
      told.some((one) => one.place === "referee" && one.left) &&
      h("p", { class: "notice" }, ROOM.unmoderated),
    left.length === 0 && h("p", null, ROOM.noInvites),
    h("p", { class: "wrong", role: "alert" }, said),
    left.map(([name, invite]) => {
      const place = /^(seat-\d|[a-z-]+[a-z])/.exec(name)?.[0] ?? "";
      const seat = facts.seats[seatOf(place)];
      const whom = seat ? seatName(seat) : ROOM[/** @type {"referee"} */ (place)];
      const to = /** @type {const} */ ({ part: "join", game: facts.id, place, invite });
      const known = told.find((one) => isOf(one, name));
      return h(
        "details",
        {
          key: invite,
          open: name === made.value,
          onToggle: (/** @type {{currentTarget: HTMLDetailsElement}} */ event) =>
            event.currentTarget.open && look(name, invite),
        },
        h("summary", null, ROOM.invite(whom)),
        place === "spectator" && h("p", null, ROOM.shared),
        h(Share, { to, whom }),
        h(
          "div",
          { class: "actions" },
          h("button", { type: "button", onClick: () => go(to) }, ROOM.here),
          anew(known, whom),
        ),
      );
    }),
    h(
      "ul",
      { class: "quiet" },
      told.map((one) => {
        const seat = facts.seats[seatOf(one.place)];
        const whom = seat ? seatName(seat) : (ROOM[/** @type {"referee"} */ (one.place)] ?? one.place);
        return h(
          "li",
          { key: one.id + one.left, class: "actions" },
          ROOM.used(whom, one.good_for - one.left, one.good_for),
          !left.some(([name]) => isOf(one, name)) && anew(one, whom),
        );
      }),
    ),
  );
}

/**
 * Whether an invite is the one that is kept under this name, or was made for a player's successor.
 * @param {Schemas["InviteShown"]} one
 * @param {string} name
 */
const isOf = (one, name) => name.split("#")[0] === inviteName(one);

/**
 * The place here by which invites are managed.
 * @param {string} game
 */
const managerOf = (game) => placesIn(game).find((one) => one.role === "host" || one.role === "referee");

/**
 * @param {string} game
 * @param {string} place whose invite so far has ended
 * @param {string} name of the new one
 * @param {string} secret
 */
function keepNew(game, place, name, secret) {
  made.value = name;
  dropInvite(game, place);
  keepInvites(game, { [name]: secret });
}

/**
 * How much of each invite is used, for the host and the referee.
 * @param {Schemas["GameShown"]} facts
 */
function useInvites({ id: game, version, seats }) {
  const [told, setTold] = useState(/** @type {readonly Schemas["InviteShown"][]} */ ([]));
  const token = managerOf(game)?.token;
  const come = seats.filter((one) => one.claimed).length;
  useEffect(() => {
    const off = new AbortController();
    if (token)
      void call("get", "/v1/games/{game}/invites", { path: { game }, token, signal: off.signal }).then(
        (answer) => answer.ok && setTold(answer.data.invites),
      );
    return () => off.abort();
  }, [game, token, version, come, changes.value]);
  return told;
}

/**
 * What can be done about one's places in a game, and for the host about those of others.
 * @param {{facts: Schemas["GameShown"], onChange: () => void}} props
 */
export function Managing({ facts, onChange }) {
  const [said, say] = useState("");
  const mine = placesIn(facts.id);
  const host = mine.find((one) => one.role === "host");
  const isOver = facts.status === "finished" || facts.status === "abandoned";
  const place = chosen(facts.id);
  return h(
    "section",
    { class: "managing" },
    place && h(Elsewhere, { key: place.role, place }),
    host && host !== place && h(Elsewhere, { key: "host", place: host }),
    host &&
      !isOver &&
      h(
        "div",
        { class: "actions" },
        !facts.hotseat &&
          facts.seats
            .filter((one) => one.claimed)
            .map((one) =>
              h(Confirm, {
                key: one.seat,
                label: ROOM.replace(seatName(one)),
                what: ROOM.replaceWhat(seatName(one)),
                onYes: () => void replace(host, one.seat).then((problem) => [say(problem), onChange()]),
              }),
            ),
        h(Confirm, {
          label: ROOM.close,
          what: ROOM.closeWhat,
          onYes: () => void closeGame(host).then((problem) => [say(problem), onChange()]),
        }),
      ),
    h("p", { class: "wrong", role: "alert" }, said),
  );
}

/**
 * @param {Place} host
 * @param {number} seat
 * @returns {Promise<string>} what went wrong
 */
async function replace(host, seat) {
  const { game, token } = host;
  const name = `${game}/replace/${seat}`;
  const request = requestsKept(name)[0] ?? { key: randomKey(), body: null };
  keepRequest(name, request);
  const answer = await call("post", "/v1/games/{game}/seats/{seat}/replace", {
    path: { game, seat },
    token,
    key: request.key,
  });
  const place = `seat-${seat}`;
  if (answer.ok) keepNew(game, place, `${place}#${answer.data.version}`, answer.data.invite.secret);
  changes.value += 1;
  if (isSettled(answer)) dropRequest(name, request.key);
  return answer.ok ? "" : answer.problem.detail;
}

/** @param {Place} host */
async function closeGame({ game, token }) {
  const answer = await call("post", "/v1/games/{game}/close", { path: { game }, token, key: randomKey() });
  return answer.ok ? "" : answer.problem.detail;
}

/** @param {{place: Place}} props */
function Elsewhere({ place }) {
  const name = `${place.game}/${place.role}`;
  const isOther = place !== chosen(place.game);
  const isShown = elsewhere.value.place === name;
  const show = (/** @type {boolean} */ isRenewed) => {
    elsewhere.value = { place: name, isRenewed };
  };
  const [wrong, setWrong] = useState("");
  const renew = async () => {
    const problem = await rotate(place);
    setWrong(problem);
    if (!problem) show(true);
  };
  return h(
    "div",
    { class: "elsewhere" },
    h("h2", null, place.role === "host" ? ROOM.hostElsewhere : ROOM.elsewhere),
    h("p", null, ROOM.elsewhereWhat),
    isShown && elsewhere.value.isRenewed && h("p", { role: "status" }, ROOM.renewed),
    isShown && h(Share, { to: { part: "as", game: place.game, token: place.token }, whom: ROOM.elsewhere }),
    h(
      "div",
      { class: "actions" },
      !isShown && h("button", { type: "button", onClick: () => show(false) }, ROOM.showLink(isOther)),
      h(Confirm, { label: ROOM.renew(isOther), what: ROOM.renewWhat, onYes: () => void renew() }),
    ),
    h("p", { class: "wrong", role: "alert" }, wrong),
  );
}

/**
 * Exchange a place's token for a new one. A retry with the old one and the same key gets the new one again.
 * @param {Place} place
 * @returns {Promise<string>} what went wrong
 */
async function rotate(place) {
  const { game, role, token: old } = place;
  const name = `${game}/rotate/${role}`;
  const request = requestsKept(name).find((one) => one.body === old) ?? { key: randomKey(), body: old };
  keepRequest(name, request);
  const ids = place.id ? [place.id] : { referee: ["referee", "co-referee"], spectator: ["spectator-1"] }[role];
  let said = "";
  for (const id of ids ?? [role.replace(":", "-")]) {
    const answer = await call("post", "/v1/games/{game}/tokens/{token}/rotate", {
      path: { game, token: id },
      token: old,
      key: request.key,
    });
    if (answer.ok) keep({ ...place, id, token: answer.data.token.secret });
    if (isSettled(answer) && answer.status !== 403) dropRequest(name, request.key);
    if (answer.ok) return "";
    said = answer.problem.detail;
  }
  return said;
}
