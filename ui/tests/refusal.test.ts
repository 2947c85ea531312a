import { render } from "@testing-library/svelte";
import { expect, it } from "vitest";

import App from "../src/App.svelte";
import { Mock } from "../src/lib/backend/mock";
import { until } from "./window";

/** A program that answers nothing. */
class Refusing extends Mock {
  constructor(private readonly why: unknown) {
    super({ tick: 0 });
  }

  override view(): Promise<never> {
    return Promise.reject(this.why);
  }
}

it("shows the sentence with which the program refuses", async () => {
  render(App, { backend: new Refusing("Latchkey is open already. Close the other window.") });
  await until(() => document.querySelector("[role=alert]"), "the fault");
  expect(document.querySelector("[role=alert]")?.textContent).toContain("Latchkey is open already.");
});

it("says what to do when the program cannot be reached", async () => {
  render(App, { backend: new Refusing(new Error("no channel")) });
  await until(() => document.querySelector("[role=alert]"), "the fault");
  const fault = document.querySelector("[role=alert]");
  expect(fault?.textContent).toContain("Close the window and open it again.");
  expect(fault?.querySelector("details")?.textContent).toContain("no channel");
});
