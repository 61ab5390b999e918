import { describe, expect } from 'vitest';
import { policyFlag } from '../../kit/cli.ts';
import { BEHAVIOUR_ANNOTATION, type LightBehaviour, type Placement } from '../../kit/emulator/index.ts';
import { itUnless } from '../../kit/needs.ts';
import { container, sidecars, stuckPod, TestCluster } from '../../kit/stuck-pods.ts';
import { linesOf, noTerminal, runOnTerminal, tooLong } from '../../kit/terminal.ts';

const behaviours: readonly LightBehaviour[] = [
  sidecars.clean,
  sidecars.unclean,
  sidecars.immune,
  sidecars.shellLess,
];

/** Pods that are stuck on sidecars of this many kinds, in as many images. */
function podsOfKinds(pods: number, kinds: number, namespace: string): readonly Placement[] {
  return Array.from({ length: pods }, (_, number) => {
    const kind = number % kinds;
    const name = `sidecar-${kind}`;
    const sidecar = behaviours[kind % behaviours.length] ?? sidecars.clean;
    const requests = { cpu: '100m', memory: '64Mi' };
    const image = `registry.example/platform/sidecar-${kind}:1.${kind}`;
    return stuckPod({
      namespace,
      name: `nightly-import-${number}-x7k2p`,
      annotations: {
        'sidecar-sweeper.dev/sidecars': name,
        [BEHAVIOUR_ANNOTATION]: JSON.stringify({ [name]: sidecar }),
      },
      spec: { containers: [container('main', { resources: { requests } }), container(name, { image })] },
      states: { [name]: { kind: 'running', startedAt: new Date(Date.now() - 7_200_000) } },
    });
  });
}

const cluster = TestCluster.startedOnce([
  ...podsOfKinds(2_000, 10, 'many'),
  ...podsOfKinds(200, 10, 'some'),
  ...podsOfKinds(60, 60, 'kinds'),
]);
/** 50, and a few of them are empty. */
const mostLines = 46;
const lift = ['--max-pods', '3000', ...policyFlag({ maxGrace: '10s' })];

async function shownOn(columns: number, argv: readonly string[], answer?: string) {
  const all = [...argv, '--kubeconfig', await cluster.kubeconfig()];
  const shown = await runOnTerminal(
    `cols ${columns} rows 50`,
    all,
    answer === undefined ? [] : [['[y/N] ', answer]],
  );
  // Without the lines of progress, which are written over each other.
  const lines = linesOf(shown).filter((line) => line !== '' && !/^[\u2800-\u28ff]/.test(line));
  return { ...shown, lines };
}

describe('2,000 stuck pods of ten kinds', () => {
  for (const columns of [40, 80, 100, 200]) {
    itUnless(noTerminal, `take at most 50 lines before the question, at ${columns} columns`, async () => {
      const { lines, exitCode } = await shownOn(columns, ['sweep', '-n', 'many', ...lift], 'n\n');
      const asked = lines.findIndex((line) => line.includes('End 2,000 sidecars of'));
      expect(exitCode).toBe(5);
      expect(asked).toBeGreaterThan(10);
      expect(asked).toBeLessThanOrEqual(mostLines);
      expect(lines.filter((line) => /^200 +sidecar-\d/.test(line))).toHaveLength(10);
      expect(lines.join(' ')).toMatch(/many\/nightly-import-\S+ and\s+19[79]\s+more/);
      expect(tooLong(lines, columns)).toEqual([]);
    });
  }

  itUnless(noTerminal, 'are one line each at 40 columns, which says what will happen', async () => {
    const { lines } = await shownOn(40, ['sweep', '-n', 'kinds', '--dry-run', ...lift]);
    const text = lines.join('\n');
    expect(text).toMatch(/signal\s+TERM/);
    expect(text).not.toMatch(/\b0 +0\b/);
    expect(tooLong(lines, 40)).toEqual([]);
  });

  itUnless(noTerminal, 'take at most 50 lines after the question, and the result is plain', async () => {
    const { lines, exitCode } = await shownOn(100, ['sweep', '-n', 'some', ...lift], 'y\n');
    expect(exitCode).toBe(4);
    const asked = lines.findIndex((line) => line.includes('[y/N]'));
    const after = lines.slice(asked + 1);
    expect(after.length).toBeLessThanOrEqual(mostLines);
    const text = after.join('\n');
    expect(text).toMatch(/^[\d,]+ pods ended: .*\. Freed \d+ cores, [\d.]+ GiB\.$/m);
    expect(text).toMatch(/pods still running/);
    expect(text).toMatch(/To end them: /);
    expect(text).toMatch(
      /^ {2}.*sidecar-sweeper explain some\/nightly-import-\S+ --policy \S+ --kubeconfig /m,
    );
    expect(text).not.toMatch(/StillRunning|NotAttempted|NoSuchProgram|RunsAgain/);
  });
});
