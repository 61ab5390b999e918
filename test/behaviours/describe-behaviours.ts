import { beforeAll, describe, expect, it } from 'vitest';
import { sweepReport } from '../../src/report/schema.ts';
import { behaviours } from './behaviours.ts';
import type { Swept } from './sweep-behaviours.ts';

/** The tests of all behaviours over one sweep, wherever it took place. */
export function describeBehaviours(where: string, sweep: () => Promise<Swept>): void {
  describe(`one sweep over every behaviour, ${where}`, () => {
    let swept: Swept;
    beforeAll(async () => {
      swept = await sweep();
    }, 240_000);

    const podOf = (job: string) => swept.report.pods.find(({ owner }) => owner?.name === job);

    it.each(behaviours)('$title', ({ name, expected }) => {
      const pod = podOf(name);
      if (!expected) {
        expect(pod).toBeUndefined();
        return;
      }
      expect(pod?.outcome).toEqual(expected.pod);
      expect(pod?.containers.find((container) => container.name === 'sidecar')).toMatchObject({
        role: 'Sidecar',
        outcome: expected.sidecar,
      });
    });

    it('says of every pod what the cluster says of it afterwards', () => {
      expect(swept.report.pods.length).toBe(behaviours.filter(({ expected }) => expected).length);
      for (const pod of swept.report.pods) {
        const after = swept.podsAfter.get(pod.owner?.name ?? '');
        const phase = pod.outcome.kind === 'Ended' ? pod.outcome.phase : 'Running';
        expect([pod.name, phase]).toEqual([after?.metadata?.name, after?.status?.phase]);
        for (const container of pod.containers) {
          if (container.role !== 'Sidecar' || container.outcome.kind !== 'Stopped') continue;
          const status = after?.status?.containerStatuses?.find(({ name }) => name === container.name);
          expect([container.name, status?.state?.terminated?.exitCode]).toEqual([
            container.name,
            container.outcome.exitCode,
          ]);
        }
      }
    });

    it('writes a report that its own schema accepts, and exits 4 because some pods are still stuck', () => {
      expect(sweepReport.safeParse(swept.report).error).toBeUndefined();
      expect(swept.run.exitCode).toBe(4);
    });

    it('warns of the one Job whose finished work runs again', () => {
      const warned = swept.report.warnings.filter(({ kind }) => kind === 'FinishedWorkRunsAgain');
      expect(warned).toEqual([
        {
          kind: 'FinishedWorkRunsAgain',
          namespace: podOf('unclean')?.namespace,
          name: podOf('unclean')?.name,
        },
      ]);
    });

    it('logs one JSON object a line, and last the totals', () => {
      const lines = swept.run.stderr
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(lines.at(-1)).toMatchObject({ message: 'sweep finished', totals: swept.report.totals });
    });
  });
}
