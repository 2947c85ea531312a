import { expect, it } from "vitest";

import { accessible, id, next, open, step, until } from "../../../tests/window";

it("shows every drive with its verdict in words", async () => {
  await open();
  const cards = [...document.querySelectorAll("[data-drive]")];
  expect(cards).toHaveLength(3);
  expect(cards.map((card) => card.querySelector("[data-verdict]")?.textContent?.trim())).toEqual([
    "Not protected",
    "Not protected",
    "Protected",
  ]);
  expect(next()).toMatchObject({ works: false });
  expect(next().why).not.toBe("");
  await accessible();
});

it("offers to encrypt neither the drive that the system runs from nor one that is protected", async () => {
  await open();
  const labels = [...document.querySelectorAll("[data-drive] button")].map((button) => button.getAttribute("aria-label"));
  expect(labels).toEqual(["Encrypt Photos…"]);
});

it("goes on to the check with a chosen volume, or an image", async () => {
  const { mock, user } = await open();
  await user.click(document.querySelector("[data-drive='/dev/sda'] button") as Element);
  await step("check");
  await user.click(id("back"));
  await step("drives");
  expect(next()).toEqual({ works: true, why: "Chosen: SanDisk Extreme Portable" });
  await user.click(id("open-image"));
  await step("check");
  expect(mock.acts.filter((kind) => kind === "choose")).toHaveLength(2);
});

it("says what went wrong, what to do next, and the cause for the curious", async () => {
  await open({ state: "fault" });
  const fault = document.querySelector("[role=alert]");
  expect(fault?.textContent).toContain("4.1\u00a0GB");
  expect(fault?.querySelector("details")?.textContent).toContain("os error 5");
  await accessible();
});

it("says that there is no drive only after it has looked for a while", async () => {
  await open({ state: "none" });
  const section = document.querySelector("section");
  expect(section?.textContent).not.toContain("No drive can be seen");
  await until(() => section?.textContent?.includes("No drive can be seen"), "the sentence");
});

it("speaks German, and says so to screen readers", async () => {
  const { user } = await open();
  await user.click(id("language-de"));
  expect(document.documentElement.lang).toBe("de");
  expect(document.querySelector("h1")?.textContent).toBe("Welches Laufwerk möchten Sie schützen?");
  await accessible();
});
