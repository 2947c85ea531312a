import { svelte } from "@sveltejs/vite-plugin-svelte";
import { svelteTesting } from "@testing-library/svelte/vite";
import { defineConfig } from "vitest/config";

export default defineConfig({
  // The window is served from the program itself: no address of a server in the files.
  base: "./",
  plugins: [svelte(), svelteTesting()],
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
