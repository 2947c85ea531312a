import { render } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";

import App from "../App.svelte";
import { Mock } from "../lib/backend/mock";
import { NATIVE_KEY, NATIVE_STATES, nativeState } from "../lib/backend/mock-native";
import { accessible, id, open, until, type Shown } from "../../tests/window";

const page = () => document.querySelector(".native");
const blocked = (name: string) => id(name).getAttribute("aria-disabled") === "true";
const says = (text: string) => until(() => page()?.textContent?.includes(text), text);

/** The page, in a special state of the mock. */
async function native(state: string, locale: "en" | "de" = "en"): Promise<Shown> {
  const mock = new Mock({ step: "drives", state, locale, tick: 0 });
  render(App, { backend: mock });
  await until(page, "the page");
  await until(() => document.activeElement?.tagName === "H1", "the heading has the focus");
  return { mock, user: userEvent.setup() };
}

it.each(NATIVE_STATES)("has no finding in the state %s, in both languages", async (state) => {
  expect(nativeState(state), state).not.toBeNull();
  for (const locale of ["en", "de"] as const) {
    await native(state, locale);
    for (const details of document.querySelectorAll("details")) details.open = true;
    await accessible();
    document.body.replaceChildren();
  }
});

it("goes the whole way on the practice computer with the key on paper, by keyboard", async () => {
  const { mock, user } = await open({ step: "drives" });
  id("practice-native").focus();
  await user.keyboard("{Enter}");
  await until(page, "the page");
  await until(() => document.activeElement?.tagName === "H1", "the heading has the focus");
  expect(blocked("begin")).toBe(true);
  await says("The recovery key is not proven yet");

  id("key-show").focus();
  await user.keyboard("{Enter}");
  await until(() => document.getElementById("key"), "the key");
  expect(document.querySelectorAll("#key li")).toHaveLength(8);
  expect(id("key-id").textContent).toBe(NATIVE_KEY.id);
  await user.type(id("key-typed"), "123456");
  expect(blocked("key-check")).toBe(true);
  await user.clear(id("key-typed"));
  await user.type(id("key-typed"), `${[...NATIVE_KEY.groups].reverse().join(" ")}{Enter}`);
  await until(() => document.querySelector("[data-fault=wizard-recovery-typed-wrong]"), "the fault");
  await user.clear(id("key-typed"));
  await user.type(id("key-typed"), `${NATIVE_KEY.groups.join("-")}{Enter}`);
  await until(() => document.querySelector("[data-copy=paper]"), "the paper is proven");
  expect(document.getElementById("key"), "the key is not shown any longer").toBeNull();

  expect(blocked("begin")).toBe(true);
  id("native-backup").focus();
  await user.keyboard(" ");
  await until(() => !blocked("begin"), "it can be begun");
  id("begin").focus();
  await user.keyboard("{Enter}");
  await until(() => document.getElementById("restart"), "the restart");
  id("restart").focus();
  await user.keyboard("{Enter}");
  await until(() => document.getElementById("pause"), "it encrypts");
  expect(document.querySelector("[role=progressbar]")?.getAttribute("aria-valuenow")).toBe("42");
  await user.click(id("pause"));
  await until(() => document.getElementById("resume"), "it is paused");
  await user.click(id("resume"));
  await until(() => document.getElementById("pause"), "it goes on");
  mock.nativeStands("native-protected");
  await says("It is protected");
  await user.click(id("leave"));
  await until(() => !page(), "the step");
  expect(mock.natives).toEqual(["show_key", "type_key", "type_key", "begin", "restart", "pause", "resume"]);
});

it("says on another page why it could not be opened", async () => {
  class Refused extends Mock {
    override async view() {
      const view = await super.view();
      return { ...view, fault: { code: "bitlocker-rights-refused", kind: "refused" as const, args: {}, detail: null } };
    }
  }
  render(App, { backend: new Refused({ step: "drives", tick: 0 }) });
  await until(() => document.body.textContent?.includes("was not allowed to give administrator rights"), "the sentence");
});

it("saves the key on a stick", async () => {
  const { mock, user } = await native("native");
  await user.click(id("key-folder"));
  await until(() => document.querySelector("[data-copy=folder]"), "the copy");
  expect(mock.natives).toEqual(["save_key"]);
});

it("wants a PIN twice", async () => {
  const { mock, user } = await native("native-pin");
  await user.click(id("native-backup"));
  await user.type(id("native-secret"), "123456");
  await user.type(id("native-repeat"), "123457");
  expect(blocked("begin")).toBe(true);
  await says("the same in both");
  await user.clear(id("native-repeat"));
  await user.type(id("native-repeat"), "123456");
  await until(() => !blocked("begin"), "it can be begun");
  await user.click(id("begin"));
  await until(() => document.getElementById("restart"), "the restart");
  expect(mock.natives).toEqual(["begin"]);
});

it("chooses what else there is", async () => {
  const { mock, user } = await native("native-hardware");
  id<HTMLDetailsElement>("choices").open = true;
  expect(document.getElementById("choose-hardware")).not.toBeNull();
  await user.click(id("choose-pin"));
  await until(() => document.getElementById("native-secret"), "a PIN is asked for");
  expect(id<HTMLInputElement>("choose-pin").checked).toBe(true);
  expect(mock.natives).toEqual(["wish"]);
});

it.each(["native-home", "native-no-tpm"])("offers nothing to begin with in the state %s", async (state) => {
  await native(state);
  await says("so nothing can be begun here");
  for (const absent of ["begin", "key-show", "key-folder"]) expect(document.getElementById(absent), absent).toBeNull();
});

it("takes back what waits for the restart", async () => {
  const { mock, user } = await native("native-restart");
  await user.click(id("take-back"));
  await until(() => document.getElementById("begin"), "as before");
  expect(mock.natives).toEqual(["turn_off"]);
});

it("says how to restart where that cannot be done from here", async () => {
  await native("native-restart-by-hand");
  expect(document.getElementById("restart")).toBeNull();
  await says("in the way that you always do");
});

it("switches a suspended protection on with one click", async () => {
  const { mock, user } = await native("native-suspended");
  await user.click(id("protect"));
  await says("It is protected");
  expect(mock.natives).toEqual(["resume"]);
});

it("finishes what Windows has begun by itself", async () => {
  const { mock, user } = await native("native-open");
  expect(blocked("begin")).toBe(true);
  await user.click(id("key-folder"));
  await until(() => !blocked("begin"), "it can be finished");
  await user.click(id("begin"));
  await says("It is protected");
  expect(mock.natives).toEqual(["save_key", "begin"]);
});

it("looks only after a click where that may take rights", async () => {
  const { mock, user } = await native("native-look");
  expect(mock.natives).toEqual([]);
  await user.click(id("look"));
  await says("It is protected");
  expect(mock.natives).toEqual(["look"]);
});

it("checks a key and turns the encryption off only when that was said twice", async () => {
  const { mock, user } = await native("native-protected");
  await user.click(id("check-sheet"));
  await says("it opens the drive today");
  id<HTMLDetailsElement>("turn-off").open = true;
  await user.click(id("turn-off-do"));
  expect(mock.natives).toEqual(["check_sheet"]);
  await user.click(id("turn-off-sure"));
  await says("Decrypting");
});

it("asks for the password of the Mac, and where the key goes", async () => {
  const { mock, user } = await native("native-mac");
  await user.click(id("native-backup"));
  expect(blocked("begin-folder")).toBe(true);
  await user.type(id("native-secret"), "wrong");
  await user.click(id("begin-folder"));
  await until(() => document.querySelector("[data-fault=filevault-wrong-password]"), "the fault");
  await user.clear(id("native-secret"));
  await user.type(id("native-secret"), "secret");
  await user.click(id("begin-folder"));
  await says("It is protected");
  expect(mock.natives).toEqual(["begin", "begin"]);
});
