import { expect, it } from "vitest";

import { PASSPHRASE, PASSWORD } from "../../lib/backend/mock-data";
import { accessible, id, next, open, step, until } from "../../../tests/window";

it("says at each moment why Next is closed", async () => {
  const { user } = await open({ step: "password" });
  expect(next()).toEqual({ works: false, why: "Type a password first." });
  await user.type(id("password"), "short");
  await until(() => next().why === "This password is too easy to guess.", "the strength");
  await user.clear(id("password"));
  await user.type(id("password"), PASSWORD);
  await until(() => document.querySelector("[data-score='4']"), "the strength");
  expect(next().why).toBe("Type the same password in the second field.");
  await user.type(id("password-repeat"), "tundra x");
  expect(next().why).toBe("The two passwords are not the same yet.");
  await accessible();
});

it("warns of what a start-up keyboard may not type", async () => {
  const { user } = await open({ step: "password" });
  await user.type(id("password"), "tündra jelly brick");
  await until(() => document.querySelector(".typing"), "the warning");
});

it("shows both fields on request, and Caps Lock", async () => {
  const { user } = await open({ step: "password" });
  expect(id<HTMLInputElement>("password").type).toBe("password");
  await user.click(id("password-show"));
  expect(id<HTMLInputElement>("password").type).toBe("text");
  expect(id<HTMLInputElement>("password-repeat").type).toBe("text");
  const key = new KeyboardEvent("keydown", { key: "A", modifierCapsLock: true, bubbles: true });
  id("password").dispatchEvent(key);
  await until(() => id("password-caps").textContent?.includes("Caps Lock"), "the warning");
});

it("suggests a passphrase, and leaves the typing to the person", async () => {
  const { user } = await open({ step: "password" });
  await user.click(id("suggest"));
  await until(() => document.getElementById("suggestion")?.textContent === PASSPHRASE, "the suggestion");
  expect(id<HTMLInputElement>("password").value).toBe("");
  await accessible();
});

it("sets the password and goes on when the key has been made", async () => {
  const { mock, user } = await open({ step: "password" });
  await user.type(id("password"), PASSWORD);
  await user.type(id("password-repeat"), `${PASSWORD}{Enter}`);
  await step("recovery");
  expect(mock.acts).toEqual(["set_password", "next"]);
  await user.click(id("back"));
  await step("password");
  expect(id<HTMLInputElement>("password").value).toBe("");
  expect(next().works).toBe(true);
});
