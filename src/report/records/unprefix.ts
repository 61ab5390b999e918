/** A line without what container runtimes and collectors put before it. */
export interface Unprefixed {
  /** Tells apart the lines of several pods or streams, which may come in between each other. */
  readonly source: string;
  readonly text: string;
  /** The runtime split the line here; the next line of this source continues it. */
  readonly continues: boolean;
}

/** `kubectl logs --prefix --timestamps`, and the log files of CRI: `<time> stdout F <line>`. */
const prefix =
  /^(?<pod>\[[^\]\s]+\] )?(?:\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)(?: (?<stream>stdout|stderr) (?<tag>[PF])\S*)?(?: |$))?/;

export function unprefix(line: string): Unprefixed {
  const found = prefix.exec(line);
  const { pod = '', stream = '', tag } = found?.groups ?? {};
  return { source: `${pod}${stream}`, text: line.slice(found?.[0].length), continues: tag === 'P' };
}
