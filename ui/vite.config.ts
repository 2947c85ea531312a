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

/** What is in the window from the beginning, and not fetched with a page of its own. */
function beginsWith(id: string): boolean {
  return !/\/src\/(main\.ts|native\/(?!load\.ts)|lib\/backend\/)|\/(native|bitlocker|filevault)\.ftl/.test(id);
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
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      output: {
        // All that the window begins with in one piece: two pieces of the same text are larger than one.
        codeSplitting: { groups: [{ name: "window", test: beginsWith }] },
      },
    },
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
