import { describe, expect, it } from "vitest";

import { fill, GROUPS, letters } from "./key";

describe("a typed recovery key", () => {
  it("is letters, whatever stands between them", () => {
    expect(letters("CBDE-fghi jk\n")).toBe("cbdefghijk");
  });

  it("goes on into the next groups when it is pasted", () => {
    const groups = Array<string>(GROUPS).fill("");
    expect(fill(groups, 0, "cbdefghi-jklnrtuv-cbd")).toBe(2);
    expect(groups.slice(0, 4)).toEqual(["cbdefghi", "jklnrtuv", "cbd", ""]);
  });

  it("stays in the last group", () => {
    const groups = Array<string>(GROUPS).fill("");
    expect(fill(groups, 7, "cbdefghijklnrtuv")).toBe(7);
    expect(groups[7]).toBe("cbdefghi");
  });

  it("leaves later groups alone when one is changed", () => {
    const groups = Array<string>(GROUPS).fill("cbdefghi");
    expect(fill(groups, 2, "cbd")).toBe(2);
    expect(groups[2]).toBe("cbd");
    expect(groups[3]).toBe("cbdefghi");
  });
});
