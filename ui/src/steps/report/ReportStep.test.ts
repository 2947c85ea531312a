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
