// What the forms and lists of the lobby are made of: fields with their errors beside them, links with QR codes, second thoughts.
import { linkTo } from "../address.js";
import { call } from "../api.js";
import { h, signal, useEffect, useId, useRef, useState } from "../vendor/preact.js";
import { LOBBY } from "../words.js";

/** @typedef {import("../api.js").Schemas} Schemas */
/** @typedef {Record<string, string>} Wrong what is wrong, by field */

/**
 * A labelled control; what is wrong with it is said beside it.
 * @param {{label: string, hint?: string, wrong?: string | undefined, control?: string, children?: import("../vendor/preact.js").ComponentChildren} & Record<string, unknown>} props
 */
export function Field({ label, hint, wrong, control = "input", children, ...props }) {
  const id = useId();
  const about = [hint && `${id}-hint`, wrong && `${id}-wrong`].filter(Boolean).join(" ");
  return h(
    "div",
    { class: "field" },
    h("label", { htmlFor: id }, label),
    h(
      control,
      { id, "aria-describedby": about || undefined, "aria-invalid": wrong ? "true" : undefined, ...props },
      children,
    ),
    hint && h("small", { id: `${id}-hint` }, hint),
    h("span", { id: `${id}-wrong`, class: "wrong", role: "alert" }, wrong),
  );
}

/**
 * A select of `[value, text]`.
 * @param {{label: string, options: readonly (readonly [string, string])[]} & Record<string, unknown>} props
 */
export function Choice({ options, ...props }) {
  return h(
    Field,
    { ...props, control: "select" },
    options.map(([value, text]) => h("option", { key: value, value }, text)),
  );
}

/**
 * A button that asks once more.
 * @param {{label: string, what: string, onYes: () => void}} props
 */
export function Confirm({ label, what, onYes }) {
  const [isAsked, ask] = useState(/** @type {boolean | null} */ (null)); // null: nobody has pressed it yet
  const at = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    if (isAsked !== null) at.current?.focus();
  }, [isAsked]);
  if (!isAsked) return h("button", { key: "ask", ref: at, type: "button", onClick: () => ask(true) }, label);
  return h(
    "div",
    { class: "confirm", role: "group", "aria-label": label },
    h("p", { role: "alert" }, what),
    h("button", { type: "button", class: "main", onClick: () => [ask(false), onYes()] }, label),
    h("button", { ref: at, type: "button", onClick: () => ask(false) }, LOBBY.cancel),
  );
}

/**
 * A link as text to be selected, copied or shared where the browser allows it, and as a QR code.
 * @param {{to: import("../address.js").Address, whom: string}} props
 */
export function Share({ to, whom }) {
  const url = linkTo(to);
  const [isDrawn, setDrawn] = useState(false);
  const canShare = isSecureContext && typeof navigator.share === "function";
  return h(
    "div",
    { class: "share" },
    h(Field, {
      label: LOBBY.room.link,
      readOnly: true,
      value: url,
      onFocus: (/** @type {FocusEvent & {currentTarget: HTMLInputElement}} */ event) => event.currentTarget.select(),
    }),
    h(
      "div",
      { class: "actions" },
      h(Copy, { text: url }),
      canShare &&
        h("button", { type: "button", onClick: () => void navigator.share({ url }).catch(() => {}) }, LOBBY.room.share),
      h("button", { type: "button", "aria-expanded": isDrawn, onClick: () => setDrawn(!isDrawn) }, LOBBY.room.qr),
    ),
    isDrawn && h(Code, { text: url, label: LOBBY.room.qrLabel(whom) }),
  );
}

/** @param {{text: string}} props a button where the browser has a clipboard; elsewhere the text is to be selected */
export function Copy({ text }) {
  const [isCopied, setCopied] = useState(false);
  if (!isSecureContext || !navigator.clipboard) return null;
  const copy = () => void navigator.clipboard.writeText(text).then(() => setCopied(true));
  return h("button", { type: "button", onClick: copy }, isCopied ? LOBBY.room.copied : LOBBY.room.copy);
}

/** @param {{text: string, label: string}} props */
function Code({ text, label }) {
  const [drawn, draw] = useState(/** @type {{size: number, path: string} | null} */ (null));
  useEffect(() => {
    void import("../vendor/qr.js").then(({ generate, toSvgPath }) => {
      const code = generate(text);
      draw({ size: code.size, path: toSvgPath(code) });
    });
  }, [text]);
  if (!drawn) return h("p", { class: "loading" }, LOBBY.unread);
  const side = drawn.size + 8;
  return h(
    "svg",
    { class: "qr", role: "img", "aria-label": label, viewBox: `-4 -4 ${side} ${side}`, shapeRendering: "crispEdges" },
    h("rect", { x: -4, y: -4, width: side, height: side, class: "paper" }),
    h("path", { d: drawn.path, class: "ink" }),
  );
}

/**
 * The head of a page: a house on a hill by night, with a window lit.
 * @param {{title: string, said: string}} props
 */
export function Door({ title, said }) {
  return h(
    "header",
    { class: "door" },
    h(
      "svg",
      { viewBox: "0 0 400 120", "aria-hidden": "true", preserveAspectRatio: "xMidYMax meet" },
      h("circle", { class: "moon", cx: 326, cy: 36, r: 17 }),
      h("path", {
        class: "house",
        d:
          "M-2000 120H2400V114H460Q330 106 262 88V52H266L251 34 236 52H240V60H218V46H222L202 12 182 46H186V58H180L171 49V26H164V42L158 36 " +
          "136 58H142L140 88Q80 106-60 114H-2000Z",
      }),
      h("path", { class: "lit", d: "M199 40h6v10h-6zM151 66h7v9h-7z" }),
    ),
    h("h1", null, title),
    h("p", { class: "mood", role: "status" }, said),
  );
}

// -- what is known of games and packs ---------------------------------------------------------------------------------

/** Packs by id, as they come. */
const packs = signal(/** @type {Readonly<Record<string, Schemas["PackDetails"]>>} */ ({}));

/**
 * The explorers, haunts and scenarios of a pack; undefined until they have come.
 * @param {string | undefined} name
 */
export function usePack(name) {
  const found = name ? packs.value[name] : undefined;
  useEffect(() => {
    if (!name || packs.value[name]) return;
    const off = new AbortController();
    void call("get", "/v1/packs/{pack}", { path: { pack: name }, signal: off.signal }).then((answer) => {
      if (answer.ok) packs.value = { ...packs.value, [name]: answer.data };
    });
    return () => off.abort();
  }, [name]);
  return found;
}

/**
 * What to call a seat: its player, or its number.
 * @param {{seat: number, name?: string} | undefined} seat
 */
export function seatName(seat) {
  return seat?.name || LOBBY.room.seat(seat?.seat ?? 0);
}

/**
 * Errors of a refused request by their field: `/seats/1/name`. What belongs to none of those that are on the form stands under "".
 * @param {import("../api.js").Problem} problem
 * @param {(pointer: string) => string} place the field that shows an error, or ""
 * @returns {Wrong}
 */
export function errorsOf(problem, place) {
  /** @type {Wrong} */
  const found = {};
  const errors = problem.errors?.length ? problem.errors : [{ pointer: "", detail: problem.detail }];
  for (const { pointer, detail } of errors) {
    const field = place(pointer);
    const said = field || !pointer ? detail : `${pointer}: ${detail}`;
    found[field] = found[field] ? `${found[field]} ${said}` : said;
  }
  return found;
}
