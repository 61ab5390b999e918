import type { History } from '../report/history/schema.ts';
import { iso } from '../report/times.ts';
import { fatesOf, groupBy, stuckSince } from './group.ts';
import { instanceOf, type Past, workloadOf } from './past.ts';

/** What got stuck again and again on the same sidecar, the most often first. */
export function recurringOf(pasts: readonly Past[]): History['recurring'] {
  const entries = [...groupBy(pasts, ({ originKey }) => [originKey]).values()].flatMap((ofOrigin) =>
    [...groupBy(ofOrigin, ({ sidecars }) => sidecars.map(({ name, image }) => `${name} ${image}`))].flatMap(
      ([key, found]) => {
        const times = new Set(found.map(instanceOf)).size;
        if (times < 2) return [];
        const [first] = found;
        // Names have no spaces.
        const end = key.indexOf(' ');
        return [
          {
            ...workloadOf(first),
            ...fatesOf(found),
            sidecar: key.slice(0, end),
            image: key.slice(end + 1),
            times,
            firstAt: iso(stuckSince(found)),
            lastAt: iso(found.reduce((latest, { last }) => Math.max(latest, last.mainsEndedAt), 0)),
          },
        ];
      },
    ),
  );
  return entries.sort((a, b) => b.times - a.times || b.pods - a.pods);
}
