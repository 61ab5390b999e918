import { describe, expect } from 'vitest';
import { ensureNamespace, type RequestMatch } from '../kit/emulator/index.ts';
import { itUnless } from '../kit/needs.ts';
import { startedOnce } from '../kit/started.ts';
import { sidecars, stuckPod, TestCluster } from '../kit/stuck-pods.ts';
import { keys, noTerminal, type Presses, runOnTerminal } from '../kit/terminal.ts';
import { tally } from './tally.ts';

const cluster = startedOnce(() => TestCluster.start());

/** What a terminal shows while the cursor is hidden, and shown again. */
const cursor = { hidden: '\u001b[?25l', shown: '\u001b[?25h' };

interface Stage {
  readonly title: string;
  /** What hangs, so that the sweep stays there. */
  readonly hangs?: RequestMatch;
  /** What the terminal shows when it has come there. */
  readonly shown: string;
  /** Whether the work is done by then. */
  readonly isDone?: true;
}

// biome-ignore format: one row a line
const stages: readonly Stage[] = [
  { title: 'it lists', hangs: { resource: 'pods', verb: 'list' }, shown: 'reading the cluster' },
  { title: 'it sends', hangs: { subresource: 'exec' }, shown: '0 of 1 sidecar' },
  { title: 'it waits', shown: 'at most ' },
  { title: 'its report is due', hangs: { resource: 'leases', method: 'PUT' }, shown: 'stopped, exit code', isDone: true },
];

let cases = 0;

/** Sweeps a stuck pod on a terminal, and presses Ctrl-C once or twice at this stage. */
async function pressAt({ hangs, title }: Stage, presses: Presses) {
  const namespace = `case-${cases++}`;
  const { faults, world } = cluster.emulator;
  ensureNamespace(world, namespace);
  faults.clear();
  if (hangs) faults.add({ ...hangs, namespace }, { kind: 'NeverAnswer' });
  const isStubborn = title === 'it waits';
  world.placePods([stuckPod({ namespace, ...(isStubborn && { sidecar: sidecars.stubborn, grace: 60 }) })]);
  const argv = [
    '--yes',
    '-v',
    '-n',
    namespace,
    '--lock',
    namespace,
    '--kubeconfig',
    await cluster.kubeconfig(),
  ];
  const shown = await runOnTerminal('cols 120 rows 24', argv, presses, 'stty -a');
  const [lease] = world.store.list('leases', namespace);
  return { ...shown, holder: Object(lease?.['spec']).holderIdentity };
}

/** The cursor is visible, and the terminal takes lines, echoes them, and turns Ctrl-C into a signal. */
function expectRestored({ text }: { readonly text: string }): void {
  expect(text).toContain(cursor.hidden);
  expect(text.lastIndexOf(cursor.shown)).toBeGreaterThan(text.lastIndexOf(cursor.hidden));
  expect(text).toMatch(/(?<!-)\bisig (?<!-)icanon /);
  expect(text).toMatch(/(?<!-)\becho /);
}

describe('C7: Ctrl-C on a terminal while', () => {
  for (const stage of stages) {
    const { title, shown: text } = stage;
    itUnless(noTerminal, `${title}: the report follows, and the terminal is as it was`, async () => {
      const shown = await pressAt(stage, [[text, keys.ctrlC]]);
      expect(shown.exitCode).toBe(stage.isDone ? 0 : 5);
      expect(shown.text).toMatch(
        stage.isDone
          ? /stopped, exit code 0/
          : /stopped early: the sweep was interrupted|Nothing was sent|could not be read|could be listed/,
      );
      if (!stage.hangs?.resource) expect(shown.holder).toBe('');
      expectRestored(shown);
      tally('faults', 'C7', 1);
    });

    itUnless(noTerminal, `${title}, and again: it ends at once, and the terminal is as it was`, async () => {
      const shown = await pressAt(stage, [
        [text, keys.ctrlC],
        ['Ctrl-C again', keys.ctrlC, 600],
      ]);
      // Where the machine is busy, the first one has been enough.
      expect([130, stage.isDone ? 0 : 5]).toContain(shown.exitCode);
      if (shown.exitCode === 130) expect(shown.text).not.toContain('stopped early');
      expectRestored(shown);
      tally('faults', 'C7', 1);
    });
  }
});
