/**
 * The circle that each name belongs to: two names have the same one if each leads to the other. Every edge is followed once.
 * https://en.wikipedia.org/wiki/Tarjan%27s_strongly_connected_components_algorithm
 */
export function circlesOf(edges: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  const circles = new Map<string, number>();
  const open: string[] = [];
  /** The earliest name that this one leads back to. Only names with edges are visited from others, so it is never deep. */
  function visit(name: string): number {
    const order = found.size;
    found.set(name, order);
    open.push(name);
    let earliest = order;
    for (const next of edges.get(name) ?? []) {
      if (circles.has(next)) continue;
      earliest = Math.min(earliest, found.get(next) ?? visit(next));
    }
    if (earliest === order) {
      for (const member of open.splice(open.lastIndexOf(name))) circles.set(member, order);
    }
    return earliest;
  }
  for (const name of edges.keys()) if (!found.has(name)) visit(name);
  return circles;
}
