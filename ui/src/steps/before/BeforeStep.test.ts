import { expect, it } from "vitest";

import { accessible, id, next, open, ready } from "../../../tests/window";

it("waits for the backup", async () => {
  const { user } = await open({ step: "before" });
  expect(next().works).toBe(false);
  await accessible();
  await user.click(id("backup"));
  await ready();
});
