// The size of what `npm run build` made, gzipped, and a look for what must not be in it. What the window begins with
// and what is fetched only with a page that few people open each have a limit of their own.

import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const DIST = new URL("../dist/", import.meta.url);
const LIMIT = 150_000;
/** src/native: fetched when somebody opens the page for BitLocker or FileVault. */
const LATER = /^assets\/(NativePage|native-texts)-/;
const LIMIT_LATER = 30_000;
/** An import that is none of these would have the page fetched at once. */
const AT_ONCE = /(?:from|import)\s*["']\.\/(?:NativePage|native-texts)-/;
/** Stands only in the mock: src/lib/backend/mock.ts. */
const MARK = "latchkey-mock";

let total = 0;
let later = 0;
for (const name of readdirSync(DIST, { recursive: true })) {
  if (!/\.(js|css|html|svg|woff2)$/.test(name)) continue;
  const bytes = readFileSync(new URL(name, DIST));
  if (bytes.includes(MARK)) refuse(`${name}: the mock is in the window's bundle`);
  const isLater = LATER.test(name);
  if (!isLater && (AT_ONCE.test(`${bytes}`) || (name.endsWith(".html") && /NativePage|native-texts/.test(`${bytes}`)))) {
    refuse(`${name}: fetches at once what is to be fetched later`);
  }
  const size = gzipSync(bytes, { level: 9 }).length;
  if (isLater) later += size;
  else total += size;
  console.log(`${String(size).padStart(8)}  ${name}${isLater ? " (later)" : ""}`);
}
console.log(`${String(total).padStart(8)}  bytes gzipped to begin with (at most ${LIMIT})`);
console.log(`${String(later).padStart(8)}  bytes gzipped that come later (at most ${LIMIT_LATER})`);
if (total > LIMIT || later > LIMIT_LATER) process.exitCode = 1;
if (later === 0) refuse("nothing comes later: the names of the files have changed");

function refuse(why) {
  console.error(why);
  process.exitCode = 1;
}
