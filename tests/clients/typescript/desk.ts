// Goes to the referee's desk by the types that openapi-typescript makes of the contract. `node desk.js URL`
import createClient from "openapi-fetch";
import type { paths } from "./schema.js";

declare const process: { argv: string[]; stdout: { write(text: string): void } };

const [baseUrl = ""] = process.argv.slice(2);
const api = createClient<paths>({ baseUrl });

function bearer(secret: string) {
  return createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${secret}` } });
}

function need<T>(answer: { data?: T; error?: unknown }): T {
  if (answer.data === undefined) throw new Error(JSON.stringify(answer.error));
  return answer.data;
}

const opened = need(await api.POST("/v1/games", { body: { edition: "second", seats: [{}, {}, {}], hotseat: true } }));
const path = { game: opened.game.id };
const { host, referee } = opened.tokens;
if (!host || !referee) throw new Error("a hotseat game gives all tokens");
const judge = bearer(referee.secret);
const players = opened.tokens.seats!.map((token) => bearer(token.secret));
let { version } = need(await bearer(host.secret).POST("/v1/games/{game}/start", { params: { path } }));

const started = version;

for (let done = 0; done < 8; done += 1) {
  const [awaited] = need(await judge.GET("/v1/games/{game}/decisions", { params: { path } })).waiting;
  const player = players[awaited!.seat!]!;
  const { yours } = need(await player.GET("/v1/games/{game}/decisions", { params: { path } }));
  const listed = yours.filter((one) => one.kind !== "reveal").flatMap((one) => one.commands.map((each) => each.command));
  const body = listed.find((one) => one.type === "explore") ?? listed[0]!;
  ({ version } = need(await player.POST("/v1/games/{game}/commands", { params: { path }, body })));
  const { take_back } = need(await player.GET("/v1/games/{game}/decisions", { params: { path } }));
  if (take_back) ({ version } = need(await player.POST("/v1/games/{game}/commands", { params: { path }, body: take_back.command })));
}

const seat = players[1]!;
const disputed = version;
const wrong = { params: { path }, body: { type: "choose", decision: "d99", option: "pass" } } as const;
const tried = need(await seat.POST("/v1/games/{game}/dry-runs", wrong));
const refused = (await seat.POST("/v1/games/{game}/commands", wrong)).error?.code ?? "";
const claim = { from: disputed - 1, to: disputed, claim: "That was another room." };
need(await seat.POST("/v1/games/{game}/disputes", { params: { path }, body: claim }));
const one = { ...path, number: 1 };
const evidence = { commits: [disputed], rules: ["2E-MOVE-001"] };
need(await seat.POST("/v1/games/{game}/disputes/{number}/evidence", { params: { path: one }, body: evidence }));
const at = { path: one, header: { "Idempotency-Key": "ts-ruling" } };
const body = { outcome: "rewind" as const, to: disputed - 2, reasons: "It was.", rules: ["2E-MOVE-001"] };
const ruled = need(await judge.POST("/v1/games/{game}/disputes/{number}/ruling", { params: at, body }));
const again = need(await judge.POST("/v1/games/{game}/disputes/{number}/ruling", { params: at, body }));
const shown = need(await seat.GET("/v1/games/{game}/disputes/{number}", { params: { path: one } }));
if (typeof shown === "string") throw new Error("without Accept the answer is JSON");
const trace = need(await judge.GET("/v1/games/{game}/trace", { params: { path, query: { from: disputed - 1 } } }));
if (typeof trace === "string" || !("steps" in trace)) throw new Error("without Accept the answer is a page");
const diff = need(await seat.GET("/v1/games/{game}/diff", { params: { path, query: { from: started, to: disputed } } }));
if (typeof diff === "string") throw new Error("without a format the answer is JSON");
const odds = need(await seat.POST("/v1/games/{game}/odds", { params: { path }, body: { of: "dice", dice: 3, outcomes: ["4+"] } }));
const key = { "Idempotency-Key": "a-fork-of-the-typescript-client" };
const fork = need(await seat.POST("/v1/games/{game}/forks", { params: { path, header: key }, body: { at: disputed } }));
const { forks } = need(await judge.GET("/v1/games/{game}/forks", { params: { path } }));
const page = need(await seat.GET("/v1/games/{game}/events", { params: { path, query: { after: disputed } } }));
if (typeof page === "string" || !("events" in page)) throw new Error("without Accept the answer is a page");

process.stdout.write(
  JSON.stringify({
    ...path,
    version: ruled.version,
    again: again.version,
    legal: tried.legal,
    refused,
    rewound: page.events.flatMap((commit) => commit.data.events).filter((event) => event.type === "Rewound").length,
    outcome: shown.dispute.outcome,
    claim: shown.texts.map((text) => text.text),
    steps: trace.steps.length,
    refusals: trace.steps.flatMap((step) => step.refused).length,
    changes: diff.changes.length,
    odds: odds.roll?.outcomes.map(({ chance }) => [chance.numerator, chance.denominator]),
    fork: fork.game.id,
    forks: forks.map((each) => each.game),
  }),
);
