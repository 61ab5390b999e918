import * as z from 'zod';
import type { TemplateView } from '../model/ports.ts';
import { text, type Value } from '../model/schema.ts';
import { shellWord } from '../util/text.ts';

export const patchOperation = z.object({
  op: z.enum(['test', 'add', 'move']).describe('the operation'),
  path: text('the JSON Pointer that it applies to'),
  from: text('for move: the JSON Pointer to move from').optional(),
  value: z.unknown().optional().describe('for test and add: the value'),
});
export type PatchOperation = Value<typeof patchOperation>;

export interface Patched {
  /** The path of the pod template, or of the pod. */
  readonly at: string;
  /** Missing in a manifest: the API server assigns them. */
  readonly uid?: string;
  readonly generation?: number | undefined;
}

/**
 * Native sidecars go last, so that the other init containers still run to completion before them. The patch tests the name of each
 * container; where it adds the list, it tests the generation of the object, so as not to replace one that was added meanwhile.
 */
export function toNative(
  { at, uid, generation }: Patched,
  initContainers: number,
  moved: readonly { readonly name: string; readonly index: number }[],
): readonly PatchOperation[] {
  const from = `${at}/spec/containers`;
  const to = `${at}/spec/initContainers`;
  const inOrder = moved.toSorted((a, b) => a.index - b.index);
  const isFirst = initContainers === 0;
  return [
    ...testOf(uid, isFirst ? generation : undefined),
    ...(isFirst ? [{ op: 'add', path: to, value: [] } as const] : []),
    ...inOrder.flatMap(({ name, index }, before): readonly PatchOperation[] => [
      { op: 'test', path: `${from}/${index - before}/name`, value: name },
      { op: 'move', from: `${from}/${index - before}`, path: `${to}/${initContainers + before}` },
      { op: 'add', path: `${to}/${initContainers + before}/restartPolicy`, value: 'Always' },
    ]),
  ];
}

export function toAnnotated(
  { at, uid, generation }: Patched,
  { hasMetadata, annotations }: Pick<TemplateView, 'hasMetadata' | 'annotations'>,
  { key, value }: { readonly key: string; readonly value: string },
): readonly PatchOperation[] {
  const path = `${at}/metadata`;
  if (annotations !== undefined) {
    const escaped = key.replaceAll('~', '~0').replaceAll('/', '~1');
    return [...testOf(uid, undefined), { op: 'add', path: `${path}/annotations/${escaped}`, value }];
  }
  const missing = hasMetadata
    ? { path: `${path}/annotations`, value: { [key]: value } }
    : { path, value: { annotations: { [key]: value } } };
  return [...testOf(uid, generation), { op: 'add', ...missing }];
}

export function patchCommand(
  { kind, namespace, name }: { readonly kind: string; readonly namespace: string; readonly name: string },
  patch: readonly PatchOperation[],
): string {
  return `kubectl patch ${kind.toLowerCase()} ${shellWord(name)} -n ${shellWord(namespace)} ${asArgument(patch)}`;
}

/** Applies a patch to a manifest, without a cluster, and prints the result. */
export function localPatchCommand(file: string, patch: readonly PatchOperation[]): string {
  return `kubectl patch --local -f ${shellWord(file)} ${asArgument(patch)} -o yaml`;
}

function asArgument(patch: readonly PatchOperation[]): string {
  return `--type=json -p ${shellWord(JSON.stringify(patch))}`;
}

function testOf(uid: string | undefined, generation: number | undefined): readonly PatchOperation[] {
  const tests = [
    { op: 'test', path: '/metadata/uid', value: uid },
    { op: 'test', path: '/metadata/generation', value: generation },
  ] as const;
  return tests.filter(({ value }) => value !== undefined);
}
