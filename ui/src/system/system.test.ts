import { describe, expect, it } from "vitest";

import { PASSWORD } from "../lib/backend/mock-data";
import type { Step } from "../lib/bindings";
import { accessible, id, next, open, ready, step, until } from "../../tests/window";

const main = () => document.querySelector("main")?.textContent ?? "";

it("goes from the list of drives to the restart by keyboard", async () => {
  const { mock, user } = await open();
  const button = [...document.querySelectorAll<HTMLElement>("[data-drive='/dev/nvme0n1'] button")].find(
    (found) => found.getAttribute("aria-label")?.includes("Check"),
  );
  button?.focus();
  await user.keyboard("{Enter}");
  await step("check");
  await accessible();
  // Measuring is no part of this way.
  expect(document.querySelector(".rail")?.textContent).not.toContain("Measure");
  await user.keyboard("{Enter}");

  await step("before");
  await user.click(id("backup"));
  await until(() => next().why.includes("each of the points"), "the warnings are asked about");
  for (const box of document.querySelectorAll<HTMLInputElement>("[id^=accept-]")) await user.click(box);
  await ready();
  await accessible();
  await user.click(id("next"));

  await step("password");
  expect(id("layout").textContent).toContain("“de”");
  await accessible();
  await user.type(id("password"), PASSWORD);
  await user.type(id("password-repeat"), PASSWORD);
  await ready();
  expect(next().why).toContain("administrator");
  await user.click(id("next"));

  await step("recovery");
  await user.click(id("choose-folder"));
  await until(() => document.querySelector("[data-copy]"), "a copy is proven");
  await ready();
  expect(id("next").textContent).toContain("Prepare the test start");
  await user.click(id("next"));

  await step("rescue");
  expect(next().works).toBe(false);
  await user.click(id("no-rescue").querySelector("button, summary") ?? id("no-rescue"));
  await user.click(id("skip-rescue"));
  await step("test_start");
  expect(mock.acts).toContain("skip_rescue");
});

describe("a rescue stick", () => {
  it("is made when its name was typed", async () => {
    const { mock, user } = await open({ step: "rescue", state: "system-stick" });
    await accessible();
    await user.type(id("stick-name"), "Kingston{Enter}");
    expect(mock.acts).not.toContain("write_stick");
    await user.type(id("stick-name"), " DataTraveler 3.0{Enter}");
    await until(() => document.getElementById("stick-written"), "it is written");
    await ready();
    await accessible();
  });

  it("is chosen among several", async () => {
    const { user } = await open({ step: "rescue", state: "system-sticks" });
    expect(document.getElementById("stick-name")).toBeNull();
    await user.click(document.querySelectorAll<HTMLInputElement>("input[type=radio]")[1]!);
    await until(() => document.getElementById("stick-name"), "its name is asked for");
    expect(main()).toContain("type its name: SanDisk Ultra Fit");
    await accessible();
  });
});

it("says before the restart what will happen, and that it may be later", async () => {
  const { mock, user } = await open({ step: "test_start", state: "system-staged" });
  expect(main()).toContain("three tries");
  await accessible();
  await user.click(id("later"));
  await until(() => document.getElementById("later-text"), "later is fine");
  await user.click(id("next"));
  await until(() => mock.acts.includes("restart"), "it is restarted");
  expect(main()).toContain("being restarted");
});

it.each([
  ["check", "system-missing", "is not installed", "ask_again"],
  ["check", "system-no-agent", "nothing here can ask for it", "ask_again"],
  ["test_start", "system-wrong", "Nothing was changed", "next"],
  ["test_start", "system-nothing-typed", "nothing was typed", "next"],
  ["test_start", "system-taken-back", "All your files are there", "next"],
  ["test_start", "system-failed", "resize2fs", "next"],
  ["test_start", "system-not-the-test", "It is still prepared", "restart"],
  ["test_start", "system-room", "the first of two times", "restart"],
  ["encrypt", "system-placed", "Nothing is encrypted yet", "resume"],
  ["encrypt", "system-undone", "puts everything back", "restart"],
  ["encrypt", "system-paused", "What is done is safe", "resume"],
  ["encrypt", "system-prove", "start from power-off", "power_off"],
  ["encrypt", "system-back", "decrypts everything", "restart"],
] as const)("%s %s says so, and its button does what comes next", async (at, state, said, does) => {
  const { mock, user } = await open({ step: at as Step, state });
  expect(main()).toContain(said);
  await accessible();
  await user.click(id("next"));
  await until(() => mock.acts.includes(does), `${does} is asked for: ${mock.acts}`);
});

it.each([
  ["check", "system-fail", "dracut"],
  ["test_start", "system-looking", "One moment"],
  ["test_start", "system-tidying", "Nothing was changed"],
  ["test_start", "system-room-made", "do not restart"],
  ["encrypt", "system-running", "Go on working"],
  ["encrypt", "system-ending", "All is encrypted"],
  ["encrypt", "system-plain", "All your files are there"],
] as const)("%s %s says so, and there is nothing to press", async (at, state, said) => {
  await open({ step: at as Step, state });
  expect(main()).toContain(said);
  expect(next().works).toBe(false);
  await accessible();
});

it("pauses and goes on, with the password where nobody has typed it", async () => {
  const { mock, user } = await open({ step: "encrypt", state: "system-running" });
  expect(id("passed")).toBeTruthy();
  await user.click(id("pause"));
  await until(() => mock.acts.includes("pause"), "it is paused");
});

it("asks for the password and forgets it", async () => {
  const { mock, user } = await open({ step: "encrypt", state: "system-password" });
  expect(next().works).toBe(false);
  await accessible();
  await user.type(id("resume-password"), PASSWORD);
  await user.click(id("next"));
  await until(() => mock.acts.includes("encrypt"), "it goes on");
  expect(document.body.innerHTML).not.toContain(PASSWORD);
});

it("takes everything back with one click while nothing is encrypted", async () => {
  const { user } = await open({ step: "test_start", state: "system-staged" });
  await user.click(id("take-back"));
  await step("check");
  expect(main()).toContain("Everything has been taken back");
});

it("is green in the end, says who has seen it, and offers the way back", async () => {
  const { mock, user } = await open({ step: "report", state: "system" });
  expect(document.querySelector("[data-verdict=protected]")).not.toBeNull();
  expect(main()).toContain("A start after the end of the encryption was seen");
  await accessible();
  await user.type(id("decrypt-password"), PASSWORD);
  await user.click(id("decrypt-do"));
  await step("encrypt");
  expect(mock.acts).toContain("decrypt");
});
