import { expect, it } from 'vitest';
import { describeUnless } from '../../kit/needs.ts';
import { Installation } from './installation.ts';
import { covers, nameOf, permissionsAsked, permissionsIn } from './permissions.ts';
import { cannotRender, renderFile, withSwaps } from './render.ts';

interface Overlay {
  readonly kustomization: string;
  /** Which of the stuck pods its Job ends, and which warnings it gives. */
  readonly ends: readonly string[];
  readonly warns: readonly string[];
  /** Requests that a Role of the swept namespaces cannot allow. */
  readonly inVain?: readonly string[];
  /** Permissions that other overlays use. */
  readonly unused?: readonly string[];
}

const resource = (overlay: string) => `resources: [../${overlay}]`;
const byRequest = ['injected-0', 'quits'];
const all = ['immune', ...byRequest];

// biome-ignore format: one row a line
const overlays: Readonly<Record<string, Overlay>> = {
  namespaced: { kustomization: resource('namespaced'), ends: byRequest, warns: ['NodesUnreadable'], inVain: ['get nodes', 'get namespaces'] },
  // A dry run reads no pod again.
  report: { kustomization: resource('report'), ends: [], warns: ['NoPermission'], unused: ['get pods'] },
  swap: { kustomization: resource('swap'), ends: all, warns: [] },
  sweep: { kustomization: resource('sweep'), ends: byRequest, warns: [] },
  // Each of the pods can be swapped, which goes before signals with an unknown end.
  'sweep with image-swap': { kustomization: withSwaps, ends: all, warns: [], unused: ['get pods/exec', 'create pods/exec'] },
};
/** Used only if there are many, as `unit/facts/readers.test.ts` shows. */
const forMany = ['list jobs.batch', 'list nodes', 'list namespaces'];

describeUnless(cannotRender, 'every permission of an overlay is used, and none is missing:', () => {
  it.concurrent.each(Object.entries(overlays))('%s', async (name, overlay) => {
    const objects = await renderFile(overlay.kustomization);
    const installation = await Installation.start(objects);
    try {
      installation.placeStuckPods('team-a');
      if (name === 'namespaced') installation.placeStuckPods('team-b');
      const { run, report } = await installation.runJob();
      // Another run finds the Lease of the first.
      await installation.runJob();
      expect(run.exitCode).toBe(0);
      // Those of team-b have the same names.
      const found = new Map(report.pods.map((pod) => [pod.name, pod.outcome.kind === 'Ended']));
      const expected = new Map(all.map((pod) => [pod, overlay.ends.includes(pod)]));
      expect(found).toEqual(expected);
      expect(new Set(report.warnings.map(({ kind }) => kind))).toEqual(new Set(overlay.warns));
      expect(run.stderr).not.toContain('events were written');

      const granted = permissionsIn(objects);
      const { requests } = installation.emulator;
      const asked = permissionsAsked(requests.filter(({ user }) => user.endsWith(':sidecar-sweeper')));
      const missed = asked.filter((one) => !granted.some((each) => covers(each, one)));
      expect(new Set(missed.map(nameOf))).toEqual(new Set(overlay.inVain ?? []));
      const excess = granted.filter((each) => !asked.some((one) => covers(each, one)));
      const unused = excess.map(nameOf).filter((name) => !forMany.includes(name));
      expect(unused).toEqual(overlay.unused ?? []);
    } finally {
      await installation.stop();
    }
  });
});
