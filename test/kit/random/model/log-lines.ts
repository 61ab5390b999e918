import { toLine } from '../../../../src/report/records/line.ts';
import { toRecords } from '../../../../src/report/records/write.ts';
import type { SweepReport } from '../../../../src/report/schema.ts';

/** Control characters, what other readers take for the end of a line, and marks that turn text around. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/** What is wrong with the lines of a log, and of the records of a report. */
export function problemsOfLog(log: string, report: SweepReport): readonly string[] {
  const records = [...toRecords(report)].map(toLine).join('');
  return `${log}${records}`.split('\n').flatMap((line) => {
    if (line === '') return [];
    if (unprintable.test(line)) return [`raw characters: ${JSON.stringify(line)}`];
    return isObject(line) ? [] : [`no JSON object: ${line}`];
  });
}

export function secretsIn(text: string, secret: string): readonly string[] {
  const at = text.indexOf(secret);
  return at < 0 ? [] : [`${text.slice(Math.max(0, at - 80), at)}<the token>`];
}

function isObject(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
