// Plays a game to the end by the types that openapi-typescript makes of the contract. `node play.js URL SEATS`
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

declare const process: { argv: string[]; stdout: { write(text: string): void } };

type Command = components["schemas"]["Command"];
type Event = components["schemas"]["Event"];

const [baseUrl = "", seats = "3"] = process.argv.slice(2);
const api = createClient<paths>({ baseUrl });

function bearer(secret: string) {
  return createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${secret}` } });
}

function need<T>(answer: { data?: T; error?: unknown }): T {
  if (answer.data === undefined) throw new Error(JSON.stringify(answer.error));
  return answer.data;
}

// What explores first, else one after the other.
function choose(commands: Command[], turn: number): Command {
  const exploring = commands.filter((one) => one.type === "explore");
  const among = exploring.length > 0 ? exploring : commands;
  return among[(turn * 7919) % among.length]!;
}

const opened = need(
  await api.POST("/v1/games", { body: { edition: "second", seats: Array.from({ length: Number(seats) }, () => ({})), hotseat: true } }),
);
const path = { game: opened.game.id };
const { host, referee } = opened.tokens;
if (!host || !referee) throw new Error("a hotseat game gives all tokens");
const watching = bearer(referee.secret);
const players = opened.tokens.seats!.map((token) => bearer(token.secret));
need(await bearer(host.secret).POST("/v1/games/{game}/start", { params: { path } }));

let done = 0;
let stale = "";
for (;;) {
  const [awaited] = need(await watching.GET("/v1/games/{game}/decisions", { params: { path } })).waiting;
  if (awaited === undefined) break;
  const player = players[awaited.seat!]!;
  const { yours, version } = need(await player.GET("/v1/games/{game}/decisions", { params: { path } }));
  const body = choose(yours.filter((one) => one.kind !== "reveal").flatMap((one) => one.commands.map((listed) => listed.command)), done);
  const at = (number: number) => ({ params: { path, header: { "If-Match": `"${number}"`, "Idempotency-Key": `ts-${done}` } }, body });
  if (done === 0) stale = (await player.POST("/v1/games/{game}/commands", at(version - 1))).error?.code ?? "";
  const { commit } = need(await player.POST("/v1/games/{game}/commands", at(version)));
  if (commit.data.number !== version + 1) throw new Error("somebody else was faster");
  done += 1;
}

const events: Event[] = [];
let after = 0;
for (;;) {
  const page = need(await watching.GET("/v1/games/{game}/events", { params: { path, query: { after, limit: 100 } } }));
  if (typeof page === "string" || !("events" in page)) throw new Error("without Accept the answer is a page");
  if (page.events.length === 0) break;
  events.push(...page.events.flatMap((one) => one.data.events));
  after = page.events.at(-1)!.data.number;
}
const ended = events.flatMap((one) => (one.type === "GameEnded" ? [one] : []));
const game = need(await api.GET("/v1/games/{game}", { params: { path } }));
process.stdout.write(JSON.stringify({ ...path, done, stale, after, events: events.length, ended: ended.length, status: game.status, because: game.because }));
