import { createContext } from "svelte";

import type { Texts } from "./texts/texts.svelte";
import type { Wizard } from "./wizard.svelte";

/** What every part of the window needs. */
export interface Context {
  /** The state and its actions. */
  wizard: Wizard;
  /** The sentences. */
  texts: Texts;
}

/** `useWindow()` inside a component; `provideWindow` once at the top. */
export const [useWindow, provideWindow] = createContext<Context>();
