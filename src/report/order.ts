interface Named {
  readonly namespace: string;
  readonly name: string;
}

/** Sorts pods by namespace and name. */
export function byName(a: Named, b: Named): number {
  const left = `${a.namespace}/${a.name}`;
  const right = `${b.namespace}/${b.name}`;
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Sorts reports by when their sweeps started. */
export function byStart(
  a: { readonly run: { readonly startedAt: string } },
  b: { readonly run: { readonly startedAt: string } },
): number {
  return Date.parse(a.run.startedAt) - Date.parse(b.run.startedAt);
}
