// What is around every part: the banner of the link, and pages that say what went wrong and what to do.
import { go, linkTo, read } from "./address.js";
import { UNREADABLE, waiting } from "./api.js";
import { link, place, trouble, view } from "./game.js";
import { forget } from "./places.js";
import { h, useEffect, useState } from "./vendor/preact.js";
import { FRAME, STOPS } from "./words.js";

/** @typedef {import("./vendor/preact.js").VNode<any>} VNode */

/** Says that the link is lost, or that the service asks to wait. */
export function Banner() {
  const lost = link.value === "lost" && view.value !== null && !trouble.value;
  const told = waiting.value;
  return h(
    "div",
    { class: "banner", role: "status" },
    lost && h("p", { class: "lost" }, FRAME.lost),
    !lost && told && (told.problem.code === UNREADABLE ? h("p", { class: "lost" }, FRAME.silent) : h(Countdown, told)),
  );
}

/** @param {{until: number, problem: import("./api.js").Problem}} told */
function Countdown({ until, problem }) {
  const [now, tick] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => tick(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.ceil((until - now) / 1000));
  return h("p", null, `${problem.title}. `, h("span", { "aria-hidden": true }, FRAME.waiting(seconds)));
}

/**
 * A page in place of a part: what went wrong, and what to do.
 * @param {{why: keyof typeof STOPS, detail?: string, children?: import("./vendor/preact.js").ComponentChildren}} props `detail`: what the
 *   service said
 */
export function Stop({ why, detail = "", children }) {
  const said = STOPS[why] ?? STOPS.link;
  const of = place.value;
  return h(
    "section",
    { class: "stop" },
    h("h1", null, said?.title),
    detail && h("p", { class: "detail" }, detail),
    h("p", null, said?.what),
    h("p", null, said?.next),
    children,
    why !== "load" && why !== "game" && h(PasteLink, null),
    h(
      "p",
      { class: "actions" },
      why === "load" && h("button", { type: "button", onClick: () => location.reload() }, FRAME.again),
      (why === "token" || why === "game") &&
        of &&
        h("button", { type: "button", onClick: () => [forget(of), go({ part: "lobby" })] }, FRAME.forget),
      h("a", { href: linkTo({ part: "lobby" }) }, FRAME.home),
    ),
  );
}

/** Takes a link as text: a phone in a living room may have no other way to hand one on. */
export function PasteLink() {
  const [isWrong, setWrong] = useState(false);
  /** @param {SubmitEvent & {currentTarget: HTMLFormElement}} event */
  const submit = (event) => {
    event.preventDefault();
    const link = /#\/g\/[\w/:-]*/.exec(String(new FormData(event.currentTarget).get("link")))?.[0];
    const to = read(link ?? "#?");
    if (to.part === "unknown") setWrong(true);
    else go(to);
  };
  return h(
    "form",
    { class: "paste", onSubmit: submit },
    h(
      "label",
      null,
      FRAME.paste,
      h("input", {
        name: "link",
        type: "text",
        required: true,
        autocomplete: "off",
        "aria-describedby": "paste-wrong",
      }),
    ),
    h("button", { type: "submit" }, FRAME.open),
    h("p", { id: "paste-wrong", class: "wrong", role: "alert" }, isWrong && FRAME.noLink),
  );
}

/**
 * The tabs of a part.
 * @param {{label: string, titles: Readonly<Record<string, string>>, tab: import("./vendor/preact.js").Signal<string>, names?: readonly string[], now?: string, news?: Readonly<Record<string, string | number>>}} props
 *   `names`: which there are, else all; `now`: which is shown, if not the one chosen; `news`: what is marked beside titles
 */
export function Tabs({ label, titles, tab, names = Object.keys(titles), now = tab.value, news = {} }) {
  return h(
    "nav",
    { class: "tabs", "aria-label": label },
    names.map((name) =>
      h(
        "button",
        {
          type: "button",
          key: name,
          "aria-pressed": name === now,
          onClick: () => {
            tab.value = name;
          },
        },
        titles[name],
        news[name] && h("span", { class: "count" }, news[name]),
      ),
    ),
  );
}
