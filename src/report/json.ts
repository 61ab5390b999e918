import type { AccessReport } from './access.ts';
import type { PodExplanation } from './explanation.ts';
import type { Scan } from './scan.ts';
import type { SweepReport } from './schema.ts';

/** Anything that a command says, for machines. */
export function renderJson(report: SweepReport | Scan | PodExplanation | AccessReport): string {
  return `${safeJson(report, 2)}\n`;
}

/**
 * JSON in which characters that could steer a terminal are escaped also inside strings; JSON itself escapes only
 * those below U+0020.
 */
export function safeJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(
    /[\u007f-\u009f\p{Cf}\u2028\u2029]/gu,
    (character) =>
      character
        .split('')
        .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
        .join(''),
  );
}
