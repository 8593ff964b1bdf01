// The referee's desk: what is disputed and ruled, the board at the moment that it is about, and what happened there by which rules.
import { linkTo } from "../address.js";
import { call } from "../api.js";
import { Tabs } from "../frame.js";
import { place, view } from "../game.js";
import { useDraft } from "../places.js";
import { h, signal, useEffect, useRef, useState } from "../vendor/preact.js";
import { DESK, FRAME, TABLE } from "../words.js";
import { useDesk } from "./dispute.js";
import { Confirm } from "./lobby-pieces.js";
import { nameOf, RuleButton, RuleDialog, roleName } from "./names.js";
import { Overtaken, Ruling } from "./ruling.js";
import { at, eyes, lookAround, lookAt, Moment, Tick, Trace, ticks, useTrace } from "./scene.js";

/** @typedef {import("../api.js").View} View */
/** @typedef {import("../api.js").Schemas["DisputeShown"]} Shown */
/** @typedef {import("../api.js").Schemas["DisputeView"]} Dispute */
/** @typedef {import("../api.js").Schemas["RuledView"]} Ruled */

const deskTab = signal("cases");
const caseNumber = signal(0);

/** @param {Dispute | undefined} dispute */
function openDispute(dispute) {
  const { first, last } = dispute?.span ?? { first: view.peek()?.version ?? 1, last: view.peek()?.version ?? 1 };
  caseNumber.value = dispute?.number ?? 0;
  ticks.value = { commits: [], rules: [] };
  lookAround(first, last);
}

export function Part() {
  const seen = view.value;
  const of = place.value;
  const version = seen?.version ?? 0;
  const [cases, setCases] = useState(/** @type {readonly Shown[] | null} */ (null));
  useEffect(() => {
    caseNumber.value = at.value = 0;
    eyes.value = "";
  }, [of?.game, of?.role]);
  useEffect(() => {
    if (!of || !version) return undefined;
    const off = new AbortController();
    const asked = { path: { game: of.game }, token: of.token, signal: off.signal };
    void call("get", "/v1/games/{game}/disputes", asked).then((answer) => {
      if (off.signal.aborted || !answer.ok) return;
      const all = answer.data.disputes.map((one) => one.dispute);
      setCases(answer.data.disputes);
      if (!at.peek() || (!caseNumber.peek() && all.length > 0))
        openDispute(all.find((one) => !one.outcome) ?? all.at(-1));
    });
    return () => off.abort();
  }, [of, version]);
  if (!seen || !cases || !at.value) return h("p", { class: "loading" }, FRAME.loading);
  const one = cases.find(({ dispute }) => dispute.number === caseNumber.value);
  const amended = (/** @type {number} */ number) => (cases[number - 1]?.amended ?? []).filter(Boolean).join(" ");
  const now = deskTab.value;
  const shown = (/** @type {string} */ name) => (name === now ? `${name} shown` : name);
  return h(
    "div",
    { class: "table desk" },
    h(
      "header",
      { class: "head" },
      h(
        "div",
        { class: "says" },
        h("h1", null, seen.role === "referee" ? DESK.title : DESK.disputes),
        h("p", { class: "facts" }, h("span", { class: "quiet" }, TABLE.version(version))),
      ),
      h(
        "div",
        { class: "tools" },
        h("a", { class: "button", href: linkTo({ part: "table", game: seen.game }) }, DESK.toTable),
      ),
    ),
    h("div", { class: "beside" }, h(Tabs, { label: DESK.columns, titles: DESK.tabs, tab: deskTab })),
    h(
      "section",
      { class: shown("cases"), "aria-label": DESK.tabs.cases, tabIndex: 0 },
      (seen.role !== "referee" || cases.length === 0) &&
        h(
          "p",
          { class: "small" },
          seen.role === "referee"
            ? DESK.referee
            : seen.you === null || seen.status !== "started"
              ? DESK.watcher
              : DESK.seat,
        ),
      h(List, { seen, cases }),
      one && h(Case, { key: one.dispute.number, seen, shown: one, amended }),
    ),
    h("section", { class: shown("board"), "aria-label": DESK.tabs.board }, h(Moment, { seen })),
    h(
      "section",
      { class: shown("trace"), "aria-label": DESK.tabs.trace, tabIndex: 0 },
      h(Trace, { seen, dispute: one?.dispute }),
    ),
    h(RuleDialog, { seen }),
  );
}

// -- disputes -----------------------------------------------------------------------------------------------------------

/** @param {{seen: View, cases: readonly Shown[]}} props those that are open first, then the latest */
function List({ seen, cases }) {
  if (cases.length === 0) return h("p", null, DESK.none);
  const all = cases.map((one) => one.dispute).toReversed();
  return h(
    "ul",
    { class: "disputes" },
    [...all.filter((one) => !one.outcome), ...all.filter((one) => one.outcome)].map((one) =>
      h(
        "li",
        { key: one.number },
        h(
          "button",
          { type: "button", "aria-pressed": one.number === caseNumber.value, onClick: () => openDispute(one) },
          DESK.case(one.number, nameOf(seen, one.by)),
          h("em", null, DESK.outcomes[one.outcome] ?? one.outcome),
        ),
      ),
    ),
  );
}

/**
 * Who gave evidence or ruled.
 * @param {View} seen
 * @param {number | null} seat
 */
const who = (seen, seat) => (seat === null ? roleName(seen, "referee") : nameOf(seen, seat));

/** @param {{seen: View, shown: Shown, amended: (number: number) => string}} props `amended`: what was amended in a dispute, in words */
function Case({ seen, shown: { dispute, texts, amended: own }, amended }) {
  const { number, span, evidence, outcome, proposed } = dispute;
  const head = useRef(/** @type {HTMLElement | null} */ (null));
  const onDone = () => head.current?.focus();
  const said = (/** @type {string} */ digest) => texts.find((one) => one.digest === digest)?.text ?? DESK.erased;
  const isOpen = !outcome && seen.status === "started";
  const isReferee = seen.role === "referee";
  const isTables = dispute.addressed === "table";
  const facts = [
    isTables && DESK.toAll,
    isOpen && dispute.pauses && DESK.pauses,
    isOpen && dispute.turns_left !== null && DESK.turnsLeft(dispute.turns_left),
  ].filter(Boolean);
  return h(
    "article",
    { class: "case" },
    h("h2", { ref: head, tabIndex: -1 }, DESK.case(number, nameOf(seen, dispute.by))),
    facts.length > 0 && h("p", { class: "small" }, facts.join(" · ")),
    dispute.claim ? h("blockquote", null, said(dispute.claim)) : h("p", { class: "quiet" }, DESK.noClaim),
    span && h("p", null, h(Commits, { first: span.first, last: span.last })),
    h("h3", null, DESK.evidence),
    evidence.length === 0 && h("p", { class: "quiet" }, DESK.noEvidence),
    evidence.map((one, index) =>
      h(
        "div",
        { key: index, class: "given" },
        h("p", null, who(seen, one.by)),
        one.note && h("blockquote", null, said(one.note)),
        one.commits.map((it) => h(Commits, { key: it, first: it, last: it })),
        one.rules.map((id) =>
          h(Tick, { key: id, kind: "rules", value: id, label: DESK.citeRule(id) }, h(RuleButton, { rule: { id } })),
        ),
      ),
    ),
    dispute.earlier.length > 0 && [
      h("h3", null, DESK.earlier),
      dispute.earlier.map((one, index) => h(Verdict, { key: one.closed, seen, ruled: one, did: own[index], amended })),
    ],
    dispute.reopened && h("p", { class: "aside" }, DESK.reopened(dispute.reopened.reasons)),
    outcome in DESK.rulings &&
      h(Verdict, { seen, ruled: /** @type {Ruled} */ (/** @type {unknown} */ (dispute)), did: own.at(-1), amended }),
    outcome && !(outcome in DESK.rulings) && h("p", null, DESK.outcomes[outcome] ?? outcome),
    dispute.seen.length > 0 && [
      h("h3", null, DESK.saw),
      [...new Set(dispute.seen.map((one) => one.seat))].map((seat) =>
        h(Saw, {
          key: seat,
          seen,
          seat,
          commits: dispute.seen.flatMap((one) => (one.seat === seat ? one.commit : [])),
        }),
      ),
    ],
    proposed &&
      h(
        "div",
        { class: "aside" },
        DESK.proposed(
          who(seen, proposed.by),
          (DESK.rulings[proposed.outcome] ?? proposed.outcome).toLowerCase(),
          proposed.to,
          proposed.awaited.map((seat) => nameOf(seen, seat)).join(", "),
        ),
        [
          own.at(-1),
          proposed.precedent && DESK.isPrecedent,
          ...proposed.undoes.map(DESK.undoes),
          ...proposed.reapplies.map((one) => DESK.by(DESK.reapply(one), amended(one))),
          DESK.by(DESK.reasons, dispute.reasons),
        ].map((one) => one && h("p", null, one)),
      ),
    outcome in DESK.rulings && h(Overtaken, { seen, number }),
    isOpen && (isReferee || seen.you !== null) && h(Give, { seen, number }),
    isOpen &&
      (isReferee || (seen.you !== null && isTables)) &&
      (!proposed || proposed.by === seen.you) &&
      h(Ruling, { seen, dispute, cited: ticks.value.rules, amended, onDone }),
    isOpen && seen.you === dispute.by && dispute.earlier.length === 0 && h(Withdraw, { number, onDone }),
    isReferee &&
      seen.status === "started" &&
      outcome &&
      (outcome in DESK.rulings || dispute.earlier.length > 0) &&
      h(Reopen, { seen, number, onDone }),
  );
}

/**
 * What a player saw in commits that were taken back, asked for once somebody wants to know.
 * @param {{seen: View, seat: number, commits: readonly number[]}} props
 */
function Saw({ seen, seat, commits }) {
  const [isOpen, setOpen] = useState(false);
  const onToggle = (/** @type {any} */ event) => setOpen(event.currentTarget.open);
  return h(
    "details",
    { onToggle },
    h("summary", null, nameOf(seen, seat)),
    isOpen && h(Sights, { as: `seat:${seat}`, commits }),
  );
}

/** @param {{as: string, commits: readonly number[]}} props */
function Sights({ as, commits }) {
  const steps = useTrace(commits[0] ?? 1, commits.at(-1) ?? 1, as);
  return commits.map((one) => [
    h(Commits, { first: one, last: one, as }),
    steps.map(
      ({ number, happened }) =>
        number === one && happened.map(({ kind, words }) => kind !== "note" && h("p", null, words)),
    ),
  ]);
}

/** @param {{seen: View, ruled: Ruled, did: string | undefined, amended: (number: number) => string}} props `did`: what it amends, in words */
function Verdict({ seen, ruled, did, amended }) {
  const { judge, outcome, to, closed, reasons, rules, precedent, undone_by: undone, reapplied } = ruled;
  return h(
    "div",
    { class: "verdict" },
    h("p", null, h("strong", null, DESK.ruled(who(seen, judge), DESK.outcomes[outcome] ?? outcome, to))),
    h(Commits, { first: closed, last: closed }),
    did && h("p", null, did),
    h("p", { class: reasons ? "" : "quiet" }, reasons || DESK.untold),
    rules.map((id) => h(RuleButton, { key: id, rule: { id } })),
    precedent && h("p", null, DESK.precedent),
    undone && h("p", null, DESK.undone(undone.commit)),
    reapplied.map((one) => h("p", { key: one }, DESK.by(DESK.again(one), amended(one)))),
  );
}

/** @param {{first: number, last: number, as?: string}} props leads to the moment; `as`: through whose eyes it is seen */
function Commits({ first, last, as }) {
  const onClick = () => {
    lookAt(last, as);
    deskTab.value = "board";
  };
  return h("button", { type: "button", class: "rule", onClick }, DESK.commits(first, last));
}

/**
 * Of a field: its text is kept while it is written.
 * @param {string} value
 * @param {(now: string) => void} keep
 */
const keptField = (value, keep) => ({
  value,
  onInput: (/** @type {any} */ event) => keep(event.currentTarget.value),
});

/** @param {{seen: View, number: number}} props */
function Give({ seen, number }) {
  const [note, keep] = useDraft(seen, `note ${number}`, "");
  const { ask, outcome, waits } = useDesk(() => {
    ticks.value = { commits: [], rules: [] };
    keep();
  });
  const { commits, rules } = ticks.value;
  const has = commits.length + rules.length > 0;
  /** @param {SubmitEvent} event */
  const submit = (event) => {
    event.preventDefault();
    const said = note.trim();
    void ask("evidence", { commits, rules, ...(said && { note: said }) }, { number });
  };
  return h(
    "form",
    { class: "give", onSubmit: submit },
    h(
      "p",
      { role: "status", class: has ? "" : "quiet" },
      has ? `${DESK.ticked}: ${[...commits.map((one) => DESK.commits(one, one)), ...rules].join(", ")}` : DESK.noTicks,
    ),
    h("label", null, DESK.note, h("textarea", { ...keptField(note, keep), rows: 1, maxLength: 2000 })),
    outcome,
    h("button", { type: "submit", disabled: waits }, DESK.give),
  );
}

/** @param {{number: number, onDone: () => void}} props */
function Withdraw({ number, onDone }) {
  const { ask, outcome } = useDesk(onDone);
  return [
    outcome,
    h(Confirm, {
      label: DESK.withdraw,
      what: DESK.withdrawWhat,
      onYes: () => void ask("withdrawal", null, { number }),
    }),
  ];
}

/** @param {{seen: View, number: number, onDone: () => void}} props */
function Reopen({ seen, number, onDone }) {
  const [reasons, keep] = useDraft(seen, `reopen ${number}`, "");
  const { ask, outcome, waits } = useDesk(() => {
    keep();
    onDone();
  });
  /** @param {SubmitEvent} event */
  const submit = (event) => {
    event.preventDefault();
    void ask("reopening", { reasons: reasons.trim() }, { number });
  };
  return h(
    "details",
    null,
    h("summary", null, DESK.reopen),
    h("p", { class: "quiet" }, DESK.reopenWhat),
    h(
      "form",
      { onSubmit: submit },
      h(
        "label",
        null,
        DESK.reasons,
        h("textarea", { ...keptField(reasons, keep), required: true, rows: 2, maxLength: 1000 }),
      ),
      outcome,
      h("button", { type: "submit", disabled: waits }, DESK.reopen),
    ),
  );
}
