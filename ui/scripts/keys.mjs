// Makes src/lib/texts/keys.ts: the keys of window.ftl and native.ftl with the variables that each sentence needs,
// so that the type checker finds a misspelt key or a forgotten variable.
//
// `npm run keys` writes the file, `npm run keys -- --check` says whether it is up to date.

import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse, Visitor } from "@fluent/syntax";

const FOLDER = new URL("../../helpers/texts/i18n/en", import.meta.url);
const KEYS = new URL("../src/lib/texts/keys.ts", import.meta.url);

/** Every message of a Fluent file: its name, attributes as `name.attribute`, to its variables. */
export function messages(source) {
  const found = new Map();
  const resource = parse(source, { withSpans: false });
  for (const entry of resource.body) {
    if (entry.type === "Junk") throw new Error(`not Fluent: ${entry.content}`);
    if (entry.type !== "Message") continue;
    if (found.has(entry.id.name)) throw new Error(`twice: ${entry.id.name}`);
    if (entry.value) found.set(entry.id.name, variables(entry.value));
    for (const attribute of entry.attributes) {
      found.set(`${entry.id.name}.${attribute.id.name}`, variables(attribute.value));
    }
  }
  return found;
}

function variables(pattern) {
  const names = new Set();
  class Variables extends Visitor {
    visitVariableReference(node) {
      names.add(node.id.name);
    }
  }
  new Variables().visit(pattern);
  return [...names].sort();
}

/** What the window says, of one language's folder. */
export function catalogue(folder) {
  return ["window", "native"].map((name) => readFileSync(`${folder}/${name}.ftl`, "utf8")).join("\n");
}

/** The text of keys.ts for a catalogue. */
export function keysFile(source) {
  const lines = [...messages(source)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, names]) => `  "${key}": ${names.map((name) => `"${name}"`).join(" | ") || "never"};`);
  return [
    "// Made by `npm run keys` of window.ftl and native.ftl in helpers/texts/i18n/en. Do not edit.",
    "",
    "/** Each key of the window's own texts, and the variables in its sentence. */",
    "export interface Variables {",
    ...lines,
    "}",
    "",
  ].join("\n");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const made = keysFile(catalogue(fileURLToPath(FOLDER)));
  if (process.argv.includes("--check")) {
    if (readFileSync(KEYS, "utf8") !== made) {
      console.error("src/lib/texts/keys.ts is not up to date: npm run keys");
      process.exit(1);
    }
  } else {
    writeFileSync(KEYS, made);
  }
}
