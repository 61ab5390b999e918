/** The known key that another one is most likely meant to be; undefined if it is like none of them. */
export function meantKey(key: string, known: readonly string[]): string | undefined {
  const plain = plainOf(key);
  return known.find((each) => {
    const other = plainOf(each);
    return Math.abs(plain.length - other.length) <= most && distance(plain, other) <= most;
  });
}

/** Istio's release notes print nativeSidecar without its last three letters. */
const most = 3;

/** Case and punctuation are what people misremember. */
function plainOf(key: string): string {
  return key.toLowerCase().replace(/[^a-z0-9/]/g, '');
}

/** How many letters must be added, removed or changed. https://en.wikipedia.org/wiki/Levenshtein_distance */
function distance(a: string, b: string): number {
  let row = [...b, ''].map((_, index) => index);
  for (const [index, letter] of [...a].entries()) {
    const next = [index + 1];
    for (const [at, other] of [...b].entries()) {
      const changed = (row[at] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(changed, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
