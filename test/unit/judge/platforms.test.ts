import { expect, it } from 'vitest';
import { isJudgedByPhase } from '../../../src/judge/platforms.ts';
import type { PodView } from '../../../src/model/pod.ts';
import { podView } from '../../builders/pod-view.ts';

it.each<readonly [title: string, Partial<PodView>, boolean]>([
  ['a task of Airflow', { labels: { kubernetes_pod_operator: 'True' } }, true],
  ['a test of Helm', { annotations: { 'helm.sh/hook': 'test' } }, true],
  ['a hook of Argo CD', { annotations: { 'argocd.argoproj.io/hook': 'PreSync' } }, true],
  ['a task of Flyte', { annotations: { primary_container_name: 'main' } }, true],
  ['a driver of Spark', { labels: { 'spark-role': 'driver' } }, true],
  ['a task of Kestra', { labels: { 'kestra.io/taskrun-id': '4xDzvIGFHO1dEBl3dh8nQD' } }, true],
  ['a plain pod of Kueue', { labels: { 'kueue.x-k8s.io/managed': 'true' } }, true],
  ['a ProwJob', { labels: { 'prow.k8s.io/id': '7c1f' } }, true],
  ['a job of Armada', { labels: { armada_job_id: '01h' } }, true],
  ['a pod of Dagster Pipes', { labels: { 'app.kubernetes.io/part-of': 'dagster' } }, true],
  ['a job of Snakemake', { labels: { app: 'snakemake' } }, true],
  ['a job of AWS Batch', { labels: { 'batch.amazonaws.com/job-id': 'f980f2cf' } }, true],
  ['a run of MLRun', { labels: { 'mlrun/uid': '0f1e2d3c4b5a' } }, true],
  ['a step of Woodpecker', { labels: { 'woodpecker-ci.org/step': 'build' } }, true],
  [
    'one of an older Woodpecker',
    { labels: { step: 'build' }, ref: { ...podView().ref, name: 'wp-01h5' } },
    true,
  ],
  ['a pod with the label of one', { labels: { step: 'build' } }, false],
  ['an executor of Spark', { labels: { 'spark-role': 'executor' } }, false],
  ['a worker of Airflow', { labels: { kubernetes_executor: 'True' } }, false],
  ['an agent of Jenkins', { labels: { jenkins: 'slave' } }, false],
  ['a pod that says it is none of Airflow', { labels: { kubernetes_pod_operator: 'False' } }, false],
  ['any other pod', {}, false],
])('a platform judges the pod by its phase: %s', (_title, pod, expected) => {
  expect(isJudgedByPhase(podView(pod))).toBe(expected);
});
