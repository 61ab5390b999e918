import type { SweepReport } from './schema.ts';

/** The report for machines; characters that could steer a terminal are escaped even inside strings. */
export function renderJson(report: SweepReport): string {
  const json = JSON.stringify(report, undefined, 2);
  // JSON itself escapes only the characters below U+0020.
  const safe = json.replace(/[\u007f-\u009f\p{Cf}\u2028\u2029]/gu, (character) =>
    [...Array(character.length).keys()]
      .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
      .join(''),
  );
  return `${safe}\n`;
}
