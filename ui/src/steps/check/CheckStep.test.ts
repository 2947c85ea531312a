import { expect, it } from "vitest";

import { accessible, id, next, open, until } from "../../../tests/window";

it("says that it can be encrypted, and how", async () => {
  await open({ step: "check" });
  expect(document.querySelector("h1")?.textContent).toBe("The practice drive can be encrypted");
  expect(next().works).toBe(true);
  await accessible();
});

it("puts what is in the way first, in words, and keeps Next closed", async () => {
  await open({ step: "check", state: "fail" });
  const first = document.querySelector("[data-condition]");
  expect(first?.getAttribute("data-outcome")).toBe("fail");
  expect(first?.textContent).toContain("Not met");
  expect(next().works).toBe(false);
  await accessible();
});

it("says what stays readable without being asked, and leaves the choice to whoever wants it", async () => {
  const { user, mock } = await open({ step: "check", state: "space" });
  expect(id("space-chosen").dataset["space"]).toBe("used");
  const card = document.querySelector("[aria-labelledby=space-title]")!;
  expect(card.querySelector("p.soft")?.textContent).toContain("312\u00a0GB that no file uses are left out");
  expect(card.querySelector("p.soft")?.textContent).toContain("deleted earlier may stay readable");
  id<HTMLDetailsElement>("space").open = true;
  await accessible();
  await user.click(id("space-all"));
  await until(() => id("space-chosen").dataset["space"] === "all", "everything");
  expect(mock.acts).toEqual(["choose_space"]);
  expect(next().works).toBe(true);
});

it("shows what each condition was told by", async () => {
  await open({ step: "check" });
  const condition = document.querySelector("[data-condition=hardware-encryption]")!;
  expect(condition.querySelector("details")?.textContent).toContain("no security command was sent");
});

it("says of what is protected that there is nothing to do", async () => {
  await open({ step: "check", state: "done" });
  expect(document.querySelector("h1")?.textContent).toBe("SanDisk Extreme Portable is encrypted already");
  await accessible();
});

it("lists what computer and drive can do, and says that none of it is in the way", async () => {
  await open({ step: "check", state: "able" });
  const list = document.querySelector("[aria-labelledby=able-title]")!;
  expect([...list.querySelectorAll("[data-condition]")].map((one) => one.getAttribute("data-outcome"))).toEqual([
    "pass",
    "unknown",
    "fail",
  ]);
  expect(list.textContent).toContain("None of it stands in the way");
  expect(next().works).toBe(true);
  await accessible();
});

it("leaves the choice between the drive and the processor to whoever wants it", async () => {
  const { user, mock } = await open({ step: "check", state: "hardware" });
  expect(document.querySelector("[aria-labelledby=method-title]")?.textContent).toContain("By the drive itself");
  id<HTMLDetailsElement>("method").open = true;
  await accessible();
  expect(id<HTMLInputElement>("method-hardware").checked).toBe(true);
  await user.click(id("method-software"));
  await until(() => id<HTMLInputElement>("method-software").checked, "the processor");
  expect(mock.acts).toEqual(["choose_method"]);
});

it("shows no choice where there is none", async () => {
  await open({ step: "check" });
  expect(document.getElementById("method")).toBeNull();
});

it("asks how the computer is to sleep, chooses nothing for anybody, and keeps Next closed until then", async () => {
  const { user, mock } = await open({ step: "check", state: "sleep" });
  const card = document.querySelector("[aria-labelledby=sleep-title]")!;
  expect(card.textContent).toContain("nothing could open it when the computer wakes up");
  const [light, never] = [id<HTMLInputElement>("sleep-light"), id<HTMLInputElement>("sleep-never")];
  expect([light.checked, never.checked]).toEqual([false, false]);
  expect(next().works).toBe(false);
  expect(document.body.textContent).toContain("Choose first how the computer is to sleep.");
  await accessible();
  await user.click(never);
  await until(() => never.checked && next().works, "no sleep");
  await user.click(light);
  await until(() => light.checked, "light sleep");
  expect(mock.acts).toEqual(["choose_sleep", "choose_sleep"]);
});

it("asks nothing about sleep where the processor encrypts", async () => {
  const { user } = await open({ step: "check", state: "sleep" });
  id<HTMLDetailsElement>("method").open = true;
  await user.click(id("method-software"));
  await until(() => document.getElementById("sleep-title") === null, "the processor");
  expect(next().works).toBe(true);
});
