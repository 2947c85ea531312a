import { expect, it } from "vitest";

import { PASSWORD } from "../../lib/backend/mock-data";
import { accessible, id, next, open, until } from "../../../tests/window";

it("says what is ready before it begins", async () => {
  await open({ step: "encrypt" });
  expect(id("next").textContent?.trim()).toBe("Encrypt now");
  expect(document.body.textContent).toContain("One copy of the recovery key is proven.");
  await accessible();
});

it("shows how far it is, and that the window may be closed", async () => {
  await open({ step: "encrypt", state: "running" });
  expect(id("percent").textContent?.trim()).toBe("42 %");
  const bar = document.querySelector("[role=progressbar]");
  expect(bar?.getAttribute("aria-valuenow")).toBe("42");
  expect(document.body.textContent).toContain("You can close this window at any time.");
  expect(next()).toMatchObject({ works: false });
  await accessible();
});

it("is paused, and says that all is safe", async () => {
  await open({ step: "encrypt", state: "paused" });
  expect(document.querySelector("h1")?.textContent).toBe("Paused");
  expect(document.getElementById("pause")).toBeNull();
  expect(id("resume").textContent?.trim()).toBe("Go on");
  await accessible();
});

it("asks for the password after reopening, and says when it is wrong", async () => {
  const { user } = await open({ step: "encrypt", state: "stopped" });
  expect(next()).toEqual({ works: false, why: "Type your password to go on." });
  await accessible();
  await user.type(id("resume-password"), "wrong{Enter}");
  await until(() => document.querySelector("[role=alert]"), "the fault");
  await user.type(id("resume-password"), `${PASSWORD}{Enter}`);
  await until(() => document.getElementById("encrypt-finished"), "it is finished");
  expect(next().works).toBe(true);
});

it("says that it was paused from outside, and goes on without the password", async () => {
  const { user } = await open({ step: "encrypt", state: "outside" });
  expect(document.body.textContent).toContain("latchkey pause");
  expect(document.getElementById("resume-password")).toBeNull();
  await accessible();
  await user.click(id("next"));
  await until(() => document.getElementById("pause") ?? document.getElementById("encrypt-finished"), "it goes on");
});

it("switches the lock on, where the drive encrypts by itself", async () => {
  await open({ step: "encrypt", state: "hardware" });
  expect(id("next").textContent).toContain("Switch the lock on");
  expect(document.querySelector("main")?.textContent).toContain("The practice drive will now lock itself");
  await accessible();
});
