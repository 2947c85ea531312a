import { expect, it } from "vitest";

import { accessible, id, next, open, step, until } from "../../../tests/window";

it("measures and shows the figures in plain words", async () => {
  const { user } = await open({ step: "bench_before" });
  expect(next().works).toBe(true);
  await accessible();
  await user.click(id("next"));
  await until(() => document.querySelectorAll("[data-test]").length === 4, "the figures");
  expect(document.body.textContent).toContain("Starting programs");
  expect(document.body.textContent).toContain("Saving a large file");
  await accessible();
});

it("can be left out, also in the middle", async () => {
  const { user } = await open({ step: "bench_before", tick: 50 });
  await user.click(id("next"));
  await until(() => document.querySelector("[role=progressbar]"), "it measures");
  await user.click(id("skip-measure"));
  await step("test_start");
});
