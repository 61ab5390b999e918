import { apiContainer, apiPod, apiStatus } from '../../builders/api-pod.ts';

type Json = Readonly<Record<string, unknown>>;

/** One pod of a platform, by the first cell of its row in the recipe. Labels, owners and names are those of the platform's source. */
interface PlatformPod {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly owner?: { readonly apiVersion: string; readonly kind: string };
  /** Its containers, in order: an exit code, or `running`. */
  readonly containers: Readonly<Record<string, number | 'running'>>;
  readonly images?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly template?: readonly string[];
  readonly withPolicy?: true;
}

const istio = {
  annotations: { 'sidecar.istio.io/status': '{"containers":["istio-proxy"]}' },
  images: { 'istio-proxy': 'docker.io/istio/proxyv2:1.22.0' },
};
const job = { apiVersion: 'batch/v1', kind: 'Job' };
const workflow = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Workflow' };
const taskRun = { apiVersion: 'tekton.dev/v1', kind: 'TaskRun' };
const runner = { apiVersion: 'actions.github.com/v1alpha1', kind: 'EphemeralRunner' };
const run = { dag_id: 'dag', task_id: 'task', run_id: 'test', try_number: '1' };
const task = { labels: { ...run, kubernetes_pod_operator: 'True' } };
const trial = {
  ...istio,
  owner: job,
  labels: { 'katib.kubeflow.org/trial': 'trial' },
  template: ['training'],
};
const driver = { labels: { 'spark-role': 'driver', 'spark-app-selector': 'spark-1' } };
const argo = { owner: workflow, env: { ARGO_TEMPLATE: '{"name":"step","container":{}}' } };
const tekton = { owner: taskRun, labels: { 'app.kubernetes.io/managed-by': 'tekton-pipelines' } };
const agent = { labels: { jenkins: 'slave' } };

// biome-ignore format: one row a line
export const platformPods: Readonly<Record<string, Readonly<Record<string, PlatformPod>>>> = {
  'Jobs and CronJobs': {
    'its proxy was injected': { ...istio, owner: job, containers: { main: 0, 'istio-proxy': 'running' }, template: ['main'] },
    'a webhook added an unknown container': { owner: job, containers: { main: 0, 'acme-tracer': 'running' }, template: ['main'] },
    'its own template has the proxy': {
      owner: job,
      containers: { main: 0, 'cloud-sql-proxy': 'running' },
      images: { 'cloud-sql-proxy': 'gcr.io/cloud-sql-connectors/cloud-sql-proxy:2.11.0' },
      template: ['main', 'cloud-sql-proxy'],
    },
    'its own template has an unknown container': { owner: job, containers: { main: 0, 'log-shipper': 'running' }, template: ['main', 'log-shipper'] },
    'the same, named in an annotation': {
      owner: job,
      annotations: { 'sidecar-sweeper.dev/sidecars': 'log-shipper' },
      containers: { main: 0, 'log-shipper': 'running' },
      template: ['main', 'log-shipper'],
    },
    'the same in a Job that an operator created, with the policy below': {
      owner: job,
      labels: { 'app.kubernetes.io/managed-by': 'backup-operator' },
      containers: { main: 0, 'log-shipper': 'running' },
      template: ['main', 'log-shipper'],
      withPolicy: true,
    },
  },
  'Helm tests and hooks': {
    'a test, with an injected proxy': {
      annotations: { ...istio.annotations, 'helm.sh/hook': 'test' },
      images: istio.images,
      containers: { wget: 0, 'istio-proxy': 'running' },
    },
    'a hook that is a Job, with an injected proxy': { ...istio, owner: job, containers: { migrate: 0, 'istio-proxy': 'running' }, template: ['migrate'] },
    'a test that is still running': {
      annotations: { ...istio.annotations, 'helm.sh/hook': 'test' },
      images: istio.images,
      containers: { wget: 'running', 'istio-proxy': 'running' },
    },
  },
  Airflow: {
    'the task has ended, its proxy was injected': { ...task, ...istio, containers: { base: 0, 'istio-proxy': 'running' } },
    'the task has ended, its result was not read yet': { ...task, ...istio, containers: { base: 0, 'airflow-xcom-sidecar': 'running', 'istio-proxy': 'running' } },
    'the task has ended, its result was read': { ...task, ...istio, containers: { base: 0, 'airflow-xcom-sidecar': 0, 'istio-proxy': 'running' } },
    'the task has ended, gcsfuse still runs': {
      ...task,
      containers: { base: 0, 'gke-gcsfuse-sidecar': 'running' },
      images: { 'gke-gcsfuse-sidecar': 'gke.gcr.io/gcs-fuse-csi-driver-sidecar-mounter:v1.4.1' },
    },
    'a sidecar of your own, in `full_pod_spec`': { ...task, containers: { base: 0, sidecar: 'running' } },
    'the same, with the policy below': { ...task, containers: { base: 0, sidecar: 'running' }, withPolicy: true },
    'a worker of the KubernetesExecutor, with git-sync and vector': {
      labels: { kubernetes_executor: 'True' },
      containers: { base: 0, 'git-sync': 'running', vector: 'running' },
      images: {
        'git-sync': 'registry.k8s.io/git-sync/git-sync:v4.4.0',
        vector: 'docker.io/timberio/vector:0.50.0-debian',
      },
    },
  },
  Spark: {
    'a driver that has ended, with an injected proxy': {
      ...driver,
      ...istio,
      owner: { apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'SparkApplication' },
      containers: { 'spark-kubernetes-driver': 0, 'istio-proxy': 'running' },
    },
    'a driver that is at work': { ...driver, ...istio, containers: { 'spark-kubernetes-driver': 'running', 'istio-proxy': 'running' } },
    'an executor that has ended, with an injected proxy': {
      ...istio,
      labels: { 'spark-role': 'executor' },
      owner: { apiVersion: 'v1', kind: 'Pod' },
      containers: { 'spark-kubernetes-executor': 0, 'istio-proxy': 'running' },
    },
    'a driver with a sidecar of your own': { ...driver, containers: { 'spark-kubernetes-driver': 0, 'log-shipper': 'running' } },
  },
  Katib: {
    'the training has ended, the collector waits for the proxy': {
      ...trial,
      containers: { training: 0, 'metrics-logger-and-collector': 'running', 'istio-proxy': 'running' },
    },
    'the same, with `waitAllProcesses: false`: the collector has ended': {
      ...trial,
      containers: { training: 0, 'metrics-logger-and-collector': 0, 'istio-proxy': 'running' },
    },
  },
  'Argo Workflows': {
    'a step that has ended, with an injected proxy': { ...istio, ...argo, containers: { main: 0, wait: 0, 'istio-proxy': 'running' } },
    'the same, while its outputs are saved': { ...istio, ...argo, containers: { main: 0, wait: 'running', 'istio-proxy': 'running' } },
    'a pod that deletes artifacts (`artifactGC`), with an injected proxy': {
      ...istio,
      owner: { apiVersion: 'argoproj.io/v1alpha1', kind: 'WorkflowArtifactGCTask' },
      labels: { 'workflows.argoproj.io/component': 'artifact-gc' },
      env: { ARGO_TEMPLATE: '{}' },
      containers: { main: 0, 'istio-proxy': 'running' },
    },
    'a sidecar of the template': { ...argo, containers: { main: 0, wait: 0, nginx: 'running' } },
    'a step with a kill command': {
      ...argo,
      annotations: { 'workflows.argoproj.io/kill-cmd-vault-agent': '["sh","-c","kill -%d 1"]' },
      containers: { main: 0, wait: 0, 'vault-agent': 'running' },
    },
  },
  Tekton: {
    'the steps have ended, a proxy was injected': { ...istio, ...tekton, containers: { 'step-build': 0, 'istio-proxy': 'running' } },
    'the steps have ended, a sidecar of the Task still runs': { ...tekton, containers: { 'step-build': 0, 'sidecar-database': 'running' } },
    'one of two steps has ended': { ...istio, ...tekton, containers: { 'step-build': 0, 'step-push': 'running', 'istio-proxy': 'running' } },
  },
  'CI runners': {
    'GitLab: `build` and `helper` wait for the runner': { ...istio, containers: { build: 'running', helper: 'running', 'istio-proxy': 'running' } },
    'GitLab: both have ended, a proxy was injected': { ...istio, containers: { build: 0, helper: 0, 'istio-proxy': 'running' } },
    'GitLab: both have ended, a service still runs': { containers: { build: 0, helper: 0, 'svc-0': 'running' }, images: { 'svc-0': 'docker.io/library/postgres:16' } },
    'GitLab: the same, with the annotation below': {
      annotations: { 'sidecar-sweeper.dev/main': 'build,helper' },
      containers: { build: 0, helper: 0, 'svc-0': 'running' },
      images: { 'svc-0': 'docker.io/library/postgres:16' },
    },
    'GitHub: the runner has ended, a proxy was injected': { ...istio, owner: runner, containers: { runner: 0, 'istio-proxy': 'running' } },
    'GitHub: the runner has ended, `dind` still runs': { owner: runner, containers: { runner: 0, dind: 'running' }, images: { dind: 'docker.io/library/docker:dind' } },
    'Jenkins: `jnlp` has ended, the build’s container sleeps': { ...agent, containers: { jnlp: 0, maven: 'running' } },
    'Jenkins: all have ended, a proxy was injected': { ...istio, ...agent, containers: { jnlp: 0, maven: 0, 'istio-proxy': 'running' } },
  },
};

/** The pod as the API would show it. Its containers have ended an hour ago. */
export function apiPodOf({ labels, annotations, owner, containers, images, env }: PlatformPod): Json {
  const names = Object.keys(containers);
  return apiPod({
    metadata: {
      labels,
      annotations,
      ...(owner && { ownerReferences: [{ ...owner, name: 'owner', uid: 'owner-uid', controller: true }] }),
    },
    spec: {
      containers: names.map((name) =>
        apiContainer(name, {
          ...(images?.[name] && { image: images[name] }),
          env: Object.entries(env ?? {}).map(([key, value]) => ({ name: key, value })),
        }),
      ),
    },
    status: {
      containerStatuses: Object.entries(containers).map(([name, state]) =>
        apiStatus(name, state === 'running' ? running : ended(state)),
      ),
    },
  });
}

const running = { running: { startedAt: '2026-11-21T02:00:00Z' } };

function ended(exitCode: number): Json {
  return { terminated: { exitCode, reason: 'Completed', finishedAt: '2026-11-21T03:00:00Z' } };
}
