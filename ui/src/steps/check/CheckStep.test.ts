import { expect, it } from "vitest";

import { accessible, next, open } from "../../../tests/window";

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
