import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cyclesOf } from '../../../src/judge/kubexit.ts';

const graph = (edges: Readonly<Record<string, readonly string[]>>) => new Map(Object.entries(edges));

it('in any graph, two names are in one circle if there is a way there and back', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
  fc.assert(
    fc.property(fc.dictionary(name, fc.array(name, { maxLength: 3 })), (edges) => {
      const circles = cyclesOf(graph(edges));
      const leadsTo = (from: string, to: string, seen: ReadonlySet<string> = new Set()): boolean =>
        from === to ||
        (edges[from] ?? []).some((next) => !seen.has(next) && leadsTo(next, to, new Set([...seen, next])));
      for (const from of circles.keys()) {
        for (const to of circles.keys()) {
          expect(circles.get(from) === circles.get(to)).toBe(leadsTo(from, to) && leadsTo(to, from));
        }
      }
    }),
  );
});
