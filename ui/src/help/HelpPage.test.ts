import { expect, it } from "vitest";

import { accessible, id, open, until } from "../../tests/window";

it("answers without leaving the step, and comes back to it", async () => {
  const { mock, user } = await open({ step: "password" });
  await user.type(id("password"), "levuf guvuf");
  await user.click(id("help"));
  await until(() => document.activeElement?.textContent === "Questions and answers", "the heading has the focus");
  await accessible();
  const first = document.querySelector(".help details") as HTMLDetailsElement;
  expect(first.open).toBe(false);
  await user.click(first.querySelector("summary") as Element);
  expect(first.open).toBe(true);
  (document.activeElement as HTMLElement).blur();
  await user.keyboard("{Enter}");
  const acts = mock.acts.length;
  await user.keyboard("{Escape}");
  await until(() => document.activeElement === id("help"), "the button that opened it has the focus");
  expect(document.querySelector("main")?.dataset["step"]).toBe("password");
  expect(id<HTMLInputElement>("password").value).toBe("levuf guvuf");
  expect(mock.acts).toHaveLength(acts);
});

it("has an answer to every question, in German too", async () => {
  const { user } = await open({ locale: "de" });
  await user.click(id("help"));
  await until(() => document.activeElement?.textContent === "Fragen und Antworten", "it speaks German");
  expect(document.querySelectorAll(".help details")).toHaveLength(12);
  for (const answer of document.querySelectorAll(".help details p")) expect(answer.textContent?.length).toBeGreaterThan(40);
  await user.click(id("close-help"));
  await until(() => document.activeElement === id("help"), "the button that opened it has the focus");
  expect(document.querySelector("main")?.dataset["step"]).toBe("drives");
});
