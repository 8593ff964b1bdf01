// The vendored module: what the browser table takes from Preact, under one address, because two modules that both
// import "preact" would need an import map, which is inline script to the policy of the page.
export { batch, computed, effect, signal, untracked } from "@preact/signals";
export { Component, h, render } from "preact";
export { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
