import { describe, expect, it } from "vitest";

import { CHECKED_LENGTH, checkLetters, fill, GROUPS, letters, stateOf } from "./key";

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

  it("is cut with its check letters where it comes with them, and without where it does not", () => {
    const groups = Array<string>(GROUPS).fill("");
    const sheet = Array.from({ length: GROUPS }, (_, index) => `${index + 1}   cccccccc   ${checkLetters(index + 1, "cccccccc")}`);
    fill(groups, 0, sheet.join("\n"), CHECKED_LENGTH);
    expect(groups.map((group, index) => stateOf(index + 1, group, null))).toEqual(Array(GROUPS).fill("right"));
    fill(groups, 0, Array(GROUPS).fill("cbdefghi").join("-"), CHECKED_LENGTH);
    expect(groups).toEqual(Array(GROUPS).fill("cbdefghi"));
  });

  // The same as in helpers/recovery, whose test has these values.
  it("has the check letters that the sheet has", () => {
    expect(checkLetters(1, "cccccccc")).toBe("ki");
    expect(checkLetters(8, "vutrnlkj")).toBe("lc");
    expect(checkLetters(1, "cbdefgh")).toBeNull();
    expect(checkLetters(1, "abcdefgh")).toBeNull();
  });

  it("is checked while it is typed", () => {
    const check = checkLetters(3, "cbdefghi") ?? "";
    expect(stateOf(3, "cbdefghi", null)).toBe("open");
    expect(stateOf(3, `cbdefghi${check}`, null)).toBe("right");
    expect(stateOf(4, `cbdefghi${check}`, null)).toBe("wrong");
    expect(stateOf(3, `cbdefghj${check}`, null)).toBe("wrong");
    expect(stateOf(3, "cba", null)).toBe("wrong");
    expect(stateOf(3, "cbdefghi", "cbdefghi")).toBe("right");
    expect(stateOf(3, "cbdefghj", "cbdefghi")).toBe("wrong");
  });
});
