/** Text from outside as one line that cannot steer a terminal, of bounded length. */
export function printable(text: string, limit = 512): string {
  const line = text
    .slice(0, 4 * limit)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
  if (line.length <= limit) return line;
  // A character outside the basic plane is two code units: none is cut in half.
  return `${line.slice(0, limit).replace(/[\ud800-\udbff]$/, '')}…`;
}
