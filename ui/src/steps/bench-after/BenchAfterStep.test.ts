import { expect, it } from "vitest";

import { accessible, open } from "../../../tests/window";

it("claims nothing where the ranges overlap", async () => {
  await open({ step: "bench_after", state: "measured" });
  expect(document.querySelectorAll("[data-change=none]")).toHaveLength(4);
  expect(document.body.textContent).toContain("There is no measurable difference.");
  await accessible();
});

it("names the largest difference", async () => {
  await open({ step: "bench_after", state: "slower" });
  expect(document.querySelectorAll("[data-change=slower]")).toHaveLength(2);
  expect(document.body.textContent).toContain("starting programs is 18 % slower");
});
