// The form that opens a game. The answer shows tokens and invites once: the request is kept until there is one.
import { go } from "../address.js";
import { call, isSettled, randomKey } from "../api.js";
import { dropRequest, inviteName, keep, keepInvites, keepRequest, requestsKept } from "../places.js";
import { against, contract, readJson } from "../schema.js";
import { h, signal, useEffect, useRef, useState } from "../vendor/preact.js";
import { FRAME, LOBBY } from "../words.js";
import { Choice, errorsOf, Field, usePack } from "./lobby-pieces.js";

/** @typedef {import("../api.js").Schemas} Schemas */
/** @typedef {import("../schema.js").Schemas} Shapes */
/** @typedef {{asked: Schemas["OpenGame"], opener: string}} Opening `opener`: the operator's key */

const OPEN_GAME = LOBBY.open;

/** Requests of which the service has not said what came of them. */
const unanswered = signal(/** @type {readonly import("../places.js").Kept[]} */ ([]));

/** Opens games from what was kept of requests that nobody has answered. */
async function openAgain() {
  unanswered.value = [];
  for (const request of requestsKept("open")) await sendOpening(request);
  unanswered.value = requestsKept("open");
}

/** Sends again what was left without an answer; what the service can't answer now may be tried again, or dropped. */
export function Unanswered() {
  useEffect(() => void openAgain(), []);
  if (unanswered.value.length === 0) return null;
  const drop = () => {
    for (const { key } of unanswered.value) dropRequest("open", key);
    unanswered.value = [];
  };
  return h(
    "div",
    { class: "notice", role: "status" },
    h("p", null, OPEN_GAME.unanswered),
    h("button", { type: "button", onClick: () => void openAgain() }, FRAME.again),
    " ",
    h("button", { type: "button", onClick: drop }, OPEN_GAME.drop),
  );
}

/**
 * @param {import("../places.js").Kept} request
 * @param {AbortSignal} [off]
 */
async function sendOpening(request, off) {
  const { asked, opener } = /** @type {Opening} */ (request.body);
  const answer = await call("post", "/v1/games", {
    body: asked,
    key: request.key,
    ...(opener && { token: opener }),
    ...(off && { signal: off }),
  });
  if (answer.ok) keepAll(answer.data);
  if (isSettled(answer)) dropRequest("open", request.key);
  return answer;
}

/**
 * Keep all that a game came with, so that a seat is the place of this browser if it has one, and else the host's.
 * @param {Pick<Schemas["GameOpenedAnswer"], "game" | "tokens"> & {invites?: Schemas["Invites"]}} opened
 */
export function keepAll({ game: { id: game }, tokens, invites = {} }) {
  const { seats = [], spectators = [] } = tokens;
  if (tokens.referee) keep({ game, role: "referee", id: tokens.referee.id, token: tokens.referee.secret });
  if (spectators[0]) keep({ game, role: "spectator", id: spectators[0].id, token: spectators[0].secret });
  keep({ game, role: "host", id: tokens.host.id, token: tokens.host.secret });
  for (const one of seats.toReversed()) keep({ game, role: one.id.replace("-", ":"), id: one.id, token: one.secret });
  const made = [invites.seats, invites.referee, invites.co_referee, invites.spectators]
    .flatMap((one) => one ?? [])
    .map((one) => [inviteName(one), one.secret]);
  if (made.length > 0) keepInvites(game, Object.fromEntries(made));
}

/**
 * One object laid over another, field by field.
 * @param {any} under
 * @param {any} over
 * @returns {any}
 */
function laid(under, over) {
  const isPlain = (/** @type {unknown} */ one) => typeof one === "object" && one !== null && !Array.isArray(one);
  if (!isPlain(under) || !isPlain(over)) return over;
  const names = new Set([...Object.keys(under), ...Object.keys(over)]);
  return Object.fromEntries(
    [...names].map((name) => [name, name in over ? laid(under[name], over[name]) : under[name]]),
  );
}

/**
 * Whether a JSON pointer leads to something in an object.
 * @param {any} value
 * @param {string} pointer
 */
function has(value, pointer) {
  let at = value;
  for (const name of pointer.split("/").slice(1)) {
    if (typeof at !== "object" || at === null || !(name in at)) return false;
    at = at[name];
  }
  return true;
}

/**
 * The field that shows an error of the service.
 * @param {string} pointer
 * @param {Record<string, unknown>} advanced
 */
function fieldOf(pointer, advanced) {
  if (pointer && has(advanced, pointer)) return "";
  const seat = /^\/seats\/(\d)\/(name|character)$/.exec(pointer);
  if (seat) return `${seat[2]}-${seat[1]}`;
  const fields = { "/seats": "number", "/edition": "edition", "/pack": "edition", "/options/haunt": "haunt" };
  if (pointer in fields) return fields[/** @type {keyof typeof fields} */ (pointer)];
  if (pointer.startsWith("/options/deadline")) return "deadline";
  return pointer.startsWith("/randomness") ? "chance" : "";
}

/**
 * What games can be played by: `edition/pack`. The pack's title is said where others are played by the same edition.
 * @param {readonly Schemas["PackShown"][]} packs
 * @returns {[string, string][]}
 */
function editions(packs) {
  const all = packs.flatMap((pack) => pack.editions.map(({ id, title }) => ({ id, title, pack })));
  return all.map(({ id, title, pack }) => [
    `${id}/${pack.id}`,
    all.filter((one) => one.id === id).length > 1 ? `${title}: ${pack.title}` : title,
  ]);
}

/**
 * What the form asks for.
 * @param {FormData} said
 * @param {readonly Schemas["PackShown"][]} packs
 * @returns {Schemas["OpenGame"]}
 */
function request(said, packs) {
  const text = (/** @type {string} */ name) => String(said.get(name) ?? "").trim();
  const [edition = "", pack = ""] = text("edition").split("/");
  const seats = Array.from({ length: Number(text("number")) }, (_, seat) => ({
    ...(text(`name-${seat}`) && { name: text(`name-${seat}`) }),
    ...(text(`character-${seat}`) && { character: text(`character-${seat}`) }),
  }));
  const seconds = Number(text("deadline"));
  const options = { ...(text("haunt") && { haunt: text("haunt") }), ...(seconds && { deadline: { seconds } }) };
  const randomness = { source: /** @type {"seeded" | "moderator"} */ (text("chance")) };
  const hotseat = said.get("hotseat") !== null;
  const rules = packs.flatMap((one) => one.editions).find(({ id }) => id === edition);
  const isModerated = randomness.source === "moderator" || rules?.moderated;
  return { edition, pack, seats, randomness, options, hotseat, ...(isModerated && !hotseat && { co_referee: true }) };
}

export function OpenForm() {
  const [packs, setPacks] = useState(/** @type {readonly Schemas["PackShown"][]} */ ([]));
  const [edition, setEdition] = useState("");
  const [number, setNumber] = useState(3);
  const [isHotseat, setHotseat] = useState(false);
  const [json, setJson] = useState("");
  const [shapes, setShapes] = useState(/** @type {Shapes} */ ({}));
  const [wrong, setWrong] = useState(/** @type {import("./lobby-pieces.js").Wrong} */ ({}));
  const [isSending, setSending] = useState(false);
  const [needsKey, setNeedsKey] = useState(false);
  const form = useRef(/** @type {HTMLFormElement | null} */ (null));
  const off = useRef(/** @type {AbortController | null} */ (null));
  useEffect(() => {
    const controller = new AbortController();
    off.current = controller;
    void call("get", "/v1/packs", { signal: controller.signal }).then((answer) => {
      if (answer.ok) setPacks(answer.data.packs);
      else if (answer.status > 0) setWrong({ edition: answer.problem.detail });
    });
    return () => controller.abort();
  }, []);
  useEffect(() => {
    if (Object.keys(wrong).length > 0)
      /** @type {HTMLElement | null | undefined} */ (form.current?.querySelector('[aria-invalid="true"]'))?.focus();
  }, [wrong]);

  const shown = editions(packs);
  const chosen = edition || shown[0]?.[0] || "";
  const pack = usePack(chosen.split("/")[1]);
  const typed = readJson(json.trim() || "{}");
  const isObject = typeof typed.value === "object" && typed.value !== null && !Array.isArray(typed.value);
  const advanced = isObject ? typed : { value: {}, wrong: typed.wrong || OPEN_GAME.noObject };
  if (json.trim() && !advanced.wrong && form.current)
    advanced.wrong = against(
      shapes,
      shapes.OpenGame ?? {},
      json,
      laid(request(new FormData(form.current), packs), advanced.value),
    );
  const [least = 3, most = 6] = pack?.players ?? [];
  const players = Math.min(Math.max(number, least), most);

  /** @param {SubmitEvent & {currentTarget: HTMLFormElement}} event */
  const submit = async (event) => {
    event.preventDefault();
    const said = new FormData(event.currentTarget);
    if (advanced.wrong) return setWrong({ json: advanced.wrong });
    const body = { asked: laid(request(said, packs), advanced.value), opener: String(said.get("opener") ?? "").trim() };
    const same = requestsKept("open").find((one) => JSON.stringify(one.body) === JSON.stringify(body));
    const kept = same ?? { key: randomKey(), body };
    keepRequest("open", kept);
    setSending(true);
    const answer = await sendOpening(kept, off.current?.signal);
    if (!answer.ok && answer.status === 0) return;
    setSending(false);
    if (answer.status >= 500) unanswered.value = requestsKept("open");
    if (answer.ok) go({ part: "table", game: answer.data.game.id });
    else if (answer.status === 401) {
      setNeedsKey(true);
      setWrong({ opener: answer.problem.detail });
    } else setWrong(errorsOf(answer.problem, (pointer) => fieldOf(pointer, advanced.value)));
  };

  /** @param {string} name */
  const at = (name) => ({ name, wrong: wrong[name] });
  const numbers = Array.from({ length: most - least + 1 }, (_, index) => least + index);
  return h(
    "form",
    { class: "opening", ref: form, onSubmit: submit, noValidate: true },
    h(Choice, {
      label: OPEN_GAME.edition,
      ...at("edition"),
      options: shown,
      value: chosen,
      onChange: (/** @type {{currentTarget: HTMLSelectElement}} */ event) => setEdition(event.currentTarget.value),
    }),
    h(Choice, {
      label: OPEN_GAME.players,
      ...at("number"),
      options: numbers.map((one) => /** @type {const} */ ([String(one), OPEN_GAME.number(one)])),
      value: String(players),
      onChange: (/** @type {{currentTarget: HTMLSelectElement}} */ event) =>
        setNumber(Number(event.currentTarget.value)),
    }),
    h(
      "label",
      { class: "check" },
      h("input", {
        type: "checkbox",
        name: "hotseat",
        checked: isHotseat,
        "aria-describedby": "hotseat-hint",
        onChange: (/** @type {{currentTarget: HTMLInputElement}} */ event) => setHotseat(event.currentTarget.checked),
      }),
      OPEN_GAME.hotseat,
    ),
    h("small", { id: "hotseat-hint", class: "below" }, OPEN_GAME.hotseatHint),
    h(Players, { number: players, isHotseat, pack, at }),
    h(Choice, {
      label: OPEN_GAME.haunt,
      ...at("haunt"),
      options: [
        ["", OPEN_GAME.anyHaunt],
        ...(pack?.haunts ?? []).map((one) => /** @type {const} */ ([one.id, one.title])),
        ["external", OPEN_GAME.external],
      ],
    }),
    h(Choice, { label: OPEN_GAME.chance, ...at("chance"), options: Object.entries(OPEN_GAME.chances) }),
    h(Choice, { label: OPEN_GAME.deadline, ...at("deadline"), options: Object.entries(OPEN_GAME.deadlines) }),
    h(Advanced, {
      text: json,
      wrong: advanced.wrong || wrong[""] || "",
      isOpen: Boolean(wrong[""]),
      isFine: Boolean(json.trim() && shapes.OpenGame),
      onText: setJson,
      onOpen: () => void contract().then(setShapes),
    }),
    needsKey &&
      h(Field, {
        label: OPEN_GAME.key,
        hint: OPEN_GAME.keyHint,
        ...at("opener"),
        type: "password",
        autocomplete: "off",
      }),
    Object.keys(wrong).length > 0 && h("p", { class: "wrong", role: "alert" }, OPEN_GAME.failed),
    h(
      "button",
      { type: "submit", class: "main large", disabled: isSending || shown.length === 0 },
      isSending ? OPEN_GAME.sending : OPEN_GAME.submit,
    ),
  );
}

/**
 * What the players are called; who shares a screen follows no link, so their explorers are chosen here.
 * @param {{number: number, isHotseat: boolean, pack: Schemas["PackDetails"] | undefined,
 *   at: (name: string) => {name: string, wrong: string | undefined}}} props `at`: a field's name, and what is wrong with it
 */
function Players({ number, isHotseat, pack, at }) {
  return h(
    "fieldset",
    { class: "names" },
    h("legend", null, OPEN_GAME.players),
    Array.from({ length: number }, (_, seat) => [
      h(Field, {
        key: `name-${seat}`,
        label: OPEN_GAME.name(seat),
        ...at(`name-${seat}`),
        maxLength: 80,
        autocomplete: "off",
      }),
      isHotseat &&
        h(Choice, {
          key: `character-${seat}`,
          label: OPEN_GAME.explorer(seat),
          ...at(`character-${seat}`),
          options: [
            ["", LOBBY.join.chanceExplorer],
            ...(pack?.characters ?? []).map((one) => /** @type {const} */ ([one.id, one.title])),
          ],
        }),
    ]),
    h("small", null, OPEN_GAME.nameHint),
  );
}

/**
 * What the form does not ask for, as JSON.
 * @param {{text: string, wrong: string, isOpen: boolean, isFine: boolean, onText: (text: string) => void, onOpen: () => void}} props
 *   `isFine`: the text was held against the contract
 */
function Advanced({ text, wrong, isOpen, isFine, onText, onOpen }) {
  return h(
    "details",
    { open: isOpen || undefined, onToggle: onOpen },
    h("summary", null, OPEN_GAME.advanced),
    h(Field, {
      control: "textarea",
      label: OPEN_GAME.json,
      hint: OPEN_GAME.jsonHint,
      name: "json",
      rows: 6,
      spellcheck: false,
      placeholder: OPEN_GAME.example,
      value: text,
      wrong,
      onInput: (/** @type {{currentTarget: HTMLTextAreaElement}} */ event) => onText(event.currentTarget.value),
    }),
    isFine && !wrong && h("p", { class: "fine" }, OPEN_GAME.fine),
  );
}
