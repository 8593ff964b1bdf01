// Takes a game that was played elsewhere from its file.
import { go } from "../address.js";
import { randomKey } from "../api.js";
import { h, useRef, useState } from "../vendor/preact.js";
import { LOBBY } from "../words.js";
import { keepAll } from "./lobby-open.js";
import { Field } from "./lobby-pieces.js";

/** @typedef {import("../api.js").Schemas} Schemas */

const WORDS = LOBBY.file;

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

export function ImportForm() {
  const [sent, setSent] = useState(-1);
  const [seconds, setSeconds] = useState(0);
  const [wrong, setWrong] = useState("");
  const [needsKey, setNeedsKey] = useState(false);
  const [done, setDone] = useState(/** @type {Schemas["GameImported"] | null} */ (null));
  const key = useRef({ file: /** @type {File | null} */ (null), key: "" });

  /** @param {SubmitEvent & {currentTarget: HTMLFormElement}} event */
  const submit = async (event) => {
    event.preventDefault();
    const said = new FormData(event.currentTarget);
    const file = said.get("file");
    if (!(file instanceof File) || file.size === 0) return;
    if (key.current.file?.name !== file.name || key.current.file.size !== file.size)
      key.current = { file, key: randomKey() };
    setWrong("");
    setSent(0);
    setSeconds(0);
    const begun = Date.now();
    const timer = setInterval(() => setSeconds(Math.round((Date.now() - begun) / 1000)), 1000);
    const told = await sendFile(file, {
      key: key.current.key,
      opener: String(said.get("opener") ?? "").trim(),
      onSent: setSent,
    });
    clearInterval(timer);
    setSent(-1);
    if (told.status === 201) {
      const imported = /** @type {Schemas["GameImported"]} */ (told.data);
      keepAll(imported);
      key.current = { file: null, key: "" };
      setDone(imported);
      return;
    }
    if (told.status > 0) key.current = { file: null, key: "" };
    if (told.status === 401) setNeedsKey(true);
    const problem = /** @type {Schemas["Problem"] | null} */ (told.data);
    setWrong(problem ? problem.detail || problem.title : WORDS.silent);
  };

  const isBusy = sent >= 0;
  if (done) {
    return h(
      "div",
      { class: "import", role: "status" },
      h("p", null, done.outcome === "EXACT" ? WORDS.done : `${WORDS.unverified} ${done.because}`),
      h(
        "button",
        { type: "button", class: "main", onClick: () => go({ part: "table", game: done.game.id }) },
        WORDS.look,
      ),
    );
  }
  return h(
    "form",
    { class: "import", onSubmit: submit },
    h(
      Field,
      /** @type {any} */ ({
        label: WORDS.label,
        hint: WORDS.hint,
        name: "file",
        type: "file",
        accept: ".ndjson,application/x-ndjson",
        required: true,
        wrong,
      }),
    ),
    needsKey &&
      h(
        Field,
        /** @type {any} */ ({
          label: LOBBY.open.key,
          hint: LOBBY.open.keyHint,
          name: "opener",
          type: "password",
          autocomplete: "off",
        }),
      ),
    isBusy &&
      h(
        "p",
        null,
        h("progress", { "aria-label": WORDS.title, max: 1, ...(sent < 1 && { value: sent }) }),
        " ",
        sent < 1 ? WORDS.sending(Math.round(100 * sent)) : WORDS.checking(seconds),
      ),
    h("button", { type: "submit", disabled: isBusy }, WORDS.submit),
  );
}
