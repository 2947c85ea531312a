import { expect, it } from "vitest";

import { accessible, id, next, open, ready, step, until } from "../../../tests/window";

it("writes the copy and says where it is", async () => {
  const { user } = await open({ step: "rescue" });
  expect(next().works).toBe(false);
  await accessible();
  await user.click(id("choose-folder"));
  await until(() => document.querySelector("[data-verified=true]"), "written and read back");
  await ready();
  await accessible();
});

it("goes on without one after saying what that means", async () => {
  const { user } = await open({ step: "rescue" });
  expect(id("no-rescue").textContent).toContain("nothing on it can be opened any more");
  await user.click(id("no-rescue").querySelector("summary") as Element);
  await user.click(id("skip-rescue"));
  await step("bench_before");
});
