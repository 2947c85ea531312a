import type { Drive, Judged, Offer, Verdict, Volume } from "../../lib/bindings";
import type { Texts } from "../../lib/texts/texts.svelte";

/** A volume as a person knows it. */
export function nameOf(volume: Volume, texts: Texts): string {
  return volume.label ?? texts.content(volume.content);
}

/** What an offer is about, as a person knows it: the volume, or the whole drive. */
export function nameOfOffer(offer: Offer, drives: Drive[], texts: Texts): string {
  if (offer.kind === "look") return "";
  for (const drive of drives) {
    if (drive.path === offer.path) return drive.name;
    const volume = drive.volumes.find(({ id }) => id === offer.path);
    if (volume) return volume.label ?? drive.name;
  }
  return offer.path;
}

/** The drive itself, where it has no partitions. */
export function wholeOf(drive: Drive): Volume | null {
  const [only, ...more] = drive.volumes;
  return only && more.length === 0 && only.id === drive.path ? only : null;
}

/**
 * The verdict whose sentences say the most about a drive: that of its one volume with data, where it has
 * but one, else its own.
 */
export function tellingOf(drive: Drive): Judged {
  const [only, ...more] = drive.volumes.filter(({ judged }) => judged.reason.code !== "for-starting");
  return only && more.length === 0 && only.judged.verdict === drive.judged.verdict ? only.judged : drive.judged;
}

/** Of these only the reason says something: what somebody gets cannot be told. */
const UNTOLD: Verdict[] = ["unknown", "locked"];

/** The one sentence of a card: what somebody gets who has the drive; where that is not known, why. */
export function sentenceOf(judged: Judged, texts: Texts): string {
  const gets = UNTOLD.includes(judged.verdict) ? null : texts.gets(judged);
  return gets ?? texts.reason(judged.reason);
}

/** Next steps that are none, or are asked for once for the whole page. */
const SAID_ELSEWHERE = ["", "nothing", "keep-key", "as-administrator"];

/** Whether the next step is something that belongs on the card. */
export function saysMore({ next }: Judged): boolean {
  return !SAID_ELSEWHERE.includes(next);
}

/** Next steps that a button says, where there is one. */
export function isAButton({ next }: Judged): boolean {
  return ["encrypt", "unmount-and-encrypt", "encrypt-system", "resume"].includes(next);
}

/** Next steps that are a look at what lies in it. */
export function isALook({ next }: Judged): boolean {
  return ["look-at-volumes", "look-inside", "look-at-places", "choose-partition"].includes(next);
}
