// Shows the contract of the service that the page came from. What is typed in under "Authorize" is forgotten with the page.

const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", follow);
follow();

const entry = (contract, path) => path.reduce((found, key) => found?.[key], contract);
const keys = (ref) =>
  ref
    .slice(2)
    .split("/")
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));

const DEEPEST = 5; // references within references; entries hold whole haunts, and would be millions of lines

// Puts what references name in their place. One within itself, or too deep, stays and is shown by its name.
function resolved(contract, node, above = []) {
  if (Array.isArray(node)) return node.map((one) => resolved(contract, one, above));
  if (node === null || typeof node !== "object") return node;
  const { $ref: ref, ...beside } = node;
  if (typeof ref !== "string") {
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, resolved(contract, value, above)]));
  }
  if (!ref.startsWith("#/") || above.includes(ref) || above.length === DEEPEST) return node;
  return { ...resolved(contract, entry(contract, keys(ref)), [...above, ref]), ...beside };
}

// In place of the viewer's own resolver, which freezes the page for half a minute where an answer is large.
const Resolver = () => ({
  fn: {
    resolveSubtree: async (contract, path) => ({ spec: resolved(contract, entry(contract, path)) ?? null, errors: [] }),
  },
});

SwaggerUIBundle({
  dom_id: "#contract",
  url: "/openapi.json",
  plugins: [Resolver],
  validatorUrl: null, // else it would ask another host
  deepLinking: true, // /docs#/play/getView
  docExpansion: "none",
  defaultModelsExpandDepth: -1, // each answer shows its schema; all of them at once are long
  filter: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
});
