// Where an invite leads: what game it is, and the form that claims the place.
import { go, write } from "../address.js";
import { call, isSettled, randomKey, sleep } from "../api.js";
import { initialsOf, pawn } from "../board/figures.js";
import { Stop } from "../frame.js";
import {
  choose,
  dropInvite,
  dropRequest,
  dropSecret,
  keep,
  keepRequest,
  placesIn,
  requestsKept,
  seatOf,
} from "../places.js";
import { h, useEffect, useRef, useState } from "../vendor/preact.js";
import { LOBBY } from "../words.js";
import { Door, errorsOf, Field, usePack } from "./lobby-pieces.js";

/** @typedef {import("../api.js").Schemas} Schemas */
/** @typedef {import("../address.js").JoinAddress} JoinAddress */
/** @typedef {import("../api.js").Problem} Problem */
/** @typedef {import("../places.js").Place} Place */

const JOIN = LOBBY.join;
/** Milliseconds between two looks at who has come. */
const OFTEN = 4000;
const ENTROPY = /^[A-Za-z0-9+/=_-]{0,64}$/;

/**
 * Take the place, and keep it: the service shows its token once.
 * @param {JoinAddress} of
 * @param {import("../places.js").Kept} request its body has the invite: another one of the same seat is another request
 * @param {AbortSignal} off
 */
async function claim(of, request, off) {
  const { game, place } = of;
  const seat = seatOf(place);
  const name = `${game}/join/${place}`;
  const sent = { key: request.key, signal: off };
  const body = /** @type {Schemas["ClaimSeat"]} */ (request.body);
  const { invite } = body;
  const answer =
    seat >= 0
      ? await call("post", "/v1/games/{game}/seats/{seat}/claim", { path: { game, seat }, body, ...sent })
      : place === "spectator"
        ? await call("post", "/v1/games/{game}/spectators", { path: { game }, body: { invite }, ...sent })
        : await call("post", "/v1/games/{game}/referee", { path: { game }, body: { invite }, ...sent });
  if (answer.ok) {
    const { token, role } = answer.data;
    keep({ game, role, id: token.id, token: token.secret, ...(body.name && { name: body.name }) });
    if (place !== "spectator") dropInvite(game, place);
  }
  if (answer.ok || isSpent(answer.problem)) dropSecret(write({ ...of, invite: "" }));
  if (isSettled(answer)) dropRequest(name, request.key);
  return answer;
}

/** @param {Problem | null | undefined} problem that no other attempt with the same invite overcomes */
const isSpent = (problem) => /^(invite-|game-over)/.test(problem?.code ?? "");

/** A text for the dice that nobody can guess. */
function draw() {
  return btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(18))))
    .replace(/\+/g, "-")
    .replace(/\//g, "_");
}

/**
 * An invite's place: what is known of its game, and the claim.
 * @param {JoinAddress} of
 * @param {() => Place | undefined} mine the place, if this browser has it
 * @param {(own: Place) => void} toTable
 */
function useInvite(of, mine, toTable) {
  const { game, place, invite } = of;
  const [facts, setFacts] = useState(/** @type {Schemas["GameShown"] | null} */ (null));
  const [problem, setProblem] = useState(/** @type {Problem | null} */ (null));
  const [isSending, setSending] = useState(false);
  const [isUsed, setUsed] = useState(false);
  const off = useRef(/** @type {AbortController | null} */ (null));

  /** @param {import("../places.js").Kept} request */
  const send = async (request) => {
    setSending(true);
    setProblem(null);
    const signal = /** @type {AbortController} */ (off.current).signal;
    const answer = await claim(of, request, signal);
    if (answer.ok) return go({ part: "table", game }, { replace: true });
    if (signal.aborted) return;
    setSending(false);
    const own = mine();
    if (own && answer.problem.code === "seat-taken") return toTable(own); // in another tab
    setUsed(isSpent(answer.problem));
    setProblem(answer.problem);
    void read();
  };

  /** Who has come, and with which explorer: others claim their places meanwhile. */
  const read = async () => {
    const { signal } = /** @type {AbortController} */ (off.current);
    const answer = await call("get", "/v1/games/{game}", { path: { game }, signal });
    if (answer.ok) setFacts(answer.data);
    return answer;
  };

  useEffect(() => {
    const controller = new AbortController();
    off.current = controller;
    setFacts(null);
    setProblem(null);
    setUsed(false);
    const { signal } = controller;
    const left = requestsKept(`${game}/join/${place}`).find((one) => Object(one.body).invite === invite);
    if (left) void send(left);
    const watch = async () => {
      const answer = await read();
      if (!answer.ok && !signal.aborted) setProblem(answer.problem);
      while (!signal.aborted) {
        await sleep(OFTEN, signal);
        if (!document.hidden && !signal.aborted) await read();
      }
    };
    void watch();
    if (!left)
      void call("get", "/v1/games/{game}/invites", { path: { game }, token: invite, signal }).then((answer) => {
        const told = answer.data?.invites[0];
        if (answer.ok ? told?.place !== place.replace("seat-", "seat:") || !told.left : answer.status === 401)
          setUsed(true);
      });
    return () => controller.abort();
  }, [game, place, invite]);
  return { facts, problem, isSending, isUsed, send };
}

/** @param {{address: JoinAddress}} props */
export function Join({ address: of }) {
  const { game, place, invite } = of;
  const role = place === "co-referee" ? "referee" : place.replace("-", ":");
  const findMine = () => placesIn(game).find((one) => one.role === role);
  const toTable = (/** @type {Place} */ own) => {
    choose(own);
    go({ part: "table", game }, { replace: true });
  };
  const { facts, problem, isSending, isUsed, send } = useInvite(of, findMine, toTable);
  const mine = findMine();
  useEffect(() => {
    if (isUsed) dropSecret(write({ ...of, invite: "" }));
    if (isUsed && mine) toTable(mine);
  }, [isUsed]);

  if (problem?.code === "not-found" && !facts) return h(Stop, { why: "link", detail: problem.detail });
  if (isSpent(problem)) return h(Stop, { why: "invite", detail: problem?.detail ?? "" });
  if (!facts) return h("p", { class: "loading" }, LOBBY.unread);
  if (isUsed && !mine) return h(Stop, { why: "invite" });

  const seat = seatOf(place);
  const kind = /** @type {keyof typeof JOIN.what} */ (seat >= 0 ? "seat" : place);
  const title = seat >= 0 ? JOIN.seat(seat) : JOIN[/** @type {"referee"} */ (place)];
  /** @param {object} said */
  const onClaim = (said) => {
    const request = { key: randomKey(), body: { ...said, invite } };
    keepRequest(`${game}/join/${place}`, request);
    void send(request);
  };
  return h(
    "section",
    { class: "lobby join" },
    h(Door, { title, said: JOIN.what[kind] }),
    h(About, { facts }),
    mine &&
      (facts.seats[seat]?.claimed ?? true) && // a player who was replaced has none
      h(
        "p",
        { class: "notice" },
        JOIN.mine,
        " ",
        h("button", { type: "button", onClick: () => toTable(mine) }, JOIN.toTable),
      ),
    !isUsed && h(ClaimForm, { key: place, facts, seat, problem, isSending, onClaim }),
  );
}

/** @param {{facts: Schemas["GameShown"]}} props */
function About({ facts }) {
  const pack = usePack(facts.pack);
  const taken = facts.seats.flatMap((one) => pack?.characters.find(({ id }) => id === one.character)?.title ?? []);
  const haunt = facts.options.haunt;
  const chance = /** @type {Record<string, string>} */ (LOBBY.open.chances)[facts.randomness] ?? facts.randomness;
  const known = [
    [
      JOIN.by,
      pack?.editions.find((one) => one.id === facts.edition && one.id !== pack.edition)?.title ??
        pack?.title ??
        facts.pack,
    ],
    [LOBBY.open.players, LOBBY.open.number(facts.seats.length)],
    [JOIN.haunt, haunt ? (pack?.haunts.find((one) => one.id === haunt)?.title ?? haunt) : LOBBY.open.anyHaunt],
    [JOIN.chance, chance],
    [JOIN.seats, taken.join(", ") || JOIN.noneTaken],
  ];
  return [
    h(
      "dl",
      { key: "facts" },
      known.map(([what, said]) => [h("dt", { key: `${what}?` }, what), h("dd", { key: what }, said)]),
    ),
    facts.hotseat && h("p", { key: "hotseat" }, JOIN.hotseat),
  ];
}

/**
 * @param {{facts: Schemas["GameShown"], seat: number, problem: Problem | null, isSending: boolean,
 *   onClaim: (body: object) => void}} props
 */
function ClaimForm({ facts, seat, problem, isSending, onClaim }) {
  const [wrongEntropy, setWrongEntropy] = useState("");
  /** @type {import("./lobby-pieces.js").Wrong} */
  const wrong = problem ? errorsOf(problem, (pointer) => /^\/(name|character|entropy)$/.exec(pointer)?.[1] ?? "") : {};
  if (wrongEntropy) wrong.entropy = wrongEntropy;
  // Who comes in place of somebody else takes what that player has chosen.
  const explorer = usePack(facts.pack)?.characters.find(({ id }) => id === facts.seats[seat]?.character)?.title;
  const isFresh = seat >= 0 && facts.status === "open" && !(facts.seats[seat]?.claimed || facts.seats[seat]?.vacant);

  /** @param {SubmitEvent & {currentTarget: HTMLFormElement}} event */
  const submit = (event) => {
    event.preventDefault();
    const said = new FormData(event.currentTarget);
    const text = (/** @type {string} */ name) => String(said.get(name) ?? "").trim();
    if (!ENTROPY.test(text("entropy"))) return setWrongEntropy(JOIN.entropyWrong);
    setWrongEntropy("");
    onClaim(
      Object.fromEntries(["name", "character", "entropy"].flatMap((one) => (text(one) ? [[one, text(one)]] : []))),
    );
  };
  return h(
    "form",
    { onSubmit: submit },
    seat >= 0 &&
      h(Field, {
        label: JOIN.name,
        name: "name",
        maxLength: 80,
        autocomplete: "nickname",
        wrong: wrong.name,
      }),
    !isFresh && explorer && h("p", null, JOIN.takeOver(explorer)),
    isFresh && h(Explorers, { facts, seat, wrong: wrong.character }),
    isFresh && facts.randomness === "seeded" && h(Entropy, { wrong: wrong.entropy }),
    h("p", { class: "wrong", role: "alert" }, wrong[""]),
    h(
      "button",
      { type: "submit", class: "main large", disabled: isSending },
      isSending ? JOIN.sending : seat >= 0 ? JOIN.submit : JOIN.enter,
    ),
  );
}

/** @param {{wrong: string | undefined}} props a player's part of the dice, drawn or typed */
function Entropy({ wrong }) {
  const [entropy, setEntropy] = useState(draw);
  return h(
    "div",
    { class: "entropy" },
    h(Field, {
      label: JOIN.entropy,
      hint: JOIN.entropyHint,
      name: "entropy",
      maxLength: 64,
      spellcheck: false,
      autocomplete: "off",
      value: entropy,
      wrong,
      onInput: (/** @type {{currentTarget: HTMLInputElement}} */ event) => setEntropy(event.currentTarget.value),
    }),
    h("button", { type: "button", onClick: () => setEntropy(draw()) }, JOIN.draw),
  );
}

/**
 * Explorers that are left, with what they begin with. The other side of a card that is taken is taken, too.
 * @param {{facts: Schemas["GameShown"], seat: number, wrong: string | undefined}} props
 */
function Explorers({ facts, seat, wrong }) {
  const pack = usePack(facts.pack);
  const taken = facts.seats.filter((one) => one.seat !== seat).map((one) => one.character);
  const left = (pack?.characters ?? []).filter((one) => !taken.includes(one.id) && !taken.includes(one.other_side));
  const wish = facts.seats[seat]?.character ?? "";
  return h(
    "fieldset",
    { class: "explorers", "aria-describedby": "explorer-wrong" },
    h("legend", null, JOIN.explorer),
    h("p", { id: "explorer-wrong", class: "wrong", role: "alert" }, wrong),
    h(
      "label",
      { class: "explorer" },
      h("input", { type: "radio", name: "character", value: "", required: true, defaultChecked: !wish }),
      pawn(seat, "?"),
      h("span", null, h("strong", null, JOIN.chanceExplorer)),
    ),
    left.map((one) =>
      h(
        "label",
        { key: one.id, class: "explorer" },
        h("input", { type: "radio", name: "character", value: one.id, defaultChecked: one.id === wish }),
        pawn(seat, initialsOf([one.title])[0] ?? ""),
        h(
          "span",
          null,
          h("strong", null, one.title),
          `, ${JOIN.age(one.age)}`,
          h("small", null, JOIN.starts(startOf(one))),
        ),
      ),
    ),
  );
}

/** @param {Schemas["CharacterShown"]} explorer */
function startOf({ traits, starts }) {
  return Object.fromEntries(Object.entries(starts).map(([name, index]) => [name, traits[name]?.[index]]));
}
