// The size of what `npm run build` made, gzipped, and a look for what must not be in it.

import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const DIST = new URL("../dist/", import.meta.url);
const LIMIT = 150_000;
/** Stands only in the mock: src/lib/backend/mock.ts. */
const MARK = "latchkey-mock";

let total = 0;
for (const name of readdirSync(DIST, { recursive: true })) {
  if (!/\.(js|css|html|svg|woff2)$/.test(name)) continue;
  const bytes = readFileSync(new URL(name, DIST));
  if (bytes.includes(MARK)) {
    console.error(`${name}: the mock is in the window's bundle`);
    process.exitCode = 1;
  }
  const size = gzipSync(bytes, { level: 9 }).length;
  total += size;
  console.log(`${String(size).padStart(8)}  ${name}`);
}
console.log(`${String(total).padStart(8)}  bytes gzipped (at most ${LIMIT})`);
if (total > LIMIT) process.exitCode = 1;
