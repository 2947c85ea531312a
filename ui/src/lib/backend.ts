import type { Action, Progress, Strength, View } from "./bindings";
import type { Locale } from "./texts/catalogue";

/** What the window asks of the program behind it. Each call may be refused: the promise rejects. */
export interface Backend {
  /** The whole state. */
  view(): Promise<View>;
  /** Does something and answers with the state after it. A fault is part of the state. */
  act(action: Action): Promise<View>;
  /** How good a password is. It is not kept. */
  ratePassword(password: string): Promise<Strength>;
  /** A passphrase whose letters lie on the same keys of every keyboard. */
  suggestPassphrase(): Promise<string>;
  /** Lets the person choose an image file with the system's own dialog. */
  pickImage(): Promise<string | null>;
  /** Lets the person choose a scan, a photo or a file of a recovery sheet. */
  pickSheet(): Promise<string | null>;
  /** Lets the person choose a folder with the system's own dialog. */
  pickFolder(): Promise<string | null>;
  /** The language. */
  locale(): Promise<Locale>;
  /** Remembers the language. */
  setLocale(locale: Locale): Promise<void>;
  /** Tells of every change of the state that no answer has brought. */
  onView(listener: (view: View) => void): Promise<void>;
  /** Tells how far the running job is. */
  onProgress(listener: (progress: Progress) => void): Promise<void>;
}

/** The program, or in a browser during development the mock of it. */
export async function connect(): Promise<Backend> {
  // The condition is a constant when the bundle is built, so that the mock is left out of it.
  if (import.meta.env.MODE === "mock") {
    const { mockOfAddress } = await import("./backend/mock");
    return mockOfAddress(new URL(location.href));
  }
  const { program } = await import("./backend/tauri");
  return program;
}
