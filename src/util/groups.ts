/** Groups of equal items, in the order of their first items. */
export function groupsOf<T>(
  items: Iterable<T>,
  keyOf: (item: T) => string,
): readonly (readonly [T, ...T[]])[] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups.values()];
}

/** Equal values once, as plain data. */
export function distinct<T>(values: Iterable<T>): readonly T[] {
  return groupsOf(values, (value) => JSON.stringify(value)).map(([first]) => first);
}

export type Counts = Readonly<Record<string, number>>;

/** How often each kind occurs, by name. */
export function countKinds(kinds: Iterable<string>): Counts {
  const counts = new Map<string, number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}
