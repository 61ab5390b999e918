import type { Advice } from './advise.ts';
import type { Scan } from './scan/schema.ts';

type Found = Pick<
  Scan | Advice,
  | 'asOf'
  | 'kind'
  | 'cluster'
  | 'listed'
  | 'unread'
  | 'undecided'
  | 'neverStarted'
  | 'notStartedAgain'
  | 'hanging'
  | 'warnings'
  | 'leftOut'
> &
  Partial<Pick<Scan, 'excludedBecause'>>;

/**
 * What a look found, as many small objects: each says its kind and its cluster, and the last one is the
 * document without what came before.
 */
export function* lookRecords(found: Found, kind: string, items: readonly object[]): Iterable<object> {
  const { cluster, unread, undecided, neverStarted, notStartedAgain, hanging, warnings } = found;
  const groups = {
    [kind]: items,
    NeverStarted: neverStarted,
    NotStartedAgain: notStartedAgain,
    Hanging: hanging,
    Undecided: undecided,
    Unread: unread.map((problem) => ({ problem })),
    Warning: warnings.map((warning) => ({ warning })),
  };
  for (const [kind, group] of Object.entries(groups)) {
    for (const item of group) yield { kind, cluster, ...item };
  }
  const { asOf, listed, leftOut, excludedBecause } = found;
  yield {
    kind: found.kind,
    cluster,
    ...(asOf !== undefined && { asOf }),
    listed,
    ...(excludedBecause && { excludedBecause }),
    leftOut,
  };
}
