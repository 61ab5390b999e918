import { describe, expect, it } from 'vitest';
import type { ArgoView } from '../../../src/vocabulary.ts';
import { apiContainer, apiPod } from '../../builders/api-pod.ts';
import { narrowed } from '../../builders/narrowed.ts';

interface ArgoPod {
  readonly owner?: string | undefined;
  readonly label?: boolean;
  /** What stands in ARGO_TEMPLATE, in the containers of Argo's own. */
  readonly template?: unknown;
  readonly annotation?: string;
}

function argoOf({ owner = 'Workflow', label = true, template, annotation }: ArgoPod): ArgoView | undefined {
  const env = template === undefined ? [] : [{ name: 'ARGO_TEMPLATE', value: template }];
  const pod = apiPod({
    metadata: {
      labels: label ? { 'workflows.argoproj.io/workflow': 'w' } : {},
      annotations: annotation === undefined ? {} : { 'workflows.argoproj.io/template': annotation },
      ownerReferences: [{ kind: owner, name: 'w', uid: 'u', controller: true }],
    },
    spec: {
      initContainers: [apiContainer('init', { env })],
      containers: [apiContainer('main'), apiContainer('sidecar')],
    },
  });
  return narrowed(pod).argo;
}

const containerSet = JSON.stringify({
  name: 't',
  containerSet: { containers: [{ name: 'a' }, { name: 'b' }] },
});

describe('a pod of Argo Workflows', () => {
  it('is known by its owner or its label, but a Job’s pod that carries the label is the Job’s', () => {
    expect(argoOf({ label: false })).toBeDefined();
    expect(argoOf({ owner: 'SomethingElse' })).toBeDefined();
    expect(argoOf({ owner: 'Job' })).toBeUndefined();
    expect(argoOf({ owner: 'ReplicaSet', label: false })).toBeUndefined();
  });

  it.each<readonly [title: string, pod: ArgoPod, mains: readonly string[] | undefined]>([
    ['is `main` unless a template says otherwise', {}, ['main']],
    [
      'is `main` whatever the template calls it',
      { template: '{"container":{"name":"x","image":"i"}}' },
      ['main'],
    ],
    ['is `main` of a script too', { template: '{"script":{"image":"i","source":"exit 0"}}' }, ['main']],
    ['is each of a set', { template: containerSet }, ['a', 'b']],
    ['is each of a set, by the annotation of older versions', { annotation: containerSet }, ['a', 'b']],
    ['comes from the variable before the annotation', { template: '{}', annotation: containerSet }, ['main']],
    ['is not known when the template was too long for the variable', { template: '' }, undefined],
    ['is not known when the variable has its value from elsewhere', { template: null }, undefined],
    ['is not known when the template is no object', { template: '["a"]' }, undefined],
    ['is nobody of an empty set', { template: '{"containerSet":{}}' }, []],
    [
      'is not known when a container of the set has no name',
      { template: '{"containerSet":{"containers":[{}]}}' },
      undefined,
    ],
    ['is `main` when the set is none', { template: '{"containerSet":null}' }, ['main']],
  ])('what does its work %s', (_title, pod, mains) => {
    expect(argoOf(pod)).toEqual({ mains });
  });

  it('does not keep the template, which can be 128 KiB in each of its containers', () => {
    const env = [
      { name: 'ARGO_TEMPLATE', value: containerSet },
      { name: 'ARGO_CONTAINER_NAME', value: 'main' },
    ];
    const pod = narrowed(apiPod({ spec: { containers: [apiContainer('main', { env })] } }));
    expect(pod.containers[0]?.env).toEqual({ ARGO_CONTAINER_NAME: 'main' });
  });
});
