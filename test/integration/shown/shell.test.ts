import { chmod, copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, beforeEach, it } from 'vitest';
import { bundle } from '../../kit/cli.ts';
import { type Entry, entryOf, kubeconfigOf } from '../../kit/contexts.ts';
import { ensureNamespace } from '../../kit/emulator/index.ts';
import { describeUnless, missingPrograms } from '../../kit/needs.ts';
import { linesRunBy } from '../../kit/shown-lines.ts';
import { stuckPod, TestCluster } from '../../kit/stuck-pods.ts';
import { noTerminal } from '../../kit/terminal.ts';
import { expectComplete, expectSaid, type Says } from './said.ts';
import { typed } from './typed.ts';

const inLists = ['billing invoice-xxxxx', 'jobs mail-1', 'jobs report-xxxxx', 'my-release test-1'];
const evidence = 'Ns main (0) sidecar sidecar-sweeper.dev/sidecars';
const scanned = [...inLists.map((pod) => `${pod} ${evidence}`), /\n4 pods listed, 4 stuck/];
const explained = (pod: string) => [
  `${pod} has been stuck for Ns on sidecar: a sweep would signal TERM`,
  'sidecar sidecar running for Ns sidecar-sweeper.dev/sidecars',
  '22 checks passed (-v lists them)',
  'sidecar: 1. signal TERM (tried on any sidecar; exit code unknown), then wait up to Ns for it to end',
];
const applied = [
  'namespace/sidecar-sweeper created',
  'clusterrolebinding.rbac.authorization.k8s.io/sidecar-sweeper created',
  'cronjob.batch/sidecar-sweeper created',
];
const ended = '1 pod was stuck: sweeps ended 1, 0 ended or went away otherwise, 0 are still stuck.';
const owners = [ended, /\njobs Pod\/report-\* 1 1 0 0 0 0$/m, /\ndocker\.io\/local\/busybox:1 1 1 0 0 0 0$/m];

const says: Says = {
  'sidecar-sweeper scan': scanned,
  'sidecar-sweeper explain jobs/report-x2k9p': explained('jobs/report-xxxxx'),
  'sidecar-sweeper': [
    ...inLists.map((pod) => `${pod} Ns sidecar 0 0 signal TERM unknown`),
    /End 4 sidecars of 4 pods in the cluster https:\S+ \(context west\)\? \[y\/N\] y/,
    ...inLists.map((pod) => `${pod} Ns sidecar stopped, exit code 0 Succeeded`),
    /\n4 pods listed, 4 stuck; sidecars: 4 Stopped in Ns/,
  ],
  'sidecar-sweeper advise': [
    ...inLists.map((pod) => `Pod ${pod.replace(' ', '/')}: 1 pod stuck for Ns`),
    'move sidecar from containers to initContainers, with restartPolicy: Always',
    'kubectl patch --local -f pod.yaml --type=json -p',
    /\n4 pods listed, 4 stuck, of 4 owners/,
  ],
  'kubectl apply -k manifests/overlays/dry-run': applied,
  'kubectl apply -k manifests/overlays/default': [
    ...applied,
    'role.rbac.authorization.k8s.io/sidecar-sweeper-lease created',
  ],
  'kubectl logs -n sidecar-sweeper -l app.kubernetes.io/name=sidecar-sweeper --tail=-1 | sidecar-sweeper advise --from -':
    [
      'Pod jobs/report-xxxxx: 1 pod stuck for Ns',
      'move sidecar from containers to initContainers, with restartPolicy: Always',
      /\n1 pod stuck, of 1 owner, in a report of \d{4}-/,
    ],
  'sidecar-sweeper scan -o name | xargs sidecar-sweeper explain': inLists.flatMap((pod) =>
    explained(pod.replace(' ', '/')),
  ),
  'sidecar-sweeper scan -n jobs -o name | xargs kubectl describe -n jobs': [
    /Name: mail-1\s+Namespace: jobs/,
    /Name: report-xxxxx\s+Namespace: jobs/,
  ],
  'kubectl annotate namespace jobs sidecar-sweeper.dev/skip=true': [/^namespace\/jobs annotated$/],
  'sidecar-sweeper explain -n jobs report-x2k9p pod/mail-1': [
    ...explained('jobs/report-xxxxx'),
    ...explained('jobs/mail-1'),
  ],
  'sidecar-sweeper explain -n jobs -l app=report': explained('jobs/report-xxxxx'),
  'sidecar-sweeper completion bash >> ~/.bashrc': [/^complete .*sidecar-sweeper$/m],
  'sidecar-sweeper completion zsh >> ~/.zshrc': [
    /^#compdef sidecar-sweeper$/m,
    /else compdef _sidecar_sweeper sidecar-sweeper; fi$/,
  ],
  'sidecar-sweeper completion fish > ~/.config/fish/completions/sidecar-sweeper.fish': [
    /^complete .*-c sidecar-sweeper\b/m,
  ],
  'sidecar-sweeper explain <namespace>/<pod> --policy policy.yaml': explained('jobs/report-xxxxx'),
  'sidecar-sweeper explain <namespace>/<pod> -o json': [
    /"kind": "PodExplanation"[\s\S]*"namespace": "jobs",\s+"name": "report-xxxxx"/,
  ],
  'sidecar-sweeper -n <namespace> --dry-run -v': [
    'jobs mail-1 Ns sidecar 0 0 signal TERM unknown',
    'jobs report-xxxxx Ns sidecar 0 0 signal TERM unknown',
    '2 pods listed, 2 stuck; sidecars: 2 NotAttempted in Ns (dry run)',
  ],
  'sidecar-sweeper check-access -n <namespace>': [
    /^this account has every permission that such a sweep needs$/m,
    'NAMESPACE VERB RESOURCE ALLOWED NEEDED FOR',
    'jobs list pods yes list, judge and prove',
    'jobs create pods/exec yes command, signal, tombstone',
    'jobs create pods/portforward yes http',
    'sidecar-sweeper update coordination.k8s.io/leases yes keep two sweeps apart',
  ],
  'sidecar-sweeper report prod/*.log staging/*.log': owners,
  'kubectl logs -n sidecar-sweeper job/sidecar-sweeper-29923200 | sidecar-sweeper report': owners,
  'sidecar-sweeper report -o markdown sweeps.log': [
    /^# What sweeps found$/m,
    ended,
    /^\| wasted \| 0 \| 0 \|$/m,
    /^\| jobs \| Pod\/report-\\\* \| 1 \| 1 \| 0 \| 0 \| 0 \| 0 \|$/m,
  ],
  "kubectl get namespace kube-system -o jsonpath='{.metadata.uid}'": [
    /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-\S{12}$/,
  ],
  'kubectl logs -n sidecar-sweeper -l app.kubernetes.io/name=sidecar-sweeper --tail=-1 | sidecar-sweeper report -o html > report.html':
    [/^<!doctype html>/, '1 pod ended by sweeps', 'report-xxxxx', /<\/html>$/],
  'sidecar-sweeper -n my-release --min-age 10s': [
    /End 1 sidecar of 1 pod in the cluster https:\S+ \(context west\)\? \[y\/N\] y/,
    'my-release test-1 Ns sidecar stopped, exit code 0 Succeeded',
    '1 pod listed, 1 stuck; sidecars: 1 Stopped in Ns',
  ],
};

describeUnless(
  noTerminal ?? missingPrograms('kubectl'),
  'what a page shows for a shell works as it stands there:',
  () => {
    let west: TestCluster;
    let east: TestCluster;
    let home: string;
    let log: string;
    beforeAll(async () => {
      const cluster = await TestCluster.start([stuckPod({ name: 'report-x2k9p', namespace: 'jobs' })]);
      log = (await cluster.run()).stdout;
      await cluster.stop();
    });
    beforeEach(async () => {
      const pods = [
        stuckPod({ name: 'report-x2k9p', namespace: 'jobs', labels: { app: 'report' } }),
        stuckPod({ name: 'mail-1', namespace: 'jobs' }),
        stuckPod({ name: 'test-1', namespace: 'my-release' }),
        stuckPod({ name: 'invoice-x2k9p', namespace: 'billing' }),
      ];
      [west, east] = await Promise.all([TestCluster.start(pods), TestCluster.start(pods)]);
      ensureNamespace(west.emulator.world, 'jobs');
      home = await mkdtemp(join(tmpdir(), 'sidecar-sweeper-shown-'));
      await prepare(home, { east: entryOf(east), west: entryOf(west) }, log);
    });
    afterEach(async () => {
      await Promise.all([west.stop(), east.stop()]);
      await rm(home, { recursive: true });
    });

    it.each(linesRunBy('shown/shell'))('%s: %s', async (_page, line) => {
      const named = line.replace('<namespace>', 'jobs').replace('<pod>', 'report-x2k9p');
      const [, file] = /> (\S+)$/.exec(named) ?? [];
      const shown = file ? `${named} && cat ${file}` : named;
      const [, result] = await typed([`cd ${home}`, shown], environment(home));
      expectSaid(says, line, result);
    });
  },
);

it('what each of them prints is known', () => {
  expectComplete(says, 'shown/shell');
});

function environment(home: string): NodeJS.ProcessEnv {
  return {
    PATH: `${join(home, 'bin')}:${process.env['PATH']}`,
    HOME: home,
    KUBECONFIG: join(home, 'config'),
  };
}

/** The home of somebody who has followed the pages: two contexts, a policy, and the logs of a sweep. */
async function prepare(home: string, clusters: Readonly<Record<string, Entry>>, log: string) {
  for (const folder of ['bin', 'prod', 'staging', '.config/fish/completions']) {
    await mkdir(join(home, folder), { recursive: true });
  }
  await writeFile(join(home, 'config'), kubeconfigOf(clusters));
  await copyFile('examples/policies/istio.yaml', join(home, 'policy.yaml'));
  for (const file of ['sweeps.log', 'prod/a.log', 'staging/b.log']) await writeFile(join(home, file), log);
  await symlink(fileURLToPath(new URL('../../../manifests', import.meta.url)), join(home, 'manifests'));
  await program(join(home, 'bin', 'sidecar-sweeper'), `exec ${process.execPath} ${bundle} "$@"`);
  // The containers here log nothing.
  await program(
    join(home, 'bin', 'kubectl'),
    `case "$1" in logs) exec cat ${home}/sweeps.log ;; esac\nPATH="\${PATH#*:}" exec kubectl "$@"`,
  );
}

async function program(file: string, script: string): Promise<void> {
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
}
