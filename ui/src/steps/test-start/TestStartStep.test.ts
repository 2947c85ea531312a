import { expect, it } from "vitest";

import { PASSWORD } from "../../lib/backend/mock-data";
import { accessible, id, next, open, ready, until } from "../../../tests/window";

it("counts wrong tries and empties the field, as a start-up screen does", async () => {
  const { user } = await open({ step: "test_start" });
  expect(next().works).toBe(false);
  await accessible();
  await user.type(id("test-password"), "wrong{Enter}");
  await until(() => id("test-wrong").textContent?.includes("That did not open it"), "the first try");
  await user.type(id("test-password"), "wrong again{Enter}");
  await until(() => id("test-wrong").textContent?.includes("Tries so far: 2"), "the second try");
  expect(id<HTMLInputElement>("test-password").value).toBe("");
  // The screen itself says it: no second message beside it.
  expect(document.querySelector("[data-fault]")).toBeNull();
});

it("goes on when the password has opened the lock", async () => {
  const { user } = await open({ step: "test_start" });
  await user.type(id("test-password"), `${PASSWORD}{Enter}`);
  await until(() => document.getElementById("test-passed"), "it is open");
  await ready();
  await accessible();
});

it("says that the drive loses its power, where the drive encrypts by itself", async () => {
  await open({ step: "test_start", state: "hardware" });
  expect(document.querySelector("main")?.textContent).toContain("The drive’s power goes off and on");
  await accessible();
});
