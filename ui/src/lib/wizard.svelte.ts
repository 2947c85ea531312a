import type { Backend } from "./backend";
import type { Action, Fault, Progress, View } from "./bindings";

/** After so long without a word about a running job, the program is asked. */
const SILENCE_MS = 3000;

/** The state that is shown, and the way to change it. */
export class Wizard {
  /** What the program says. `null`: not yet. */
  view: View | null = $state.raw(null);
  /** The action that is on its way, or whose job still runs; its button shows so. */
  doing: Action["kind"] | null = $state(null);
  /** Counts the actions, so that the same fault twice is seen to be two. */
  acts = $state(0);
  /** Why the program refused to answer at all. */
  private refused: Fault | null = $state.raw(null);
  /** What the program answers to. */
  readonly backend: Backend;

  private sending = $state(false);
  private told = 0;
  private lastWord = 0;
  private waiting: (() => void)[] = [];

  constructor(backend: Backend) {
    this.backend = backend;
  }

  /** Whether a new action would be taken, other than one about the running job. */
  get idle(): boolean {
    return !this.sending && !this.view?.job;
  }

  /** What went wrong with the last action. */
  get fault(): Fault | null {
    return this.refused ?? this.view?.fault ?? null;
  }

  /** Reads the state for the first time and stays up to date. Answers how to stop. */
  async start(): Promise<() => void> {
    try {
      await this.backend.onView((view) => this.show(view));
      await this.backend.onProgress((progress) => this.progressed(progress));
      this.show(await this.backend.view());
    } catch (error) {
      this.refuse(error);
    }
    const watch = setInterval(() => void this.lookAgain(), SILENCE_MS);
    return () => clearInterval(watch);
  }

  /** Sends an action. Answers whether it was taken; a job that it needs may still run. */
  async act(action: Action): Promise<boolean> {
    if (this.sending) return false;
    this.sending = true;
    this.doing = action.kind;
    this.acts += 1;
    this.refused = null;
    const told = this.told;
    try {
      this.show(await this.backend.act(action));
      // The job may have ended before the answer came: what was told last is then newer than it.
      if (this.told > told + 1 && this.view?.job) this.show(await this.backend.view());
      return this.view?.fault === null;
    } catch (error) {
      this.refuse(error);
      return false;
    } finally {
      this.sending = false;
      if (!this.view?.job) this.doing = null;
    }
  }

  /** Does something, its job included. Answers whether it went well. */
  async finish(action: Action): Promise<boolean> {
    if (!(await this.act(action))) return false;
    while (this.view?.job) await new Promise<void>((resolve) => this.waiting.push(resolve));
    return this.view?.fault === null;
  }

  /**
   * Does something, its job included, and goes on to the next step if it went well and the program
   * has not gone on by itself. Answers whether it went well.
   */
  async finishAndGoOn(action: Action): Promise<boolean> {
    const step = this.view?.step;
    if (!(await this.finish(action))) return false;
    // A page in front of the step is where to go on.
    if (this.view?.manage || this.view?.native) return true;
    if (this.view?.step === step && this.view?.can_go_on) return this.act({ kind: "next" });
    return true;
  }

  /** Takes note of why a call was refused. The program says it as a sentence in its language. */
  refuse(error: unknown): void {
    this.acts += 1;
    this.refused =
      typeof error === "string"
        ? { code: "window-refused", kind: "failed", args: { sentence: error }, detail: null }
        : { code: "window-broken", kind: "failed", args: {}, detail: String(error) };
  }

  private show(view: View): void {
    this.view = view;
    this.told += 1;
    if (view.job) return;
    if (!this.sending) this.doing = null;
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  private progressed(progress: Progress): void {
    const { view } = this;
    // Late: the job is over, and the view that said so knows more.
    if (!view?.job) return;
    const conversion = progress.step === "encrypt";
    this.view = {
      ...view,
      job: { ...view.job, progress },
      encrypt: conversion ? { ...view.encrypt, progress } : view.encrypt,
    };
    this.lastWord = Date.now();
  }

  /** A job whose end was missed would be shown for ever. */
  private async lookAgain(): Promise<void> {
    if (!this.view?.job || this.sending || Date.now() - this.lastWord < SILENCE_MS) return;
    const told = this.told;
    const view = await this.backend.view().catch(() => null);
    if (view && told === this.told && !this.sending) this.show(view);
  }
}
