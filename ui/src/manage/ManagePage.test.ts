import { expect, it } from "vitest";

import { checkLetters } from "../steps/recovery/key";
import { GROUPS, PASSWORD } from "../lib/backend/mock-data";
import { accessible, id, open, until, type Shown } from "../../tests/window";

const page = () => document.querySelector(".manage");

/** The page, in a special state of the mock. */
async function manage(state: string, locale: "en" | "de" = "en"): Promise<Shown> {
  const shown = await openAt(state, locale);
  await until(page, "the page");
  return shown;
}

async function openAt(state: string, locale: "en" | "de"): Promise<Shown> {
  const { render } = await import("@testing-library/svelte");
  const { default: App } = await import("../App.svelte");
  const { Mock } = await import("../lib/backend/mock");
  const { default: userEvent } = await import("@testing-library/user-event");
  const mock = new Mock({ step: "report", state, locale, tick: 0 });
  render(App, { backend: mock });
  return { mock, user: userEvent.setup() };
}

const says = (text: string) => until(() => page()?.textContent?.includes(text), text);

it.each(["manage", "manage-open", "manage-recovery", "manage-turning", "manage-fault"])(
  "has no finding in the state %s, in both languages",
  async (state) => {
    for (const locale of ["en", "de"] as const) {
      await manage(state, locale);
      for (const details of document.querySelectorAll("details")) details.open = true;
      await accessible();
      document.body.replaceChildren();
    }
  },
);

it("is reached from the report and left again", async () => {
  const { mock, user } = await open({ step: "report" });
  await user.click(id("manage"));
  await until(page, "the page");
  await until(() => document.activeElement?.tagName === "H1", "the heading has the focus");
  await user.click(id("leave"));
  await until(() => !page(), "the report");
  expect(mock.acts).toEqual(["manage", "leave"]);
});

it("is reached from a protected drive in the list", async () => {
  const { mock, user } = await open({ step: "drives", state: "remind" });
  expect(document.body.textContent).toContain("Last tried on 14 March 2025");
  const button = [...document.querySelectorAll("button")].find((button) => button.textContent?.trim() === "Manage");
  await user.click(button as Element);
  await until(page, "the page");
  expect(mock.acts).toEqual(["manage"]);
});

it("changes nothing before somebody has opened the drive", async () => {
  const { mock, user } = await manage("manage");
  for (const absent of ["change-password", "add-password", "enroll", "new-key", "turn-off-do", "remove-2"]) {
    expect(document.getElementById(absent), absent).toBeNull();
  }
  await user.type(id("manage-secret"), "not it");
  await user.click(id("manage-open"));
  await until(() => document.querySelector("[data-fault=luks-wrong-secret]"), "the fault");
  await user.clear(id("manage-secret"));
  await user.type(id("manage-secret"), `${PASSWORD}{Enter}`);
  await until(() => document.getElementById("opened"), "it is open");
  expect(document.getElementById("change-password")).not.toBeNull();
  expect(mock.cares).toEqual(["open", "open"]);
});

it("changes the password, and lets a second person in and out", async () => {
  const { mock, user } = await manage("manage-open");
  expect(id("new-password-do").getAttribute("aria-disabled")).toBe("true");
  await user.type(id("new-password"), "lutin dehig becur");
  await user.type(id("new-password-repeat"), "lutin dehig becur");
  await until(() => id("new-password-do").getAttribute("aria-disabled") !== "true", "it can be changed");
  await user.click(id("new-password-do"));
  await says("The new password opens the drive; the old one does not");
  expect(id<HTMLInputElement>("new-password").value).toBe("");

  // Asked once more, and never without: the way in is gone only after that.
  await user.click(id("remove-2"));
  expect(mock.cares).toEqual(["change_password"]);
  await user.click(id("remove-2"));
  await says("It is gone and opens the drive no more");
  expect(document.getElementById("remove-2")).toBeNull();
  // What opened it cannot be taken away with it.
  expect(document.getElementById("remove-0")).toBeNull();
});

it("checks a key group by group, with its check letters", async () => {
  const { mock, user } = await manage("manage");
  await user.click(id("check-type"));
  const groups = GROUPS.map((group, index) => `${group}${checkLetters(index + 1, group)}`);
  await user.click(id("group-0"));
  await user.paste([groups[0], groups[2], ...groups.slice(2)].join(" "));
  await says("Group 2 is not right");
  expect(id("check-typed").getAttribute("aria-disabled")).toBe("true");
  await user.clear(id("group-0"));
  await user.click(id("group-0"));
  await user.paste(groups.join("\n"));
  await until(() => id("check-typed").getAttribute("aria-disabled") !== "true", "it can be checked");
  await accessible();
  await user.click(id("check-typed"));
  await says("This is the right key");
  await user.click(id("copy_recovery-folder"));
  await says("The copy of the key K7QF");
  await user.click(id("check-sheet"));
  await until(() => mock.cares.includes("check_sheet"), "the sheet is read");
});

it("makes a new recovery key and a copy of the header", async () => {
  const { user } = await manage("manage-open");
  await user.click(id("new_recovery-folder"));
  await says("The old one opens it no more");
  await user.click(id("header-folder"));
  await says("latchkey-header-");
});

it("offers a new password to whoever has forgotten theirs", async () => {
  await manage("manage-recovery");
  await says("I have forgotten the password");
  expect(document.getElementById("enroll")).toBeNull();
});

it("turns the encryption off only when that was said twice", async () => {
  const { mock, user } = await manage("manage-open");
  await user.click(id("turn-off-do"));
  expect(mock.cares).toEqual([]);
  await user.click(id("turn-off-sure"));
  await until(() => !page(), "the page is gone");
  expect(document.body.textContent).toContain("not encrypted any more");
});

it("goes on with turning off, and offers nothing else", async () => {
  const { mock, user } = await manage("manage-turning");
  expect(document.getElementById("keys")).toBeNull();
  await user.click(id("turn-off-go-on"));
  await until(() => !page(), "the page is gone");
  expect(mock.cares).toEqual(["turn_off"]);
});

it("destroys nothing before the name was typed", async () => {
  const { mock, user } = await manage("manage");
  await user.type(id("erase-name"), "Practice.img{Enter}");
  expect(mock.cares).toEqual([]);
  await user.clear(id("erase-name"));
  await user.type(id("erase-name"), "practice.img");
  await user.click(id("erase-do"));
  await until(() => !page(), "the page is gone");
  expect(document.body.textContent).toContain("Nobody can open what was on the drive");
});
