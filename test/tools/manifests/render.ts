import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { missingPrograms } from '../../kit/needs.ts';

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly [field: string]: unknown;
}

export const cannotRender = missingPrograms('kubectl');

const manifests = fileURLToPath(new URL('../../../manifests', import.meta.url));

/** The overlays or components, for example `overlays/sweep`. */
export function foldersOf(kind: 'overlays' | 'components'): readonly string[] {
  return readdirSync(`${manifests}/${kind}`)
    .filter((name) => !name.startsWith('.'))
    .map((name) => `${kind}/${name}`);
}

export function folder(name: string): string {
  return `${manifests}/${name}`;
}

/** Renders what `kubectl apply -k` would apply. */
export async function render(name: string): Promise<readonly Manifest[]> {
  const documents = parseAllDocuments(await runKubectl(['kustomize', folder(name)]));
  return documents.map((document) => document.toJS());
}

/** Renders a kustomization that is not in manifests, with paths as in an overlay. */
export async function renderFile(kustomization: string): Promise<readonly Manifest[]> {
  const beside = await mkdtemp(folder('overlays/.test-'));
  try {
    await writeFile(join(beside, 'kustomization.yaml'), kustomization);
    return await render(`overlays/${basename(beside)}`);
  } finally {
    await rm(beside, { recursive: true });
  }
}

/** `sweep` with image swaps, as docs/install.md says to add them. */
export const withSwaps = 'resources: [../sweep]\ncomponents: [../../components/image-swap]\n';

export async function runKubectl(argv: readonly string[], input = ''): Promise<string> {
  const running = promisify(execFile)('kubectl', [...argv]);
  running.child.stdin?.end(input);
  return (await running).stdout;
}

/** The only object of a kind, or the one with this name. */
export function find(objects: readonly Manifest[], kind: string, name?: string): Manifest {
  const found = objects.filter(
    (each) => each.kind === kind && (name ?? each.metadata.name) === each.metadata.name,
  );
  const [first] = found;
  if (!first || found.length > 1) throw new Error(`${found.length} objects are a ${kind} ${name ?? ''}`);
  return first;
}

/** What the only CronJob among these objects runs. */
export function jobIn(objects: readonly Manifest[]) {
  return Object(find(objects, 'CronJob')).spec.jobTemplate.spec;
}

export function containerIn(objects: readonly Manifest[]) {
  return jobIn(objects).template.spec.containers[0];
}
