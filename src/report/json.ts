/** The output of a command, for machines. */
export function renderJson(document: object): string {
  return `${safeJson(document, 2)}\n`;
}

/**
 * JSON in which all characters that could control a terminal are escaped. JSON.stringify itself escapes only
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
