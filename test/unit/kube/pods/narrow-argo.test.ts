import { describe, expect, it } from 'vitest';
import type { ArgoView } from '../../../../src/model/pod.ts';
import { apiContainer, apiPod } from '../../../builders/api-pod.ts';
import { narrowed } from '../../../builders/narrowed.ts';

interface ArgoPod {
  readonly owner?: string | undefined;
  readonly label?: boolean;
  /** The value of ARGO_TEMPLATE in Argo's own containers. */
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
  it('is recognised by its owner or label, but a Job’s pod with the label belongs to the Job', () => {
    expect(argoOf({ label: false })).toBeDefined();
    expect(argoOf({ owner: 'SomethingElse' })).toBeDefined();
    expect(argoOf({ owner: 'Job' })).toBeUndefined();
    expect(argoOf({ owner: 'ReplicaSet', label: false })).toBeUndefined();
  });

  it.each<readonly [title: string, pod: ArgoPod, mains: readonly string[] | undefined]>([
    ['is `main` by default', {}, ['main']],
    [
      'is `main` with any name in the template',
      { template: '{"container":{"name":"x","image":"i"}}' },
      ['main'],
    ],
    ['is `main` of a script', { template: '{"script":{"image":"i","source":"exit 0"}}' }, ['main']],
    ['is each container of a set', { template: containerSet }, ['a', 'b']],
    [
      'is each container of a set in the annotation of older versions',
      { annotation: containerSet },
      ['a', 'b'],
    ],
    ['is in the variable rather than the annotation', { template: '{}', annotation: containerSet }, ['main']],
    ['is unknown if the template was too long for the variable', { template: '' }, undefined],
    ['is unknown if the variable has no literal value', { template: null }, undefined],
    ['is unknown if the template is not an object', { template: '["a"]' }, undefined],
    ['is no container of an empty set', { template: '{"containerSet":{}}' }, []],
    [
      'is unknown if a container of the set has no name',
      { template: '{"containerSet":{"containers":[{}]}}' },
      undefined,
    ],
    ['is `main` if the set is null', { template: '{"containerSet":null}' }, ['main']],
  ])('its main container %s', (_title, pod, mains) => {
    expect(argoOf(pod)).toEqual({ mains });
  });

  it('does not keep the template, which can be 128 KiB in each container', () => {
    const env = [
      { name: 'ARGO_TEMPLATE', value: containerSet },
      { name: 'ARGO_CONTAINER_NAME', value: 'main' },
    ];
    const pod = narrowed(apiPod({ spec: { containers: [apiContainer('main', { env })] } }));
    expect(pod.containers[0]?.env).toEqual({ ARGO_CONTAINER_NAME: 'main' });
  });
});
