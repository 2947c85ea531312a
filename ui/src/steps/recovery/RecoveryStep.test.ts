import { expect, it } from "vitest";

import { GROUPS } from "../../lib/backend/mock-data";
import { accessible, id, next, open, ready, until } from "../../../tests/window";

it("does not go on without a proven copy", async () => {
  const { mock, user } = await open({ step: "recovery" });
  expect(next().works).toBe(false);
  await accessible();
  const save = [...document.querySelectorAll("button")].find((button) => button.textContent?.includes("Save on KINGSTON"));
  await user.click(save as Element);
  await until(() => document.querySelector("[data-copy=stick]"), "the stick is proven");
  await ready();
  expect(mock.acts).toEqual(["export_recovery"]);
});

it("shows the key only on request, and never while it is typed back", async () => {
  const { user } = await open({ step: "recovery" });
  expect(document.getElementById("key")).toBeNull();
  await user.click(id("show-key"));
  expect([...document.querySelectorAll("#key [data-group]")].map((group) => group.textContent)).toEqual(GROUPS);
  await accessible();
  await user.click(id("on-paper"));
  expect(document.getElementById("key")).toBeNull();
  await accessible();
});

it("says which group differs, and takes a whole key that is pasted", async () => {
  const { user } = await open({ step: "recovery" });
  await user.click(id("show-key"));
  await user.click(id("on-paper"));
  await user.click(id("group-0"));
  await user.paste([...GROUPS.slice(0, 3), "cccccccc"].join("-"));
  await until(() => document.querySelector("fieldset")?.textContent?.includes("Group 4 differs"), "the sentence");
  expect(next()).toMatchObject({ works: false, why: "Some groups are not right yet." });
  await user.clear(id("group-3"));
  await user.click(id("group-0"));
  await user.clear(id("group-0"));
  await user.paste(GROUPS.join("-").toUpperCase());
  await ready();
  expect(id("next").textContent?.trim()).toBe("Check what I typed");
});

it("has the sheet for the printer, with the key and its ID", async () => {
  await open({ step: "recovery" });
  const sheet = document.querySelector(".sheet");
  expect(sheet?.textContent).toContain("K7QF");
  for (const group of GROUPS) expect(sheet?.textContent).toContain(group);
  expect(sheet?.querySelector("svg path")?.getAttribute("d")).toContain("M0 0h7v1h-7z");
});

it("offers a folder where no stick is seen", async () => {
  await open({ step: "recovery", state: "no-places" });
  expect(document.body.textContent).toContain("No stick can be seen");
  await accessible();
});

it("saves the page, and reads a scan of it back", async () => {
  const { mock, user } = await open({ step: "recovery" });
  await user.click(id("show-key"));
  await user.click(id("save-page"));
  await until(() => document.querySelector("[data-copy=folder]"), "the page is proven");
  await user.click([...document.querySelectorAll("button")].find((button) => button.textContent?.includes("Hide the key")) as Element);
  await user.click(id("read-sheet"));
  await until(() => document.querySelector("[data-copy=scan]"), "the scan is proven");
  expect(document.querySelector("[data-copy=scan]")?.textContent).toContain("scan-0001.pdf");
  await accessible();
  expect(mock.acts).toEqual(["export_page", "read_recovery"]);
});
