import { invoke } from "@tauri-apps/api/core";
import { listen } from "@tauri-apps/api/event";

import type { Backend } from "../backend";
import type { Progress, View } from "../bindings";

/** The desktop program that shows this window. */
export const program: Backend = {
  view: () => invoke("view"),
  act: (action) => invoke("act", { action }),
  ratePassword: (password) => invoke("rate_password", { password }),
  suggestPassphrase: () => invoke("suggest_passphrase"),
  pickImage: () => invoke("pick_image"),
  pickSheet: () => invoke("pick_sheet"),
  pickFolder: () => invoke("pick_folder"),
  locale: () => invoke("locale"),
  setLocale: (locale) => invoke("set_locale", { locale }),
  onView: async (listener) => {
    await listen<View>("view", ({ payload }) => listener(payload));
  },
  onProgress: async (listener) => {
    await listen<Progress>("progress", ({ payload }) => listener(payload));
  },
};
