/** Groups of a recovery key, as it is shown and typed. */
export const GROUPS = 8;

/** Letters in a group. */
export const GROUP_LENGTH = 8;

/** Letters only, small: whatever a person puts between them does not matter. */
export function letters(text: string): string {
  return text.toLowerCase().replace(/[^a-z]/g, "");
}

/** Puts letters into the groups from one on, and says in which the cursor is then. */
export function fill(groups: string[], from: number, text: string): number {
  let index = from;
  let rest = letters(text);
  do {
    groups[index] = rest.slice(0, GROUP_LENGTH);
    rest = rest.slice(GROUP_LENGTH);
    if (groups[index]?.length === GROUP_LENGTH && index < GROUPS - 1) index += 1;
    else break;
  } while (rest !== "");
  return index;
}
