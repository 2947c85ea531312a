import { expect, it } from "vitest";

import { DRIVES } from "../../lib/backend/mock-drives";
import type { Drive } from "../../lib/bindings";
import { news } from "./news";

const [built, stick, backup] = DRIVES as [Drive, Drive, Drive];

it("says nothing when nothing happened", () => {
  expect(news(DRIVES, structuredClone(DRIVES))).toEqual([]);
});

it("says what came and what went", () => {
  expect(news([built], [built, stick])).toEqual([{ kind: "in", name: stick.name, verdict: "not_protected" }]);
  expect(news([built, backup], [built])).toEqual([{ kind: "out", name: backup.name, verdict: "protected" }]);
});

it("takes another drive at the same place for another drive", () => {
  const other = { ...stick, name: "Kingston DataTraveler" };
  expect(news([stick], [other]).map(({ kind }) => kind)).toEqual(["out", "in"]);
});

it("says when a verdict changes", () => {
  const closed = { ...stick, judged: backup.judged };
  expect(news([stick], [closed])).toEqual([{ kind: "now", name: stick.name, verdict: "protected" }]);
});
