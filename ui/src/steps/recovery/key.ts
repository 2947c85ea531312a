/** Groups of a recovery key, as it is shown and typed. */
export const GROUPS = 8;

/** Letters in a group. */
export const GROUP_LENGTH = 8;

/** Letters in a group with its check letters, as they stand on the sheet. */
export const CHECKED_LENGTH = GROUP_LENGTH + 2;

/** The letters of a key (modhex): each stands for four bits. */
const ALPHABET = "cbdefghijklnrtuv";

/** Letters only, small: whatever a person puts between them does not matter. */
export function letters(text: string): string {
  return text.toLowerCase().replace(/[^a-z]/g, "");
}

/**
 * Puts letters into the groups from one on, and says in which the cursor is then. A whole key without check
 * letters, which somebody has pasted, is cut as it is.
 */
export function fill(groups: string[], from: number, text: string, length: number = GROUP_LENGTH): number {
  let index = from;
  let rest = letters(text);
  const piece = rest.length === GROUPS * GROUP_LENGTH ? GROUP_LENGTH : length;
  do {
    groups[index] = rest.slice(0, piece);
    rest = rest.slice(piece);
    if (groups[index]?.length === piece && index < GROUPS - 1) index += 1;
    else break;
  } while (rest !== "");
  return index;
}

/**
 * The check letters of a group (from 1 on): CRC-8/SMBUS over its place and its four bytes, as the program that
 * wrote the sheet made them. `null`: not eight letters of a key.
 */
export function checkLetters(group: number, text: string): string | null {
  const values = [...text].map((letter) => ALPHABET.indexOf(letter));
  if (values.length !== GROUP_LENGTH || values.includes(-1)) return null;
  const bytes = [0x80 | (group - 1)];
  for (let at = 0; at < GROUP_LENGTH; at += 2) bytes.push(((values[at] ?? 0) << 4) | (values[at + 1] ?? 0));
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x80 ? ((crc << 1) ^ 0x07) & 0xff : crc << 1;
  }
  return `${ALPHABET[crc >> 4]}${ALPHABET[crc & 15]}`;
}

/** What can be said of a group while it is typed: by the key itself where it is known, else by its check letters. */
export function stateOf(group: number, typed: string, known: string | null): "open" | "right" | "wrong" {
  if ([...typed].some((letter) => !ALPHABET.includes(letter))) return "wrong";
  if (known !== null) return typed.length < GROUP_LENGTH ? "open" : typed === known ? "right" : "wrong";
  if (typed.length < CHECKED_LENGTH) return "open";
  const check = checkLetters(group, typed.slice(0, GROUP_LENGTH));
  return typed.slice(GROUP_LENGTH) === check ? "right" : "wrong";
}
