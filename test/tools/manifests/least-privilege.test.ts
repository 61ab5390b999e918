import pLimit from 'p-limit';
import { beforeAll, describe, expect, it } from 'vitest';
import type { RbacRule } from '../../../src/methods/permissions.ts';
import { describeUnless } from '../../kit/needs.ts';
import { runHere } from '../../kit/run-here.ts';
import { Installation, type Ran } from './installation.ts';
import {
  covers,
  nameOf,
  type Permission,
  permissionsAsked,
  permissionsIn,
  permissionsOf,
  rulesOf,
} from './permissions.ts';
import { cannotRender, type Manifest, render, renderFile, withSwaps } from './render.ts';

const overlays = ['namespaced', 'report', 'swap', 'sweep', 'sweep with image-swap'] as const;
type Overlay = (typeof overlays)[number];

/** Requests that a Role of the swept namespaces cannot allow, and permissions of the base that a dry run does not use. */
const askedInVain: Partial<Record<Overlay, readonly string[]>> = {
  namespaced: ['get nodes', 'get namespaces'],
};
/** Used only if there are many, as `unit/facts/readers.test.ts` shows. */
const forMany = ['list jobs.batch', 'list nodes', 'list namespaces'];
const unused: Partial<Record<Overlay, readonly string[]>> = {
  report: ['get pods'],
  // Each of the pods can be swapped, which goes before signals with an unknown end.
  'sweep with image-swap': ['get pods/exec', 'create pods/exec'],
};

/** Runs mostly wait, so many run at the same time. */
const inTurn = pLimit(10);

describeUnless(cannotRender, 'with the permissions of an overlay', () => {
  const rendered = new Map<Overlay, readonly Manifest[]>();
  beforeAll(async () => {
    for (const overlay of overlays) {
      const isOwn = overlay === 'sweep with image-swap';
      rendered.set(overlay, await (isOwn ? renderFile(withSwaps) : render(`overlays/${overlay}`)));
    }
  });
  const of = (overlay: Overlay) => rendered.get(overlay) ?? [];

  describe.concurrent('every one is used and none is missing:', () => {
    it.each(overlays)('%s', async (overlay) => {
      const installation = await Installation.start(of(overlay));
      try {
        installation.placeStuckPods('team-a');
        if (overlay === 'namespaced') installation.placeStuckPods('team-b');
        const ran = await installation.runJob();
        // Another run finds the Lease of the first.
        await installation.runJob();
        expect(found(ran)).toEqual(predict(overlay, of(overlay)));
        const granted = permissionsIn(of(overlay));
        const asked = permissionsAsked(sweepers(installation));
        const missed = asked.filter((one) => !granted.some((each) => covers(each, one)));
        expect(new Set(missed.map(nameOf))).toEqual(new Set(askedInVain[overlay] ?? []));
        const excess = granted.filter((each) => !asked.some((one) => covers(each, one)));
        const inVain = excess.map(nameOf).filter((name) => !forMany.includes(name));
        expect(inVain).toEqual(unused[overlay] ?? []);
      } finally {
        await installation.stop();
      }
    });
  });

  describe.concurrent('removing any one has the predicted outcome:', () => {
    it.each(overlays)('%s', async (overlay) => {
      const permissions = permissionsIn(of(overlay));
      expect(permissions.length).toBeGreaterThan(3);
      // The Role in team-b is the same as in team-a.
      const tried = permissions.filter(({ namespace }) => namespace !== 'team-b');
      await Promise.all(tried.map((permission) => inTurn(() => tryWithout(overlay, permission))));
    });
  });

  async function tryWithout(overlay: Overlay, permission: Permission): Promise<void> {
    const left = without(of(overlay), permission);
    expect(permissionsIn(left)).toHaveLength(permissionsIn(of(overlay)).length - 1);
    const installation = await Installation.start(left);
    try {
      installation.leaveLease();
      installation.placeStuckPods('team-a');
      const told = `${overlay} without ${nameOf(permission)}`;
      expect(found(await installation.runJob(runHere)), told).toEqual(predict(overlay, left));
    } finally {
      await installation.stop();
    }
  }
});

function sweepers({ emulator }: Installation) {
  return emulator.requests.filter(({ user }) => user.endsWith(':sidecar-sweeper'));
}

function without(
  objects: readonly Manifest[],
  { namespace, ...permission }: Permission,
): readonly Manifest[] {
  return objects.map((object) => {
    const isRole = object.kind === 'Role' || object.kind === 'ClusterRole';
    if (!isRole || object.metadata.namespace !== namespace) return object;
    const rules = rulesOf(object).flatMap((rule) => {
      const [one] = permissionsOf({ ...rule, verbs: [permission.verb] }, undefined);
      const isIt = one !== undefined && nameOf(one) === nameOf({ ...permission, namespace });
      const verbs = isIt ? rule.verbs.filter((verb) => verb !== permission.verb) : rule.verbs;
      return verbs.length === 0 ? [] : [{ ...rule, verbs } satisfies RbacRule];
    });
    return { ...object, rules };
  });
}

interface Result {
  readonly exitCode: number;
  readonly ended: readonly string[];
  readonly notEnded: readonly string[];
  readonly warnings: readonly string[];
  readonly eventsRefused: boolean;
}

function found({ run, report }: Ran): Result {
  const named = (isEnded: boolean) => {
    const these = report.pods.filter(({ outcome }) => (outcome.kind === 'Ended') === isEnded);
    // Those of team-b have the same names.
    return [...new Set(these.map(({ name }) => name))].sort();
  };
  return {
    exitCode: run.exitCode ?? 1,
    ended: named(true),
    notEnded: named(false),
    warnings: [...new Set(report.warnings.map(({ kind }) => kind))].sort(),
    eventsRefused: run.stderr.includes('events were written'),
  };
}

function predict(overlay: Overlay, objects: readonly Manifest[]): Result {
  const granted = permissionsIn(objects).filter(({ namespace }) => namespace !== 'team-b');
  const may = (...names: readonly string[]) =>
    names.every((name) => granted.some((each) => nameOf(each) === name));
  const exec = may('get pods/exec', 'create pods/exec');
  const http = may('get pods/portforward', 'create pods/portforward');
  const swap = may('patch pods');
  const lists = may('list pods');
  const jobs = may('get jobs.batch');
  const namespaces = may('get namespaces');
  const finds = lists && namespaces;
  // Without the Job, nothing shows that the container was injected.
  const candidates = finds ? ['immune', ...(jobs ? ['injected-0'] : []), 'quits'] : [];
  const acts = overlay !== 'report' && may('get pods');
  const ends: Readonly<Record<string, boolean>> = {
    immune: swap,
    'injected-0': exec || swap,
    quits: http || swap,
  };
  const ended = candidates.filter((name) => acts && ends[name]);
  const notEnded = candidates.filter((name) => !ended.includes(name));
  const locks = overlay !== 'report';
  // The Lease is there already: an account that may not create it holds it all the same.
  const lease = ['get', 'update'].every((verb) => may(`${verb} leases.coordination.k8s.io`));
  // Swaps take the place of all else, but for a dry run.
  const methods = (swap && overlay !== 'report') || (exec && http && overlay !== 'sweep with image-swap');
  return {
    exitCode: finds ? 0 : 3,
    ended,
    notEnded,
    warnings: [
      ...(lists && !jobs ? ['JobsUnreadable'] : []),
      ...(finds && !methods ? ['NoPermission'] : []),
      ...(lists && !may('get nodes') ? ['NodesUnreadable'] : []),
      ...(locks && !lease ? ['Unlocked'] : []),
    ],
    eventsRefused: finds && overlay !== 'report' && !may('create events.events.k8s.io'),
  };
}
