/** Untrusted text as one line of bounded length, without characters that could control a terminal. */
export function printable(text: string, limit = 512): string {
  const line = text
    .slice(0, 4 * limit)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
  if (line.length <= limit) return line;
  // Do not cut a surrogate pair in half.
  return `${line.slice(0, limit).replace(/[\ud800-\udbff]$/, '')}…`;
}
