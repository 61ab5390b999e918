import type { SweepReport } from '../../../../src/report/schema.ts';

/** Where the totals of a report do not add up, or containers have no outcome or two. */
export function miscounted({ totals, pods }: SweepReport): readonly string[] {
  const { listed, otherShards, excluded, undecided, neverStarted, notStartedAgain, hanging, candidates } =
    totals;
  const judged =
    otherShards + excluded + undecided + neverStarted + notStartedAgain + sum(hanging) + candidates;
  const sidecars = pods.flatMap(({ uid, containers }) =>
    containers.flatMap(({ role, name }) => (role === 'Sidecar' ? [`${uid} ${name}`] : [])),
  );
  return [
    ...(judged === listed ? [] : [`${listed} were listed, ${judged} are counted`]),
    ...(sum(totals.pods) === candidates ? [] : [`${candidates} candidates, ${sum(totals.pods)} outcomes`]),
    ...(sum(totals.sidecars) === sidecars.length ? [] : [`${sidecars.length} sidecars, and other outcomes`]),
    ...sidecars.filter((one, index) => sidecars.indexOf(one) !== index).map((one) => `${one} is there twice`),
  ];
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((all, one) => all + one, 0);
}
