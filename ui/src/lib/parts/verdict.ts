import type { Verdict } from "../bindings";
import type { IconName } from "./Icon.svelte";

/** How something looks: a drawing and a class of `app.css` with its colours. */
export interface Look {
  icon: IconName;
  tone: "good" | "bad" | "note" | "neutral" | "plain";
}

/** Each verdict has a drawing of its own, so that the colour alone says nothing. */
export const LOOKS: Record<Verdict, Look> = {
  protected: { icon: "shield-check", tone: "good" },
  not_protected: { icon: "shield-open", tone: "bad" },
  partly_protected: { icon: "shield-half", tone: "note" },
  suspended: { icon: "pause", tone: "note" },
  converting: { icon: "turning", tone: "note" },
  locked: { icon: "lock", tone: "neutral" },
  unknown: { icon: "question", tone: "neutral" },
};
