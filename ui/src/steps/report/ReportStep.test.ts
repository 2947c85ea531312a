import { expect, it } from "vitest";

import { accessible, id, open, step } from "../../../tests/window";

it("says what was done and what to keep", async () => {
  const { user } = await open({ step: "report" });
  expect(document.querySelector("h1")?.textContent).toBe("The practice drive is protected");
  expect(id("files").textContent).toContain("All 24 files on it are there and unchanged.");
  expect(document.body.textContent).toContain("on the stick “KINGSTON”");
  expect(document.body.textContent).toContain("aes-xts-plain64");
  await accessible();
  await user.click(id("next"));
  await step("drives");
});

it("names no cipher that nobody has seen, where the drive encrypts by itself", async () => {
  await open({ step: "report", state: "hardware" });
  const text = document.querySelector("main")?.textContent;
  expect(text).toContain("the drive itself");
  expect(text).not.toContain("aes-xts");
  await accessible();
});

it("turns the drive's own encryption off, when its name and a secret are typed", async () => {
  const { user } = await open({ step: "report", state: "hardware" });
  await user.click(id("give-back").querySelector("summary")!);
  await accessible();
  const button = id("give-back-do");
  expect(button.getAttribute("aria-disabled")).toBe("true");
  await user.click(button);
  expect(document.querySelector("h1")?.textContent).toContain("protected");
  // Enter is not for the step's own button.
  await user.type(id("give-back-password"), "nigin fidef{Enter}");
  expect(document.querySelector("h1")?.textContent).toContain("protected");
  expect(id("give-back-why").textContent).toContain("exactly as it is shown");
  await user.type(id("give-back-name"), "practice.img");
  expect(button.getAttribute("aria-disabled")).toBeNull();
  await accessible();
  await user.type(id("give-back-password"), "{Enter}");
  await step("drives");
  expect(document.body.textContent).toContain("given back as it was");
});

it("offers no such thing where the computer encrypts", async () => {
  await open({ step: "report" });
  expect(document.getElementById("give-back")).toBeNull();
});
