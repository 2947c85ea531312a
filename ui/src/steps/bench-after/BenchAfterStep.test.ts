import { expect, it } from "vitest";

import { accessible, open } from "../../../tests/window";

it("claims nothing where chance explains it", async () => {
  await open({ step: "bench_after", state: "measured" });
  expect(document.querySelectorAll("[data-change=none]")).toHaveLength(8);
  expect(document.querySelector("[data-plain=battery]")?.textContent).toContain("0.35 s");
  expect(document.querySelector("[data-differences]")?.textContent).toContain("Temperature: 38.0 → 52.0");
  expect(document.querySelectorAll("svg[role=img]")).toHaveLength(2);
  expect(document.body.textContent).toContain("There is no measurable difference.");
  await accessible();
});

it("names the largest difference", async () => {
  await open({ step: "bench_after", state: "slower" });
  expect(document.querySelectorAll("[data-change=slower]")).toHaveLength(4);
  expect(document.querySelector("[data-plain=rnd4k-q1t1-read]")?.textContent).toContain("18 % slower (between 13 % and 23 %)");
  expect(document.body.textContent).toContain("starting programs is 18 % slower");
});
