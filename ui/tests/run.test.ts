import { expect, it } from "vitest";

import { PASSWORD, GROUPS } from "../src/lib/backend/mock-data";
import { id, next, open, ready, step, until, worded } from "./window";

it("goes the whole way on the practice drive by keyboard alone", async () => {
  const { mock, user } = await open();
  // Behind the heading: what could be done about this computer, and the way to try it first.
  await user.tab();
  expect(document.activeElement).toBe(id("offer"));
  await user.tab();
  expect(document.activeElement).toBe(id("practice"));
  await user.keyboard("{Enter}");

  await step("check");
  await user.keyboard("{Enter}");

  await step("before");
  expect(next()).toMatchObject({ works: false });
  await user.keyboard("{Enter}");
  expect(document.querySelector("main")?.dataset["step"]).toBe("before");
  await user.tab();
  await user.keyboard(" ");
  await ready();
  await user.keyboard("{Enter}");

  await step("password");
  await user.tab();
  await user.keyboard(PASSWORD);
  await user.tab();
  await user.tab();
  await user.keyboard(PASSWORD);
  await ready();
  await user.keyboard("{Enter}");

  await step("recovery");
  expect(next().works).toBe(false);
  id("show-key").focus();
  await user.keyboard("{Enter}");
  expect(document.querySelectorAll("#key [data-group]")).toHaveLength(8);
  id("on-paper").focus();
  await user.keyboard("{Enter}");
  await until(() => document.activeElement?.id === "group-0", "the first group has the focus");
  expect(document.querySelector("#key")).toBeNull();
  await user.keyboard(GROUPS.join(""));
  await ready();
  await user.keyboard("{Enter}");
  await until(() => document.querySelector("[data-copy=paper]"), "the paper is proven");
  await ready();
  id("next").focus();
  await user.keyboard("{Enter}");

  await step("rescue");
  id("choose-folder").focus();
  await user.keyboard("{Enter}");
  await until(() => document.getElementById("rescue-written"), "the rescue copy is written");
  await ready();
  id("next").focus();
  await user.keyboard("{Enter}");

  await step("bench_before");
  await user.keyboard("{Enter}");
  await until(() => document.querySelector("[data-test]"), "figures");
  await ready();
  id("next").focus();
  await user.keyboard("{Enter}");

  await step("test_start");
  await user.tab();
  await user.keyboard("wrong{Enter}");
  await until(() => document.querySelector("[data-wrong='1']"), "one wrong try");
  await user.keyboard(`${PASSWORD}{Enter}`);
  await until(() => document.getElementById("test-passed"), "the password works");
  await ready();
  id("next").focus();
  await user.keyboard("{Enter}");

  await step("encrypt");
  await user.keyboard("{Enter}");
  await until(() => document.getElementById("pause"), "it runs");
  id("pause").focus();
  await user.keyboard("{Enter}");
  await until(() => document.getElementById("resume"), "it is paused");
  id("resume").focus();
  await user.keyboard("{Enter}");
  await until(() => document.getElementById("encrypt-finished"), "it is finished");
  await ready();
  id("next").focus();
  await user.keyboard("{Enter}");

  await step("bench_after");
  await user.keyboard("{Enter}");
  await until(() => document.querySelectorAll("[data-change=none]").length === 8, "no measurable difference");
  await ready();
  id("next").focus();
  await user.keyboard("{Enter}");

  await step("report");
  expect(document.querySelector("[data-verdict=protected]")).not.toBeNull();
  expect(id("files").textContent).toContain("24");
  await user.keyboard("{Enter}");
  await step("drives");

  expect(mock.acts.at(-1)).toBe("start_over");
  worded();
});
