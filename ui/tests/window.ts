import { render } from "@testing-library/svelte";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import axe from "axe-core";
import { expect } from "vitest";

import App from "../src/App.svelte";
import { Mock, type Start } from "../src/lib/backend/mock";
import type { Step } from "../src/lib/bindings";

/** The whole window on the mock. */
export interface Shown {
  mock: Mock;
  user: UserEvent;
}

/** Opens the window at a step and waits until it is drawn. */
export async function open(start: Start = {}): Promise<Shown> {
  const mock = new Mock({ tick: 0, ...start });
  render(App, { backend: mock });
  await step(start.step ?? "drives");
  return { mock, user: userEvent.setup() };
}

/** Waits until a step is shown and its heading has the focus. */
export async function step(name: Step): Promise<void> {
  await until(() => document.querySelector("main")?.dataset["step"] === name, `step ${name}`);
  await until(() => document.activeElement?.tagName === "H1", `the heading of ${name} has the focus`);
}

/** Waits for something to become true. */
export async function until(condition: () => unknown, what: string): Promise<void> {
  for (const end = Date.now() + 5000; Date.now() < end; ) {
    if (condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`not within 5 s: ${what}`);
}

/** An element by its id; it has to be there. */
export function id<E extends HTMLElement = HTMLElement>(name: string): E {
  const element = document.getElementById(name);
  if (!element) throw new Error(`no #${name}`);
  return element as E;
}

/** Whether "Next" can be pressed, and what stands beside it. */
export function next(): { works: boolean; why: string } {
  return {
    works: id("next").getAttribute("aria-disabled") !== "true",
    why: id("blocked").textContent?.trim() ?? "",
  };
}

/** Waits until "Next" can be pressed. */
export async function ready(): Promise<void> {
  await until(() => next().works, `Next works (${document.querySelector("h1")?.textContent})`);
}

/** No finding of axe, and no code in place of a sentence. Colours are checked by `contrast.test.ts`: jsdom draws nothing. */
export async function accessible(): Promise<void> {
  worded();
  const { violations } = await axe.run(document, {
    rules: { "color-contrast": { enabled: false } },
    resultTypes: ["violations"],
  });
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)).toEqual([]);
}

/** No code stands where a sentence should: what looks like a key of the catalogue is one. */
export function worded(): void {
  const codes: string[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent?.trim() ?? "";
    // Names of formats, tests and keys are set in the type of machines.
    if (/^[a-z]\w*(-[a-z0-9_]+)+$/.test(text) && !walker.currentNode.parentElement?.closest(".mono")) codes.push(text);
  }
  expect(codes).toEqual([]);
}
