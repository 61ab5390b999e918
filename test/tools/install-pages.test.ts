import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { normalise } from '../../scripts/demo/pages.ts';
import { members } from '../kit/emulator/index.ts';
import { InstalledCluster, whyNotInCluster } from '../kit/installed-cluster.ts';
import { describeUnless } from '../kit/needs.ts';
import { startedOnce, temporaryFolder } from '../kit/started.ts';
import { cannotRender } from './manifests/render.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const pageOf = (name: string) => readFile(join(root, 'docs', name), 'utf8');
const [install, rollout] = await Promise.all([pageOf('install.md'), pageOf('rollout.md')]);

/** The lines of a page's shell blocks that need no registry. */
function linesOf(page: string): readonly string[] {
  return [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)]
    .flatMap(([, block = '']) => block.trimEnd().split('\n'))
    .filter((line) => !line.startsWith('docker '));
}

const firstYaml = (page: string) => /^```yaml\n([\s\S]*?)^```$/m.exec(page)?.[1] ?? '';

/** What a line of the pages prints, with one space between columns and `Ns` for every time. */
// biome-ignore format: one row a line
const says: Readonly<Record<string, RegExp>> = {
  'kubectl apply -k sweeper': /^cronjob\.batch\/sidecar-sweeper (?:created|configured|unchanged)$/m,
  'kubectl -n sidecar-sweeper create job first --from=cronjob/sidecar-sweeper': /^job\.batch\/first created$/m,
  'kubectl -n sidecar-sweeper wait --for=condition=complete job/first --timeout=10m': /^job.batch\/first condition met$/m,
  'kubectl -n sidecar-sweeper get pods -l job-name=first -o jsonpath=\'{..state.terminated.message}{"\\n"}\'': /^exit code 0\s+2 pods listed, 1 stuck\. It took Ns \(dry run: nothing was sent\)\./,
  'kubectl -n sidecar-sweeper logs job/first': /"does":"POST localhost:15020\/quitquitquit"/,
  'kubectl apply -k manifests/policies': /sidecar-sweeper-kill-commands created$/m,
  'kubectl -n sidecar-sweeper create job look --from=cronjob/sidecar-sweeper': /^job\.batch\/look created$/m,
  'kubectl -n sidecar-sweeper wait --for=condition=complete job/look --timeout=10m': /^job.batch\/look condition met$/m,
  'kubectl -n sidecar-sweeper logs job/look': /"kind":"Pod"[\s\S]*"k8s\.namespace\.name":"team-a"/,
  'kubectl -n sidecar-sweeper patch cronjob sidecar-sweeper -p \'{"spec":{"suspend":true}}\'': /sidecar-sweeper patched/,
  'kubectl -n sidecar-sweeper create job sweep-1 --from=cronjob/sidecar-sweeper': /^job\.batch\/sweep-1 created$/m,
  'kubectl -n sidecar-sweeper wait --for=condition=complete job/sweep-1 --timeout=10m': /^job.batch\/sweep-1 condition met$/m,
  'kubectl -n sidecar-sweeper get pods -l job-name=sweep-1 -o jsonpath=\'{..state.terminated.message}{"\\n"}\'': /^exit code 0\s+[\s\S]*1 pod ended/,
  'kubectl get events -n team-a --field-selector type=Warning': /^$/,
  'kubectl get pods,jobs -n team-a': /job\.batch\/invoice-mail Complete 1\/1/,
  'kubectl -n sidecar-sweeper describe pod -l job-name=sweep-1': /^Name: sweep-1-xxxxx$/m,
  'kubectl -n sidecar-sweeper patch cronjob sidecar-sweeper -p \'{"spec":{"suspend":false}}\'': /sidecar-sweeper patched/,
  'kubectl -n sidecar-sweeper get cronjob,jobs': /cronjob\.batch\/sidecar-sweeper/,
  'kubectl -n sidecar-sweeper delete jobs --all': /job\.batch "sweep-1" deleted/,
  'kubectl delete -k sweeper --ignore-not-found': /namespace "sidecar-sweeper" deleted/,
};
/** Needs the Prometheus operator's API. */
const notHere = ['kubectl apply -k manifests/monitoring'];

it('every line of the pages is tried', () => {
  const lines = [...linesOf(install), ...linesOf(rollout)];
  expect(lines.length).toBeGreaterThan(20);
  expect(new Set(lines)).toEqual(new Set([...Object.keys(says), ...notHere]));
});

describeUnless(cannotRender ?? whyNotInCluster(), 'docs/install.md and rollout.md, line by line,', () => {
  const stuck = members.filter(({ name }) => name === 'invoice-mail');
  const cluster = startedOnce(() =>
    InstalledCluster.start(stuck.map((member) => ({ ...member, namespace: 'team-a' }))),
  );
  const folder = temporaryFolder('install');
  let overlay: string;
  beforeAll(async () => {
    await cp(join(root, 'manifests'), join(folder, 'manifests'), { recursive: true });
    await mkdir(join(folder, 'sweeper'));
    // The emulator pulls nothing: it knows the images by their names in the manifests.
    overlay = firstYaml(install).replaceAll('registry.acme.example/tools', 'registry.example.com');
    await use(overlay);
  });

  const use = (kustomization: string) =>
    writeFile(join(folder, 'sweeper', 'kustomization.yaml'), kustomization);

  async function follow(page: string): Promise<void> {
    for (const line of linesOf(page).filter((each) => !notHere.includes(each))) {
      const options = { cwd: folder, env: cluster.env };
      const { stdout } = await promisify(execFile)('/bin/sh', ['-c', inJson(line)], options);
      expect(normalise(stdout), line).toMatch(says[line] ?? /^never$/);
    }
  }

  const step = (number: number) => rollout.split(/^## /m).find((part) => part.startsWith(`${number}.`)) ?? '';

  it('lead to a first report, which shows what a sweep would send', async () => {
    await follow(install);
  });

  it('show the plan for one namespace', async () => {
    await use(`${overlay}${firstYaml(step(1))}`);
    await follow(step(1));
  });

  it('sweep this namespace once, by image swaps alone', async () => {
    await use(`${overlay}${firstYaml(step(1))}`.replace('overlays/report', 'overlays/swap'));
    await follow(step(2));
    const [pod] = cluster.pods('team-a');
    expect(pod?.status.phase).toBe('Succeeded');
  });

  it('sweep this namespace every five minutes, then all', async () => {
    await follow(step(3));
    await use(overlay.replace('overlays/report', 'overlays/swap'));
    await follow(step(4));
  });

  it('stop it, and remove everything', async () => {
    await follow(rollout.slice(rollout.indexOf('## How to stop it')));
    expect(cluster.emulator.world.store.list('cronjobs')).toEqual([]);
  });
});

/** kubectl creates Jobs in protobuf, which the emulator does not read. */
function inJson(line: string): string {
  return line.includes(' create job ') ? `${line} --dry-run=client -o yaml | kubectl apply -f -` : line;
}
