import type { Component } from "svelte";

import type { Texts } from "../lib/texts/texts.svelte";

/** The page, with its sentences learnt. Few people see them, so that they are not part of what the window begins with. */
export async function nativePage(texts: Texts): Promise<Component> {
  const [{ default: page }, { sourcesOf }] = await Promise.all([import("./NativePage.svelte"), import("./native-texts")]);
  texts.learn(sourcesOf);
  return page;
}
