import { parse, type AST } from "svelte/compiler";
import { expect, it } from "vitest";

// Every sentence for people is in the catalogue: no component has words of its own, neither as text nor in an
// attribute that is read out.

const COMPONENTS = import.meta.glob<string>("../src/**/*.svelte", { query: "?raw", import: "default", eager: true });

const SPOKEN = new Set(["alt", "aria-description", "aria-label", "aria-roledescription", "aria-valuetext", "placeholder", "title"]);

const WORDS = /\p{L}{2,}/u;

/** Words that stand in a component itself. */
function words(source: string): string[] {
  const found: string[] = [];
  const look = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(look);
    if (node === null || typeof node !== "object") return;
    const { type, name: element } = node as { type?: string; name?: string };
    // A command is the same in every language.
    if (type === "RegularElement" && element === "code") return;
    if (type === "Text" && WORDS.test((node as AST.Text).data)) found.push((node as AST.Text).data.trim());
    if (type === "Attribute") {
      const { name, value } = node as AST.Attribute;
      // Other attributes are for the machine.
      if (!SPOKEN.has(name) || !Array.isArray(value)) return;
    }
    for (const [key, child] of Object.entries(node)) if (key !== "parent") look(child);
  };
  look(parse(source, { modern: true }).fragment);
  return found;
}

it("finds words in text and in attributes that are read out, and nowhere else", () => {
  const source = '<p class="soft">Hello {name}</p><img alt="A picture" /><b title={t("x")}>{t("y")}</b><i>1.</i>';
  expect(words(source)).toEqual(["Hello", "A picture"]);
});

it.each(Object.entries(COMPONENTS))("%s has no words of its own", (_, source) => {
  expect(words(source)).toEqual([]);
});
