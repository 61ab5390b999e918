import { VersionApi } from '@kubernetes/client-node';
import { beforeAll, describe, expect, it } from 'vitest';
import { methods } from '../../../src/methods/index.ts';
import { sweepReport } from '../../../src/report/schema.ts';
import { behaviours, type SweepName } from './behaviours.ts';
import { scenarios, whyNot } from './scenarios.ts';
import { type Site, Stage } from './stage.ts';
import type { Swept } from './sweep-behaviours.ts';

/** Declares the tests of all behaviours on one cluster. */
export function describeBehaviours(where: string, sweep: () => Promise<Swept>): void {
  describe(`sweeps over every behaviour, ${where}`, () => {
    let swept: Swept;
    beforeAll(async () => {
      swept = await sweep();
    }, 240_000);

    const reports = () => [...swept.byName.values()].map(({ report }) => report);
    const podOf = (job: string) =>
      reports()
        .flatMap(({ pods }) => pods)
        .find(({ owner }) => owner?.name === job);

    for (const { title, name, expected } of behaviours) {
      it(title, () => {
        const pod = podOf(name);
        if (!expected) {
          expect(pod).toBeUndefined();
          return;
        }
        const sidecars = pod?.containers.flatMap((container) =>
          container.role === 'Sidecar' ? [container] : [],
        );
        expect(pod?.outcome).toEqual(expected.pod);
        expect(sidecars?.map(({ outcome }) => outcome)).toMatchObject([expected.sidecar]);
        if (expected.methods) {
          expect(sidecars?.flatMap(({ attempts }) => attempts.map(({ method }) => method))).toEqual(
            expected.methods,
          );
        }
      });
    }

    it('has, for every method, a behaviour that it ends', () => {
      const last = behaviours.flatMap(({ expected }) => expected?.methods?.at(-1) ?? []);
      expect([...new Set(last)].sort()).toEqual(methods.map(({ name }) => name).sort());
    });

    it('reports the final state of every pod in the cluster', () => {
      const pods = reports().flatMap((report) => report.pods);
      expect(pods.length).toBe(behaviours.filter(({ expected }) => expected).length);
      for (const pod of pods) {
        const after = swept.podsAfter.get(pod.owner?.name ?? '');
        const phase =
          pod.outcome.kind === 'Ended'
            ? pod.outcome.phase
            : pod.outcome.kind === 'Gone'
              ? undefined
              : 'Running';
        expect([pod.name, phase]).toEqual([pod.name, after?.status?.phase]);
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

    it('writes reports that match their schema', () => {
      for (const report of reports()) expect(sweepReport.safeParse(report).error).toBeUndefined();
    });

    it('exits 4 if pods are still stuck, and 0 otherwise', () => {
      expect(swept.byName.get('plain')?.run.exitCode).toBe(4);
      expect(swept.byName.get('http')?.run.exitCode).toBe(0);
    });

    it('warns about the Jobs whose finished work runs again', () => {
      const names = (sweep: SweepName) =>
        swept.byName
          .get(sweep)
          ?.report.warnings.flatMap((warning) =>
            warning.kind === 'JobHarmed' && warning.harm === 'RunsAgain' ? [warning.name] : [],
          );
      expect(names('plain')).toEqual([podOf('unclean')?.name]);
      expect(names('deadline')).toEqual([podOf('deadline')?.name]);
      expect(names('image-swap')).toEqual([]);
    });

    it('logs nothing but JSON, a line for each act and one summary, and none for what the records say', () => {
      for (const { run } of swept.byName.values()) {
        const lines = run.stderr.split('\n').filter(Boolean);
        const events = lines.map((line) => JSON.parse(line).event);
        expect(events.filter((event) => event === 'SweepFinished')).toHaveLength(1);
        const others = ['Acting', 'Stopping', 'ReadFailed', 'SweepFinished'];
        expect(events.filter((event) => !others.includes(event))).toEqual([]);
      }
    });
  });
}

/** Declares the tests of all scenarios at one site. They play side by side. */
export function describeScenarios(where: string, open: () => Promise<Site>): void {
  describe(`scenarios, ${where}`, () => {
    let site: Site;
    let version: string;
    beforeAll(async () => {
      site = await open();
      version = (await site.config.makeApiClient(VersionApi).getCode()).gitVersion;
    });

    for (const { title, needs, play } of scenarios) {
      it.concurrent(title, { timeout: 300_000 }, async ({ skip }) => {
        const reason = whyNot(needs, version);
        skip(reason !== undefined, reason);
        await Stage.play(site, play);
      });
    }
  });
}
