import { describe, expect, it } from 'vitest';
import {
  isJudgedByPhase,
  killCommandKeys,
  listedUnder,
  namesIn,
  ownValue,
  sidecarListKeys,
  stepsKey,
} from '../../../src/model/annotations.ts';
import type { PodView } from '../../../src/model/pod.ts';
import { podView } from '../../builders/pod-view.ts';

it('a kill command stands under our own key or Argo’s, letter for letter', () => {
  const expected = ['sidecar-sweeper.dev/kill-cmd-istio-proxy', 'workflows.argoproj.io/kill-cmd-istio-proxy'];
  expect(killCommandKeys('istio-proxy')).toEqual(expected);
});

it('steps stand under a key of our own', () => {
  expect(stepsKey('istio-proxy')).toBe('sidecar-sweeper.dev/steps-istio-proxy');
});

it('the peers’ lists of sidecars are known by their keys', () => {
  expect(sidecarListKeys).toEqual([
    'nrmitchi.com/sidecars',
    'lemonade.com/sidecars',
    'pod.kubernetes.io/sidecars',
    'riskified.com/sidecars',
  ]);
});

// biome-ignore format: as many as fit on a line
it.each([
  ['logging', 'logging', true], ['logging,istio-proxy', 'istio-proxy', true],
  ['logging, istio-proxy', 'istio-proxy', true], [' logging\t,\nistio-proxy ', 'logging', true],
  ['logging,', 'logging', true], ['logging', 'log', false], ['logging', 'logging-2', false],
  ['Logging', 'logging', false], ['logging istio-proxy', 'logging', false],
  ['["logging"]', 'logging', false], ['*', 'logging', false], ['', 'logging', false],
])('a list of names %j: does it name %s? %s', (list, container, expected) => {
  expect(namesIn(list).includes(container)).toBe(expected);
});

it('a list annotation has the names in their order, and none if it is not there', () => {
  const annotations = { 'a/sidecars': ' logging,, istio-proxy' };
  expect(listedUnder(annotations, 'a/sidecars')).toEqual(['logging', 'istio-proxy']);
  expect(listedUnder(annotations, 'b/sidecars')).toEqual([]);
  expect(listedUnder(annotations, 'constructor')).toEqual([]);
});

describe('a value', () => {
  it('is the one under its key', () => {
    expect(ownValue({ a: '1', b: '' }, 'a')).toBe('1');
    expect(ownValue({ a: '1', b: '' }, 'b')).toBe('');
    expect(ownValue({ a: '1' }, 'A')).toBeUndefined();
  });

  it.each(['constructor', 'toString', 'hasOwnProperty', '__proto__'])(
    'called %s exists only if it was written',
    (key) => {
      expect(ownValue({}, key)).toBeUndefined();
      const written: Record<string, string> = JSON.parse(`{"${key}":"value"}`);
      expect(ownValue(written, key)).toBe('value');
    },
  );
});

it.each<readonly [title: string, Partial<PodView>, boolean]>([
  ['a task of Airflow', { labels: { kubernetes_pod_operator: 'True' } }, true],
  ['a test of Helm', { annotations: { 'helm.sh/hook': 'test' } }, true],
  ['a hook of Helm', { annotations: { 'helm.sh/hook': 'pre-install,pre-upgrade' } }, true],
  ['a hook of Argo CD', { annotations: { 'argocd.argoproj.io/hook': 'PreSync' } }, true],
  ['a task of Flyte', { annotations: { primary_container_name: 'main' } }, true],
  ['a driver of Spark', { labels: { 'spark-role': 'driver' } }, true],
  ['a task of Kestra', { labels: { 'kestra.io/taskrun-id': '4xDzvIGFHO1dEBl3dh8nQD' } }, true],
  ['a plain pod of Kueue', { labels: { 'kueue.x-k8s.io/managed': 'true' } }, true],
  ['a ProwJob', { labels: { 'prow.k8s.io/id': '7c1f' } }, true],
  ['a job of Armada', { labels: { armada_job_id: '01h' } }, true],
  ['a pod of Dagster Pipes', { labels: { 'app.kubernetes.io/part-of': 'dagster' } }, true],
  ['a job of Snakemake', { labels: { app: 'snakemake' } }, true],
  ['an executor of Spark', { labels: { 'spark-role': 'executor' } }, false],
  ['a worker of Airflow', { labels: { kubernetes_executor: 'True' } }, false],
  ['an agent of Jenkins', { labels: { jenkins: 'slave' } }, false],
  ['a pod that says it is none of Airflow', { labels: { kubernetes_pod_operator: 'False' } }, false],
  ['any other pod', {}, false],
])('a platform judges the pod by its phase: %s', (_title, pod, expected) => {
  expect(isJudgedByPhase(podView(pod))).toBe(expected);
});
