import { expect, it } from "vitest";

import { accessible, id, open, step, until } from "../../tests/window";

it("answers without leaving the step, and comes back to it", async () => {
  const { mock, user } = await open({ step: "recovery" });
  await user.click(id("help"));
  await until(() => document.activeElement?.textContent === "Questions and answers", "the heading has the focus");
  await accessible();
  const first = document.querySelector("details") as HTMLDetailsElement;
  expect(first.open).toBe(false);
  await user.click(first.querySelector("summary") as Element);
  expect(first.open).toBe(true);
  await user.keyboard("{Escape}");
  await step("recovery");
  expect(mock.acts).toEqual([]);
});

it("has an answer to every question, in German too", async () => {
  const { user } = await open({ locale: "de" });
  await user.click(id("help"));
  await until(() => document.activeElement?.textContent === "Fragen und Antworten", "it speaks German");
  expect(document.querySelectorAll("details")).toHaveLength(12);
  for (const answer of document.querySelectorAll("details p")) expect(answer.textContent?.length).toBeGreaterThan(40);
  await user.click(id("close-help"));
  await step("drives");
});
