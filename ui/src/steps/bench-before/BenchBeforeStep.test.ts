import { expect, it } from "vitest";

import { accessible, id, next, open, step, until } from "../../../tests/window";

it("measures and shows the figures in plain words", async () => {
  const { user } = await open({ step: "bench_before" });
  expect(next().works).toBe(true);
  await accessible();
  expect(document.querySelector("[data-writes]")?.textContent).toMatch(/537\sMB/);
  await user.click(id("next"));
  await until(() => document.querySelectorAll("[data-test]").length === 8, "the figures");
  expect(document.body.textContent).toContain("Starting programs");
  expect(document.body.textContent).toContain("Saving a large file");
  // What is going to be, and what is the brake.
  expect(document.querySelector("[data-brake=drive]")).not.toBeNull();
  expect(document.body.textContent).toContain("Expected: between 74 % and 99 %");
  // A table behind each picture.
  for (const picture of ["bench-dots", "bench-curve", "bench-cost"]) {
    expect(document.querySelector(`[aria-labelledby=${picture}] table`)).not.toBeNull();
  }
  expect(document.querySelectorAll("svg[role=img][aria-labelledby]")).toHaveLength(2);
  await accessible();
});

it("can be saved", async () => {
  const { user } = await open({ step: "bench_before", state: "measured" });
  await user.click(id("save-bench"));
  await until(() => document.body.textContent?.includes("latchkey-bench-2026-12-02.html"), "where it is");
  await accessible();
});

it("can be left out, also in the middle", async () => {
  const { user } = await open({ step: "bench_before", tick: 50 });
  await user.click(id("next"));
  await until(() => document.querySelector("[role=progressbar]"), "it measures");
  await user.click(id("skip-measure"));
  await step("test_start");
});
