// The vendored module: all that the browser table takes from Preact, under one address, because two modules that both
// import "preact" would need an import map, which is inline script to the policy of the page.
export * from "@preact/signals";
export * from "preact";
export * from "preact/hooks";
