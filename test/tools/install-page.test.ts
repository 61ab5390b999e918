import { chmod, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { InstalledCluster, whyNotInCluster } from '../../scripts/demo/installed-cluster.ts';
import { normalise } from '../../scripts/demo/readme.ts';
import { bundle } from '../kit/cli.ts';
import { members } from '../kit/emulator/index.ts';
import { describeUnless } from '../kit/needs.ts';
import { temporaryFolder } from '../kit/started.ts';
import { noTerminal } from '../kit/terminal.ts';
import { type Typed, typed } from '../kit/typed.ts';
import { cannotRender } from './manifests/render.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const page = await readFile(join(root, 'docs/install.md'), 'utf8');

/** What each line of the page prints, with one space between columns and `Ns` for every time. */
const says: Readonly<Record<string, readonly (string | RegExp)[]>> = {
  'kubectl apply -k sweeper': [
    'namespace/sidecar-sweeper created',
    'clusterrolebinding.rbac.authorization.k8s.io/sidecar-sweeper created',
    'cronjob.batch/sidecar-sweeper created',
  ],
  'kubectl -n sidecar-sweeper create job first --from=cronjob/sidecar-sweeper': [
    /^job\.batch\/first created$/m,
  ],
  'kubectl -n sidecar-sweeper wait --for=condition=complete job/first': [
    /^job\.batch\/first condition met$/m,
  ],
  'kubectl -n sidecar-sweeper describe pod -l job-name=first': [
    'Name: first-xxxxx',
    /Message: exit code 0\s+2 pods listed, 1 stuck\. It took Ns \(dry run: nothing was sent\)\./,
  ],
  'kubectl -n sidecar-sweeper logs job/first | sidecar-sweeper report merge': [
    /^1 istio-proxy .* refused Job active .*billing\/invoice-mail-xxxxx$/m,
    /^ needs get, create on pods\/portforward/m,
    /^2 pods listed, 1 stuck\. It took Ns \(dry run: nothing was sent\)\.$/m,
  ],
  'kubectl apply -k manifests/policies': [
    'validatingadmissionpolicy.admissionregistration.k8s.io/sidecar-sweeper-kill-commands created',
    'validatingadmissionpolicybinding.admissionregistration.k8s.io/sidecar-sweeper-kill-commands created',
  ],
};
const lines = Object.keys(says);

describeUnless(
  cannotRender ?? noTerminal ?? whyNotInCluster(),
  'docs/install.md leads to a first report:',
  () => {
    let cluster: InstalledCluster;
    const folder = temporaryFolder('install');
    let results: readonly Typed[];
    beforeAll(async () => {
      cluster = await InstalledCluster.start(members.filter(({ name }) => name === 'invoice-mail'));
      await prepare(folder);
      const [, ...ran] = await typed(
        [`cd ${folder} && PATH=${folder}/bin:$PATH`, ...lines.map(inJson)],
        cluster.env,
      );
      results = ran;
    });
    afterAll(async () => {
      await cluster?.stop();
    });

    it.each(lines.map((line, index) => [line, index] as const))('%s', (line, index) => {
      expect(page).toContain(line);
      for (const row of says[line] ?? []) expect(normalise(results[index]?.text ?? '')).toMatch(row);
      expect(results[index]?.exitCode).toBe(0);
    });
  },
);

/** kubectl creates Jobs in protobuf, of which the emulator does not read all kinds. */
function inJson(line: string): string {
  return line.includes(' create job ') ? `${line} --dry-run=client -o yaml | kubectl apply -f -` : line;
}

/** The folder in which the page is followed: the manifests, the overlay that it shows, and the command. */
async function prepare(folder: string): Promise<void> {
  const [, overlay = ''] = /^```yaml\n([\s\S]*?)^```$/m.exec(page) ?? [];
  await cp(join(root, 'manifests'), join(folder, 'manifests'), {
    recursive: true,
  });
  for (const name of ['sweeper', 'bin']) await mkdir(join(folder, name));
  // The emulator pulls nothing: it knows the image by the name in the manifests.
  const known = overlay.replace(/newName: .*/, 'newName: registry.example.com/sidecar-sweeper');
  await writeFile(join(folder, 'sweeper', 'kustomization.yaml'), known);
  const program = join(folder, 'bin', 'sidecar-sweeper');
  await writeFile(program, `#!/bin/sh\nexec ${process.execPath} ${bundle} "$@"\n`);
  await chmod(program, 0o755);
}
