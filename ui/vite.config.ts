import { readFileSync } from "node:fs";

import { svelte } from "@sveltejs/vite-plugin-svelte";
import { svelteTesting } from "@testing-library/svelte/vite";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

import { ours } from "./bundle.ts";

/** Leaves out what the window never says: in tests as in the program, so that they see what people see. */
function onlyOurs(): Plugin {
  return {
    name: "only-ours",
    enforce: "pre",
    load(id) {
      const path = id.endsWith(".ftl?raw") ? id.slice(0, -"?raw".length) : null;
      if (path === null) return null;
      return `export default ${JSON.stringify(ours(readFileSync(path, "utf8")))}`;
    },
  };
}

export default defineConfig({
  // The window is served from the program itself: no address of a server in the files.
  base: "./",
  plugins: [onlyOurs(), svelte(), svelteTesting()],
  build: {
    target: ["es2022", "safari16"],
    modulePreload: { polyfill: false },
    // Pictures in the style sheet would need `data:` in the content security policy.
    assetsInlineLimit: 0,
  },
  // The catalogue lies outside this folder, because the terminal program shows the same sentences.
  server: { port: 1420, strictPort: true, fs: { allow: [".."] } },
  test: {
    environment: "jsdom",
    setupFiles: ["tests/setup.ts"],
    include: ["src/**/*.test.ts", "tests/**/*.test.ts"],
    testTimeout: 30_000,
  },
});
