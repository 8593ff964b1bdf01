// Takes a game that was played elsewhere from its file.
import { go } from "../address.js";
import { isSettled, randomKey } from "../api.js";
import { dropRequest, keepRequest, requestsKept } from "../places.js";
import { h, useState } from "../vendor/preact.js";
import { LOBBY } from "../words.js";
import { keepAll } from "./lobby-open.js";
import { Field } from "./lobby-pieces.js";

/** @typedef {import("../api.js").Schemas} Schemas */

const IMPORT = LOBBY.file;

/**
 * Send a file. `fetch` does not say how far it has come; this does.
 * @param {Blob} file
 * @param {{key: string, opener: string, onSent: (part: number) => void}} how
 * @returns {Promise<{status: number, data: any}>}
 */
function sendFile(file, { key, opener, onSent }) {
  return new Promise((done) => {
    const request = new XMLHttpRequest();
    request.open("POST", "/v1/games/import");
    request.setRequestHeader("Content-Type", "application/x-ndjson");
    request.setRequestHeader("Accept", "application/json");
    request.setRequestHeader("Idempotency-Key", key);
    if (opener) request.setRequestHeader("Authorization", `Bearer ${opener}`);
    request.upload.addEventListener("progress", (event) => onSent(event.loaded / Math.max(1, event.total)));
    request.addEventListener("loadend", () => {
      try {
        done({ status: request.status, data: JSON.parse(request.responseText) });
      } catch {
        done({ status: 0, data: null });
      }
    });
    request.send(file);
  });
}

/** Files that were on their way when the page was closed: their keys, names and sizes. */
export const importsLeft = () => requestsKept("import");

/** @param {{name: string, size: number}} file */
const sizeOf = ({ name, size }) => ({ name, size });

export function ImportForm() {
  const [sent, setSent] = useState(-1);
  const [seconds, setSeconds] = useState(0);
  const [wrong, setWrong] = useState("");
  const [needsKey, setNeedsKey] = useState(false);
  const [done, setDone] = useState(/** @type {Schemas["GameImported"] | null} */ (null));
  const [left] = useState(importsLeft);

  /** @param {SubmitEvent & {currentTarget: HTMLFormElement}} event */
  const submit = async (event) => {
    event.preventDefault();
    const said = new FormData(event.currentTarget);
    const file = said.get("file");
    if (!(file instanceof File) || file.size === 0) return;
    const body = sizeOf(file);
    const same = importsLeft().find((one) => JSON.stringify(one.body) === JSON.stringify(body));
    for (const one of importsLeft()) if (one !== same) dropRequest("import", one.key);
    const request = same ?? { key: randomKey(), body };
    keepRequest("import", request);
    setWrong("");
    setSent(0);
    setSeconds(0);
    const begun = Date.now();
    const timer = setInterval(() => setSeconds(Math.round((Date.now() - begun) / 1000)), 1000);
    const answer = await sendFile(file, {
      key: request.key,
      opener: String(said.get("opener") ?? "").trim(),
      onSent: setSent,
    });
    clearInterval(timer);
    setSent(-1);
    if (answer.status === 201) {
      const imported = /** @type {Schemas["GameImported"]} */ (answer.data);
      keepAll(imported);
      setDone(imported);
    }
    if (isSettled(answer)) dropRequest("import", request.key);
    if (answer.status === 201) return;
    if (answer.status === 401) setNeedsKey(true);
    const problem = /** @type {Schemas["Problem"] | null} */ (answer.data);
    setWrong(problem ? problem.detail : IMPORT.silent);
  };

  const isBusy = sent >= 0;
  if (done) {
    return h(
      "div",
      { class: "import", role: "status" },
      h("p", null, done.outcome === "EXACT" ? IMPORT.done : `${IMPORT.unverified} ${done.because}`),
      h(
        "button",
        { type: "button", class: "main", onClick: () => go({ part: "table", game: done.game.id }) },
        IMPORT.look,
      ),
    );
  }
  return h(
    "form",
    { class: "import", onSubmit: submit },
    left.map((one) => h("p", { key: one.key, class: "notice" }, IMPORT.again(Object(one.body).name))),
    h(Field, {
      label: IMPORT.label,
      hint: IMPORT.hint,
      name: "file",
      type: "file",
      accept: ".ndjson,application/x-ndjson",
      required: true,
      wrong,
    }),
    needsKey &&
      h(Field, {
        label: LOBBY.open.key,
        hint: LOBBY.open.keyHint,
        name: "opener",
        type: "password",
        autocomplete: "off",
      }),
    isBusy &&
      h(
        "p",
        null,
        h("progress", { "aria-label": IMPORT.title, max: 1, ...(sent < 1 && { value: sent }) }),
        " ",
        sent < 1 ? IMPORT.sending(Math.round(100 * sent)) : IMPORT.checking(seconds),
      ),
    h("button", { type: "submit", disabled: isBusy }, IMPORT.submit),
  );
}
