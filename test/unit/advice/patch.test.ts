import jsonPatch from 'fast-json-patch';
import { describe, expect, it } from 'vitest';
import {
  localPatchCommand,
  type PatchOperation,
  patchCommand,
  toAnnotated,
  toNative,
} from '../../../src/advice/patch.ts';

const at = '/template';
const stored = { at, uid: 'u', generation: 3 };

function applied(object: object, patch: readonly PatchOperation[]): Record<string, unknown> {
  const operations = JSON.parse(JSON.stringify(patch));
  return jsonPatch.applyPatch(structuredClone(object), operations, true).newDocument as Record<
    string,
    unknown
  >;
}

function object(containers: readonly string[], initContainers?: readonly string[], generation = 3) {
  const named = (names: readonly string[]) => names.map((name) => ({ name, image: `${name}:1` }));
  const spec = {
    containers: named(containers),
    ...(initContainers && { initContainers: named(initContainers) }),
  };
  return { metadata: { uid: 'u', generation }, template: { spec } };
}

describe('a patch that makes containers native sidecars', () => {
  const moved = [
    { name: 'c', index: 2 },
    { name: 'a', index: 0 },
  ];

  it('moves each behind the init containers, with all that it has, in the order that they had', () => {
    const result = applied(object(['a', 'main', 'c'], ['init']), toNative(stored, 1, moved));
    const { containers, initContainers = [] } = object(['main'], ['init', 'a', 'c']).template.spec;
    const [init, ...others] = initContainers;
    const natives = others.map((one) => ({ ...one, restartPolicy: 'Always' }));
    expect(result['template']).toEqual({ spec: { containers, initContainers: [init, ...natives] } });
  });

  it('makes the list of init containers if there is none', () => {
    const result = applied(object(['a', 'main', 'c']), toNative(stored, 0, moved));
    expect(result['template']).toMatchObject({ spec: { initContainers: [{ name: 'a' }, { name: 'c' }] } });
  });

  it.each([
    ['another object has its name', { ...object(['a', 'main', 'c'], ['init']), metadata: { uid: 'v' } }, 1],
    ['the containers have another order by now', object(['main', 'a', 'c'], ['init']), 1],
    ['there are init containers by now', object(['a', 'main', 'c'], ['init'], 4), 0],
  ])('changes nothing if %s', (_title, current, initContainers) => {
    expect(() => applied(current, toNative(stored, initContainers, moved))).toThrow();
  });
});

describe('a patch that sets an annotation', () => {
  const set = { key: 'acme.io/a~b', value: 'true' };
  const withMetadata = (metadata?: object) => {
    return { ...object([]), template: { ...(metadata && { metadata }) } };
  };

  it.each([
    ['beside others', { annotations: { other: '1' } }, { hasMetadata: true, annotations: { other: '1' } }],
    ['as the first one', {}, { hasMetadata: true, annotations: undefined }],
    ['where there is no metadata', undefined, { hasMetadata: false, annotations: undefined }],
  ])('%s', (_title, metadata, view) => {
    const result = applied(withMetadata(metadata), toAnnotated(stored, view, set));
    const expected = { metadata: { annotations: { ...view.annotations, 'acme.io/a~b': 'true' } } };
    expect(result['template']).toMatchObject(expected);
  });

  it('overwrites no annotations that are new', () => {
    const current = { ...object([], [], 4), template: { metadata: { annotations: { new: '1' } } } };
    const patch = toAnnotated(stored, { hasMetadata: true, annotations: undefined }, set);
    expect(() => applied(current, patch)).toThrow();
  });
});

describe('a command', () => {
  const patch = [{ op: 'add', path: '/a', value: "it's" }] as const;

  it('is one that a shell takes as it is written', () => {
    expect(patchCommand({ kind: 'CronJob', namespace: 'demo', name: 'report' }, patch)).toBe(
      `kubectl patch cronjob report -n demo --type=json -p '[{"op":"add","path":"/a","value":"it'\\''s"}]'`,
    );
    expect(localPatchCommand('pod.yaml', patch)).toMatch(/^kubectl patch --local -f pod\.yaml .* -o yaml$/);
  });

  it('quotes what Kubernetes would not allow as a name', () => {
    const odd = patchCommand({ kind: 'CronJob', namespace: 'a b', name: '$(reboot)' }, []);
    expect(odd).toBe(`kubectl patch cronjob '$(reboot)' -n 'a b' --type=json -p '[]'`);
  });
});
