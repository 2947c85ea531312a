// A picture of every state of every step, and what axe says of it where something is really drawn: in light, dark,
// high contrast, at twice the text size, in both languages. On the mock, in a headless Chromium.
//
//   npm run gallery -- FOLDER [state-or-step ...]
//
// `CHROMIUM` names the browser. Ends with 1 if axe has a finding or a text does not fit.

import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../node_modules/.mock", import.meta.url));
const AXE = fileURLToPath(new URL("../node_modules/axe-core/axe.min.js", import.meta.url));
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };

const [folder, ...only] = process.argv.slice(2);
if (!folder) throw new Error("npm run gallery -- FOLDER [state-or-step ...]");
mkdirSync(folder, { recursive: true });

/** Each step with the special states of the mock. */
const STATES = {
  drives: [
    "",
    "looking",
    "none",
    "one",
    "nine",
    "long",
    "safe",
    "partly",
    "rights",
    "unreadable",
    "remind",
    "fault",
    "native",
    "native-key",
    "native-proven",
    "native-pin",
    "native-hardware",
    "native-home",
    "native-no-tpm",
    "native-restart",
    "native-restart-by-hand",
    "native-encrypting",
    "native-paused",
    "native-decrypting",
    "native-suspended",
    "native-open",
    "native-protected",
    "native-unclear",
    "native-look",
    "native-failed",
    "native-stale",
    "native-mac",
    "native-mac-protected",
    "native-apfs",
  ],
  check: ["", "fail", "space", "able", "hardware", "sleep", "done", "system", "system-fail", "system-missing", "system-no-agent"],
  before: ["", "confirmed", "system"],
  password: ["", "system"],
  recovery: ["", "proven", "no-places", "fault", "system"],
  rescue: ["", "written", "system", "system-stick", "system-sticks", "system-written"],
  bench_before: ["", "measured"],
  test_start: [
    "",
    "wrong",
    "passed",
    "system-looking",
    "system-missing",
    "system-staged",
    "system-room",
    "system-room-made",
    "system-not-the-test",
    "system-tidying",
    "system-wrong",
    "system-nothing-typed",
    "system-taken-back",
    "system-failed",
  ],
  encrypt: [
    "",
    "running",
    "paused",
    "stopped",
    "outside",
    "finished",
    "fault",
    "system-placed",
    "system-undone",
    "system-running",
    "system-paused",
    "system-password",
    "system-ending",
    "system-prove",
    "system-back",
    "system-plain",
  ],
  bench_after: ["", "measured", "slower"],
  report: ["", "hardware", "system", "manage", "manage-open", "manage-recovery", "manage-turning", "manage-fault"],
  help: [""],
};

const VARIANTS = {
  "en-light": { lang: "en", flags: [] },
  "de-dark": { lang: "de", flags: ["--blink-settings=preferredColorScheme=0"] },
  "de-contrast": { lang: "de", flags: ["--blink-settings=preferredContrast=0"] },
  "de-large": { lang: "de", flags: [], size: "760,1000", zoom: "200%" },
};

/** Runs in the page: puts what is found into the document, where `--dump-dom` shows it. */
const LOOK = `
addEventListener("load", () => setTimeout(async () => {
  const asked = new URLSearchParams(location.search);
  if (asked.get("zoom")) document.documentElement.style.fontSize = asked.get("zoom");
  if (asked.get("help") !== null) document.getElementById("help").click();
  await new Promise((resolve) => setTimeout(resolve, 300));
  const { violations } = await axe.run(document, { resultTypes: ["violations"] });
  const found = violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html.slice(0, 120)).join(" | "));
  if (document.documentElement.scrollWidth > innerWidth + 1) found.push("wider than the window");
  document.documentElement.dataset.found = JSON.stringify(found);
}, 700));`;

const server = createServer(({ url = "/" }, response) => {
  const path = new URL(url, "http://localhost").pathname;
  if (path === "/axe.js") return response.setHeader("content-type", TYPES[".js"]).end(readFileSync(AXE));
  if (path === "/look.js") return response.setHeader("content-type", TYPES[".js"]).end(LOOK);
  try {
    const name = path === "/" ? "/index.html" : path;
    let bytes = readFileSync(join(ROOT, name));
    if (name === "/index.html") {
      bytes = `${bytes}`.replace("</body>", '<script src="axe.js"></script><script src="look.js"></script></body>');
    }
    response.setHeader("content-type", TYPES[extname(name)] ?? "application/octet-stream").end(bytes);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port } = server.address();

const findings = [];
let pictures = 0;
for (const [step, states] of Object.entries(STATES)) {
  for (const state of states) {
    const name = state ? `${step}-${state}` : step;
    if (only.length > 0 && !only.includes(step) && !only.includes(name)) continue;
    for (const [variant, { lang, flags, size = "1000,1000", zoom }] of Object.entries(VARIANTS)) {
      const asked = new URLSearchParams({ step: step === "help" ? "drives" : step, lang });
      if (state) asked.set("state", state);
      if (zoom) asked.set("zoom", zoom);
      if (step === "help") asked.set("help", "");
      const common = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", `--window-size=${size}`];
      const address = `http://127.0.0.1:${port}/?${asked}`;
      const picture = join(folder, `${name}-${variant}.png`);
      const browser = (last) =>
        run(process.env["CHROMIUM"] ?? "chromium", [...common, ...flags, "--virtual-time-budget=8000", last, address], {
          maxBuffer: 1 << 26,
        });
      await browser(`--screenshot=${picture}`);
      const { stdout } = await browser("--dump-dom");
      const found = /data-found="([^"]*)"/.exec(stdout)?.[1]?.replaceAll("&quot;", '"').replaceAll("&amp;", "&");
      if (found === undefined) findings.push(`${name} ${variant}: axe did not come to an end`);
      else for (const finding of JSON.parse(found)) findings.push(`${name} ${variant}: ${finding}`);
      pictures += 1;
    }
  }
}
server.close();
writeFileSync(join(folder, "findings.txt"), findings.map((finding) => `${finding}\n`).join(""));
console.log(`${pictures} pictures in ${folder}, ${findings.length} findings`);
for (const finding of findings) console.log(finding);
process.exitCode = findings.length > 0 ? 1 : 0;
