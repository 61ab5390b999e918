import { expect } from 'vitest';
import type { Scenario } from '../scenario.ts';
import { onTerm } from '../scripts.ts';
import type { SweepResult } from '../sweep-result.ts';

const exits143 = onTerm('exit 143');

/** What one pod teaches about others, and what it does not. */
export const learning: readonly Scenario[] = [
  {
    title: 'what a sweep has learnt outlives the pods that taught it',
    async play(stage) {
      await stage.stuck({ name: 'first', sidecar: { command: exits143 } });
      expect((await stage.sweep()).exitCode).toBe(7);

      const { namespace } = stage;
      await stage.batch.deleteNamespacedJob({ namespace, name: 'first', propagationPolicy: 'Background' });
      await stage.until(
        'the pods of the first Job to be gone',
        async () => (await stage.pods()).length === 0,
      );

      await stage.stuck({ name: 'second', sidecar: { command: exits143 } });
      const swept = await stage.sweep();
      expect(swept.pod('second').outcome).toEqual({ kind: 'Held', reason: 'EarlierUnclean' });
      expect(swept.exitCode).toBe(4);
      expect(await stage.pods('second')).toMatchObject([{ status: { phase: 'Running' } }]);
    },
  },
  {
    title: 'an unclean end holds back the sidecars that are started alike, but none with another command',
    async play(stage) {
      await stage.stuck(
        { name: 'unclean-1', sidecar: { command: exits143 } },
        { name: 'unclean-2', sidecar: { command: exits143 } },
      );
      const first = await stage.sweep();
      expect(first.outcomes()).toEqual(['Ended', 'Held']);
      expect(first.exitCode).toBe(7);

      await stage.stuck({ name: 'clean' });
      const later = await stage.sweep();
      expect(later.pod('clean').outcome).toMatchObject({ kind: 'Ended', phase: 'Succeeded' });
      const held = later.report.pods.filter(({ outcome }) => outcome.kind === 'Held');
      expect(held).not.toEqual([]);
      for (const { owner } of held) expect(owner?.name).toMatch(/^unclean-/);
    },
  },
  {
    title:
      'sidecars that differ only in the id of their run are started alike: one goes first, and all others follow',
    async play(stage) {
      const ids = ['0b6a3f52', '57d1c0aa', '9e44e8d1', 'f20c7b3e'];
      const run = (id: string) => `${id}-73c1-4c57-9f6e-2f1d5f1c8a90`;
      await stage.stuck(
        ...ids.map((id) => ({
          name: `run-${id}`,
          grace: 10,
          sidecar: { command: [...onTerm('sleep 3; exit 0'), run(id)] },
        })),
      );
      const swept = await stage.sweep();
      expect(swept.outcomes()).toEqual(Array(ids.length).fill('Ended'));
      expect(swept.exitCode).toBe(0);
      const [first = 0, second = 0] = ids.map((id) => sentAt(swept, `run-${id}`)).toSorted((a, b) => a - b);
      expect(second - first).toBeGreaterThanOrEqual(3_000);
    },
  },
  {
    title: 'a sidecar that has been told to end and is still running holds back those that are started alike',
    async play(stage) {
      const command = onTerm('while :; do sleep 1; done');
      await stage.stuck({ name: 'one', sidecar: { command } }, { name: 'other', sidecar: { command } });
      const swept = await stage.sweep();
      expect(swept.outcomes()).toEqual(['Held', 'Stuck']);
      expect(swept.report.pods.map(({ outcome }) => outcome)).toContainEqual({
        kind: 'Held',
        reason: 'CanaryNotEnded',
      });
      expect(swept.exitCode).toBe(4);
    },
  },
];

/** When the only step for a Job's sidecar was sent. */
function sentAt(swept: SweepResult, job: string): number {
  const times = swept.sidecar(job).attempts.map((attempt) => Date.parse(attempt.sentAt));
  expect(times).toHaveLength(1);
  return times[0] ?? 0;
}
