import { expect, it } from "vitest";

import { accessible, id, next, open, step, until } from "../../../tests/window";
import { DRIVES, LATER, OVERVIEWS } from "../../lib/backend/mock-drives";

const cards = () => [...document.querySelectorAll<HTMLElement>("[data-drive]")];
const card = (path: string) => document.querySelector<HTMLElement>(`[data-drive='${path}']`)!;
const button = (path: string, label: string) =>
  [...card(path).querySelectorAll("button")].find((button) => button.getAttribute("aria-label")?.startsWith(label))!;
const heading = () => document.querySelector("h1")?.textContent;
const news = () => id("news").textContent;

it("answers the question first: the computer's verdict in words, why, and what somebody gets", async () => {
  await open();
  expect(heading()).toBe("This computer is not protected");
  const header = document.querySelector("header + *, form header")!.textContent;
  expect(header).toContain("3 of 4 places");
  expect(header).toContain("Whoever takes the drive reads every file on it");
  expect(document.querySelector("[data-sign]")?.getAttribute("data-sign")).toBe("not_protected");
  expect(id("offer").textContent?.trim()).toBe("Encrypt Photos…");
  await accessible();
});

it("shows every drive with its verdict as a word beside a drawing, and a sentence", async () => {
  await open();
  expect(cards().map((card) => card.querySelector("[data-verdict]")?.textContent?.trim())).toEqual([
    "Not protected",
    "Not protected",
    "Protected",
  ]);
  for (const card of cards()) {
    expect(card.querySelector("[data-verdict] svg")).not.toBeNull();
    expect(card.textContent).toContain("Whoever takes the drive");
  }
  expect(next()).toMatchObject({ works: false });
  expect(next().why).not.toBe("");
});

it.each(Object.keys(OVERVIEWS))("can be read and used by everybody: %s", async (state) => {
  await open({ state });
  for (const button of document.querySelectorAll<HTMLElement>("[data-drive] [aria-expanded=false]")) button.click();
  for (const details of document.querySelectorAll("details")) details.open = true;
  await accessible();
});

it.each(["looking", "nine", "rights", "unreadable"])("can be read in German: %s", async (state) => {
  await open({ state, locale: "de" });
  await until(() => document.documentElement.lang === "de", "German");
  for (const button of document.querySelectorAll<HTMLElement>("[data-drive] [aria-expanded=false]")) button.click();
  await accessible();
});

it("is there before the first look is over, and says so", async () => {
  const { mock } = await open({ state: "looking" });
  expect(heading()).toBe("Looking at this computer…");
  expect(cards()).toHaveLength(0);
  expect(document.querySelector("section")?.getAttribute("aria-busy")).toBe("true");
  expect(id("practice").getAttribute("aria-disabled")).toBeNull();
  expect(news()).toBe("");
  mock.see(DRIVES);
  await until(() => cards().length === 3, "the drives");
  expect(heading()).toBe("This computer is not protected");
  await until(() => news() === "This computer is not protected", "it is said");
});

it("follows what is plugged in and pulled out without being asked, and says it", async () => {
  const { mock } = await open();
  const first = card("/dev/sda");
  mock.see([...DRIVES, LATER]);
  await until(() => cards().length === 4, "the new drive");
  await until(() => news() === "Kingston DataTraveler was plugged in: Not protected.", "it is said");
  // What was there is not drawn anew: whoever is at it stays at it.
  expect(card("/dev/sda")).toBe(first);
  mock.see(DRIVES);
  await until(() => news() === "Kingston DataTraveler was pulled out.", "it is said");
  expect(cards()).toHaveLength(3);
});

it("keeps whoever is at a drive that is pulled out in the list", async () => {
  const { mock } = await open();
  button("/dev/sda", "Encrypt").focus();
  mock.see(DRIVES.filter(({ path }) => path !== "/dev/sda"));
  await until(() => cards().length === 2, "it is gone");
  await until(() => document.activeElement === id("drives-title"), "the list has the focus");
});

it("offers to encrypt neither the drive that the system runs from nor one that is protected", async () => {
  await open();
  const encrypt = cards().flatMap((card) => [...card.querySelectorAll("button[aria-label^='Encrypt']")]);
  expect(encrypt.map((button) => button.getAttribute("aria-label"))).toEqual(["Encrypt Photos…"]);
});

it("says why, and shows what is on a drive, each with its own verdict", async () => {
  const { user } = await open();
  expect(document.querySelector("[data-volume]")).toBeNull();
  const why = button("/dev/nvme0n1", "Why?");
  expect(why.getAttribute("aria-expanded")).toBe("false");
  await user.click(why);
  expect(why.getAttribute("aria-expanded")).toBe("true");
  expect(card("/dev/nvme0n1").textContent).toContain("It is not encrypted.");
  expect(card("/dev/nvme0n1").querySelectorAll("[data-volume] [data-verdict]")).toHaveLength(2);
  expect(document.querySelector("[data-volume='/dev/nvme0n1p1']")?.textContent).toContain("only there for starting");
  // The facts with their origin, for whoever wants to check them.
  await user.click(button("/dev/sdb", "Why?"));
  expect(card("/dev/sdb").querySelector("details")?.textContent).toContain("aes-xts-plain64 (the header at byte 0)");
});

it("picks none of several things that could be done", async () => {
  const { user, mock } = await open({ state: "nine" });
  expect(id("offer").textContent?.trim()).not.toContain("Encrypt");
  await user.click(button("/dev/sdg", "See what is on"));
  expect([...card("/dev/sdg").querySelectorAll("[data-volume] button")].map((b) => b.getAttribute("aria-label"))).toEqual([
    "Encrypt Films…",
    "Encrypt Music…",
  ]);
  await user.click(id("offer"));
  expect(document.activeElement).toBe(id("drives-title"));
  expect(mock.acts).toEqual([]);
});

it("goes on with what was interrupted", async () => {
  const { user, mock } = await open({ state: "nine" });
  await user.click(button("/dev/sde", "Check"));
  await step("check");
  expect(mock.acts).toContain("choose");
});

it("lists every place where data can lie", async () => {
  const { user } = await open();
  const summary = [...document.querySelectorAll("summary")].find((one) => one.textContent?.includes("4 places"))!;
  await user.click(summary);
  expect([...document.querySelectorAll("[data-place]")].map((place) => place.getAttribute("data-place"))).toEqual([
    "system",
    "swap",
    "removable",
    "removable",
  ]);
});

it("asks once for the rights that it needs, says why, and shows the rest meanwhile", async () => {
  const { user, mock } = await open({ state: "rights" });
  expect(document.body.textContent).toContain("You are asked once.");
  expect(document.querySelectorAll("#look-as-administrator")).toHaveLength(1);
  expect(cards()).toHaveLength(1);
  expect(card("/dev/nvme0n1").querySelector("[data-verdict]")?.getAttribute("data-verdict")).toBe("unknown");
  await user.click(id("look-as-administrator"));
  await until(() => heading() === "This computer is protected", "it was looked at");
  expect(document.getElementById("look-as-administrator")).toBeNull();
  expect(mock.acts).toEqual(["look_as_administrator"]);
});

it("says what an administrator can do where nobody can be asked", async () => {
  await open({ state: "rights-not-here" });
  expect(document.getElementById("look-as-administrator")).toBeNull();
  expect(document.querySelectorAll("#rights")).toHaveLength(1);
  expect(id("rights").textContent).toContain("sudo latchkey status");
});

it("goes on to the check with a chosen volume, or an image", async () => {
  const { mock, user } = await open();
  await user.click(button("/dev/sda", "Encrypt"));
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

it("says why the list cannot be read, and that there is no drive only where it has looked", async () => {
  await open({ state: "unreadable" });
  expect(document.querySelector("[role=alert]")?.textContent).toContain("/proc/self/mountinfo");
  expect(document.body.textContent).not.toContain("No drive can be seen");
});

it("says that there is no drive", async () => {
  await open({ state: "none" });
  expect(document.querySelector("section")?.textContent).toContain("No drive can be seen");
});

it("speaks German, and says so to screen readers", async () => {
  const { user } = await open();
  await user.click(id("language-de"));
  expect(document.documentElement.lang).toBe("de");
  expect(heading()).toBe("Dieser Computer ist nicht geschützt");
  await accessible();
});

it("makes a practice drive that encrypts by itself", async () => {
  const { user, mock } = await open();
  await user.click(id("practice-hardware"));
  await step("check");
  expect(mock.acts).toEqual(["practice_hardware", "next"]);
  expect(document.querySelector("[aria-labelledby=method-title]")?.textContent).toContain("By the drive itself");
});
