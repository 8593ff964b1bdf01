// Asks the official AsyncAPI parser about a document: its findings as JSON, and what it understood.
// `node parse.mjs DOCUMENT`
import { readFileSync } from "node:fs";
import parser from "@asyncapi/parser";

const { document, diagnostics } = await new parser.Parser().parse(readFileSync(process.argv[2], "utf8"));
const understood = document && {
  version: document.version(),
  channels: document.channels().all().map((one) => one.address()),
  operations: document.operations().all().map((one) => `${one.action()} ${one.id()}`),
  messages: document.components().messages().all().map((one) => one.id()),
};
process.stdout.write(JSON.stringify({ diagnostics, understood: understood ?? null }));
