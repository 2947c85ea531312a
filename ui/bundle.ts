/** What a terminal, the packages, the service, the sheet on paper and the programs before the system say, and this window never. */
const OTHERS = /^(cli|package|service|preboot|rescue|sheet|part|action|fault-cli)-/;

/** A file of the catalogue without those, without what translators are told, and no wider than has to be. */
export function ours(source: string): string {
  // An entry begins with a name at the left edge; what closes a choice stands there, too.
  const entries = source.split(/\n(?=[a-z#])/);
  return entries
    .filter((entry) => /^[a-z]/.test(entry) && !OTHERS.test(entry))
    .map((entry) => entry.trimEnd().replace(/\n +/g, "\n ").replace(/^([a-z][\w-]*| \.[\w-]+) = /gm, "$1="))
    .join("\n");
}
