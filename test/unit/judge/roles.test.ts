import { describe, expect, it } from 'vitest';
import { assignRoles, evidenceIn } from '../../../src/judge/roles.ts';
import { stepSpec } from '../../../src/methods/index.ts';
import type { ContainerView, PodView } from '../../../src/model/pod.ts';
import type { Facts } from '../../../src/model/reading.ts';
import type { Policy } from '../../../src/policy/policy.ts';
import type { Rule } from '../../../src/policy/rules.ts';
import { jobView } from '../../builders/job.ts';
import { container, exited, podView, running, waiting } from '../../builders/pod-view.ts';
import { noFacts, policy } from '../../builders/policy.ts';

interface Situation {
  readonly pod?: Partial<PodView>;
  readonly containers?: readonly (string | ContainerView)[];
  readonly annotations?: Readonly<Record<string, string>>;
  readonly policy?: Partial<Policy>;
  readonly template?: readonly string[];
}

/** A pod without evidence, by default with `main` and `sidecar`. */
function podIn({ pod, containers = ['main', 'sidecar'], annotations = {} }: Situation): PodView {
  const views = containers.map((one) => (typeof one === 'string' ? container(one, running) : one));
  return podView({ annotations, containers: views, ...pod });
}

function knownIn({ template, policy: more }: Situation) {
  const uid = podView().owner?.uid ?? '';
  const facts: Facts = {
    ...noFacts,
    templates: new Map(template ? [[uid, jobView({ containers: template })]] : []),
  };
  return { policy: policy(more), facts };
}

/** Tests the roles in situations, such as `main: unknown, sidecar: Sidecar Annotation`. */
function roles(...rows: readonly (readonly [title: string, expected: string, situation: Situation])[]): void {
  it.each(rows)('%s', (_title, expected, situation) => {
    const judged = assignRoles(podIn(situation), knownIn(situation)).map(
      ({ container, role, because: { kind } }) =>
        `${container.name}: ${kind === 'NoEvidence' && role === 'Main' ? 'unknown' : `${role} ${kind}`}`,
    );
    expect(judged.join(', ')).toBe(expected);
  });
}

const istio = container('istio-proxy', running, { image: 'docker.io/istio/proxyv2:1.27.0' });
const cloudSqlProxy = container('cloud-sql-proxy', running, {
  image: 'gcr.io/cloud-sql-connectors/cloud-sql-proxy:2.18.2',
});
const own = { main: 'sidecar-sweeper.dev/main', sidecars: 'sidecar-sweeper.dev/sidecars' };
const riskified = 'riskified.com/main_sidecars';
const nrmitchi = 'nrmitchi.com/sidecars';
const defaultContainer = 'kubectl.kubernetes.io/default-container';

describe('without evidence', () => {
  // biome-ignore format: one row a line
  roles(
    ['every container is a main', 'main: unknown, sidecar: unknown', {}],
    ['a missing annotation names no container', 'undefined: unknown, constructor: unknown, : unknown',
      { containers: ['undefined', 'constructor', ''] }],
  );
});

describe('the sweeper’s annotations', () => {
  // biome-ignore format: one row a line
  roles(
    ['name sidecars, whatever else they name', 'main: unknown, sidecar: Sidecar Annotation',
      { annotations: { [own.sidecars]: ' unknown ,, sidecar\n,' } }],
    ['name mains, which makes all others sidecars', 'main: Main Annotation, a: Sidecar NotListedAsMain',
      { annotations: { [own.main]: 'main' }, containers: ['main', 'a'] }],
    ['make no container a sidecar if a main is misspelt', 'main: Main Annotation, helper: unknown',
      { annotations: { [own.main]: 'main,hepler' }, containers: ['main', 'helper'] }],
    ...['', ' ', ','].map((list) => [`have no effect if the list of mains is "${list}"`, 'main: unknown, sidecar: unknown',
      { annotations: { [own.main]: list } }] as const),
    ['leave others to other evidence if both lists exist', 'main: Main Annotation, third: unknown',
      { annotations: { [own.main]: 'main', [own.sidecars]: 'none' }, containers: ['main', 'third'] }],
    ['make a container in both lists a main', 'main: Main Annotation, sidecar: Sidecar Annotation',
      { annotations: { [own.main]: 'main', [own.sidecars]: 'main,sidecar' } }],
    ['take precedence over all other evidence', 'main: Main Annotation, istio-proxy: Main Annotation',
      { annotations: { [own.main]: 'istio-proxy,main', [nrmitchi]: 'istio-proxy', 'sidecar.istio.io/status': '{"containers":["istio-proxy"]}',
        'workflows.argoproj.io/kill-cmd-istio-proxy': '["true"]' }, containers: ['main', istio], template: ['main'] }],
  );
});

describe('the annotations of k8s-controller-sidecars and its forks', () => {
  // biome-ignore format: one row a line
  roles(
    ...[nrmitchi, 'lemonade.com/sidecars', 'pod.kubernetes.io/sidecars', 'riskified.com/sidecars'].map((key) => [`${key} lists sidecars`,
      'main: unknown, sidecar: Sidecar Annotation',
      { annotations: { [key]: 'other, sidecar' } }] as const),
    ['list mains, too', 'main: Main Annotation, sidecar: Sidecar NotListedAsMain', { annotations: { [riskified]: 'main' } }],
    ['have no effect on others if the main is misspelt', 'main: unknown, sidecar: unknown', { annotations: { [riskified]: 'mian' } }],
    ['make a container in both lists a main', 'main: Main Annotation, sidecar: Main Annotation',
      { annotations: { [nrmitchi]: 'main', [riskified]: 'main,sidecar' } }],
    ['yield to the sweeper’s own', 'main: Sidecar Annotation, sidecar: Sidecar Annotation',
      { annotations: { [own.sidecars]: 'main', [riskified]: 'main', [nrmitchi]: 'sidecar' } }],
  );
});

describe('OpenKruise', () => {
  const variable = 'KRUISE_TERMINATE_SIDECAR_WHEN_JOB_EXIT';
  const withEnv = (env: ContainerView['env']) => ({ containers: [container('sidecar', running, { env })] });

  // biome-ignore format: one row a line
  roles(
    ...['true', 'True', 'TRUE'].map((value) => [`marks a sidecar with ${value}`, 'sidecar: Sidecar Variable',
      withEnv({ [variable]: value })] as const),
    ...['false', '', '1', 'yes'].map((value) => [`marks no sidecar with "${value}"`, 'sidecar: unknown',
      withEnv({ [variable]: value })] as const),
  );
  const withImage = (image: string) => withEnv({ [`${variable}_WITH_IMAGE`]: image });
  // biome-ignore format: one row a line
  roles(
    ['marks a sidecar with an image to swap in', 'sidecar: Sidecar Variable', withImage('acme/exit:1')],
    ['but not with an empty one', 'sidecar: unknown', withImage('')],
    ['takes precedence over the default container', 'sidecar: Sidecar Variable',
      { ...withEnv({ [variable]: 'true' }), annotations: { [defaultContainer]: 'sidecar' } }],
  );
});

const wrapped = (name: string, dependencies?: string, process = `${name}-process`) =>
  container(name, running, {
    env: { KUBEXIT_NAME: process, ...(dependencies !== undefined && { KUBEXIT_DEATH_DEPS: dependencies }) },
  });

describe('kubexit', () => {
  // biome-ignore format: one row a line
  roles(
    ['makes a container with death dependencies a sidecar, and its dependencies mains',
      'main: Main Variable, sidecar: Sidecar Variable, other: unknown',
      { containers: [wrapped('main'), wrapped('sidecar', 'main-process'), wrapped('other')] }],
    ['may have a chain of sidecars', 'main: Main Variable, a: Sidecar Variable, b: Sidecar Variable',
      { containers: [wrapped('main'), wrapped('a', 'main-process'), wrapped('b', ' a-process, x')] }],
    ['gives no evidence for processes that depend on each other', 'a: unknown, b: unknown',
      { containers: [wrapped('a', 'b-process'), wrapped('b', 'a-process')] }],
    ['gives none for one that waits for such a cycle, unless another process ends it',
      'a: unknown, b: unknown, c: unknown, d: Sidecar Variable, e: Sidecar Variable, f: Sidecar Variable, g: Main Variable',
      { containers: [wrapped('a', 'b-process'), wrapped('b', 'a-process'), wrapped('c', 'a-process'),
        wrapped('d', 'e-process,g-process'), wrapped('e', 'f-process'), wrapped('f', 'd-process'), wrapped('g')] }],
    ['makes no main of a name that a waiting process has as well',
      'a: unknown, b: unknown, c: unknown',
      { containers: [wrapped('a'), wrapped('b', 'a-process', 'a-process'), wrapped('c', 'a-process')] }],
    ['ignores empty lists', 'main: unknown, a: unknown, b: unknown',
      { containers: [wrapped('main'), wrapped('a', ''), wrapped('b', ' , ')] }],
    ['has no dependency without a process name', 'nameless: unknown, sidecar: Sidecar Variable',
      { containers: [wrapped('nameless', undefined, ''), wrapped('sidecar', 'x')] }],
    ['makes a nameless container with dependencies a sidecar', 'a: Sidecar Variable, main: unknown',
      { containers: [container('a', running, { env: { KUBEXIT_DEATH_DEPS: 'x' } }), wrapped('main')] }],
  );
});

describe('Istio', () => {
  const mesh = container('istio-proxy', running, { image: 'acme/mesh:1' });
  const withStatus = (status: string) => {
    return { annotations: { 'sidecar.istio.io/status': status }, containers: ['main', mesh] };
  };
  // biome-ignore format: one row a line
  roles(
    ['lists injected sidecars in its status, with any image', 'main: unknown, istio-proxy: Sidecar InjectionStatus',
      withStatus('{"initContainers":["istio-init"],"containers":["istio-proxy"],"revision":"default"}')],
    ...['{"initContainers":["istio-proxy"],"containers":null}', '{"initContainers":["istio-init"]}', 'injected', '["istio-proxy"]', 'null', '7',
      '{"containers":"istio-proxy"}', '{"containers":[{"name":"istio-proxy"}]}'].map((status) => [`gives no evidence by ${status}`,
        'main: unknown, istio-proxy: unknown',
      withStatus(status)] as const),
  );

  // As in istio/istio, pkg/kube/inject/testdata/inject: grpc-agent, custom-template, hello-proxy-override.
  const inTemplates = (names: readonly string[], overrides?: string) => ({
    annotations: {
      'sidecar.istio.io/status': JSON.stringify({ initContainers: null, containers: names }),
      ...(overrides !== undefined && { 'proxy.istio.io/overrides': overrides }),
    },
    containers: ['work', mesh],
  });
  const overridesOf = (name: string) =>
    JSON.stringify({ containers: [{ name, image: 'acme/batch:1', resources: {} }] });
  const both = ['work', 'istio-proxy'];
  const onlyProxy = 'work: unknown, istio-proxy: Sidecar InjectionStatus';
  const onlyWork = 'work: Sidecar InjectionStatus, istio-proxy: unknown';

  // biome-ignore format: one row a line
  roles(
    ['also lists containers that it only changed', onlyProxy, inTemplates(both, overridesOf('work'))],
    ['even without a proxy', 'work: unknown, istio-proxy: unknown', inTemplates(['work'], overridesOf('work'))],
    ['may have changed the proxy as its owner asked', onlyProxy, inTemplates(['istio-proxy'], overridesOf('istio-proxy'))],
    ['adds other containers by templates of operators', onlyWork, inTemplates(['work'])],
    ['beside others that it changed', onlyWork, inTemplates(['work'], overridesOf('traffic'))],
    ...['traffic', '[]', '{"containers":"traffic"}', 'null'].map((overrides) => [`adds only the proxy if its overrides are ${overrides}`, onlyProxy,
      inTemplates(both, overrides)] as const),
    ['changed only containers that its overrides name', onlyWork, inTemplates(['work'], '{"containers":[null,{},"work",{"name":7}]}')],
  );
});

describe('Linkerd', () => {
  const withAnnotation = (key: string) => {
    return { annotations: { [key]: 'x' }, containers: ['linkerd-proxy', 'main'] };
  };
  for (const key of [
    'linkerd.io/proxy-version',
    'linkerd.io/created-by',
    'config.linkerd.io/proxy-admin-shutdown',
    'config.linkerd.io/shutdown-grace-period',
  ]) {
    const expected = 'linkerd-proxy: Sidecar InjectionStatus, main: unknown';
    roles([`marks linkerd-proxy with ${key}`, expected, withAnnotation(key)]);
  }
  // biome-ignore format: one row a line
  roles(
    ...['linkerd.io/inject', 'acme.io/config.linkerd.io/x'].map((key) => [`marks nothing with ${key}`, 'linkerd-proxy: unknown, main: unknown',
      withAnnotation(key)] as const),
  );
});

describe('Airflow, Flyte and Spark', () => {
  const airflow = { labels: { kubernetes_pod_operator: 'True' } };
  const xcom = 'airflow-xcom-sidecar';

  // biome-ignore format: one row a line
  roles(
    ...['spark-kubernetes-driver', 'spark-kubernetes-executor'].map((name) => [`name ${name}`, `${name}: Main Platform, helper: unknown`,
      { containers: [name, 'helper'] }] as const),
    ['name the primary container of Flyte', 'istio-proxy: Main Platform, helper: unknown',
      { annotations: { primary_container_name: 'istio-proxy' }, containers: [istio, 'helper'] }],
    ['name the base container of Airflow', 'base: Main Platform, istio-proxy: Sidecar Catalogue',
      { pod: airflow, containers: ['base', istio] }],
    ['but not in other pods', 'base: unknown', { containers: ['base'] }],
    ['wait for the container with the results of Airflow, which is not on a list of mains',
      `base: Main Annotation, ${xcom}: Main Platform, helper: Sidecar NotListedAsMain`,
      { pod: airflow, annotations: { [own.main]: 'base' }, containers: ['base', xcom, 'helper'] }],
    ['yield to an owner who calls it a sidecar', `base: unknown, ${xcom}: Sidecar Annotation`,
      { annotations: { [own.sidecars]: xcom }, containers: ['base', xcom] }],
  );
  // biome-ignore format: one row a line
  roles(
    ...(['metrics-logger-and-collector', container('metrics-collector', running, { image: 'ghcr.io/kubeflow/katib/tfevent-metrics-collector:v0.18.0' })] as const).map((collector) => {
      const name = typeof collector === 'string' ? collector : collector.name;
      return [`include Katib's ${name}, though it was injected`, `training: unknown, ${name}: Main Platform`,
        { containers: ['training', collector], template: ['training'] }] as const;
    }),
    ['are not all that run its image', 'main: unknown, helper: Sidecar NotInJobTemplate',
      { containers: ['main', container('helper', running, { image: 'ghcr.io/kubeflow/katib/file-metrics-collector:v1' })], template: ['main'] }],
    ['leave other collectors of metrics alone', 'main: unknown, metrics-collector: Sidecar NotInJobTemplate',
      { containers: ['main', container('metrics-collector', running, { image: 'acme/metrics-collector:1' })], template: ['main'] }],
  );
});

describe('Argo Workflows', () => {
  const argo = (mains: readonly string[] | undefined, ...containers: readonly string[]) => ({
    pod: { argo: { mains }, owner: { group: 'argoproj.io', kind: 'Workflow', name: 'w', uid: 'u' } },
    containers,
  });

  // biome-ignore format: one row a line
  roles(
    ['main and wait are mains, all others are sidecars', 'wait: Main ArgoWorkflow, main: Main ArgoWorkflow, dind: Sidecar ArgoWorkflow',
      argo(['main'], 'wait', 'main', 'dind')],
    ['each container of a set is a main', 'a: Main ArgoWorkflow, b: Main ArgoWorkflow, main: Sidecar ArgoWorkflow',
      argo(['a', 'b'], 'a', 'b', 'main')],
    ['the supervisor of later versions replaces wait', 'supervisor: Main ArgoWorkflow', argo([], 'supervisor')],
    ['only wait is a main if the template is unknown', 'wait: Main ArgoWorkflow, main: unknown, helper: unknown',
      argo(undefined, 'wait', 'main', 'helper')],
    ['others are unknown if the pod has none of the template’s containers', 'wait: Main ArgoWorkflow, step: unknown',
      argo(['main'], 'wait', 'step')],
    ...([[own.main, 'wait'], [own.main, 'supervisor'], [riskified, 'wait']] as const).map(([list,
      executor]) => [`a list of mains in ${list} does not make ${executor} a sidecar, which saves the outputs`,
        `${executor}: Main ArgoWorkflow, main: Main Annotation, proxy: Sidecar NotListedAsMain`,
      { ...argo(['main'], executor, 'main', 'proxy'), annotations: { [list]: 'main' } }] as const),
    ['their owner may name wait as a sidecar', 'wait: Sidecar Annotation, main: Main ArgoWorkflow',
      { ...argo(['main'], 'wait', 'main'), annotations: { [own.sidecars]: 'wait' } }],
    ['a kill command makes neither main nor wait a sidecar: Argo signals all its containers', 'wait: Main ArgoWorkflow, main: Main ArgoWorkflow',
      { ...argo(['main'], 'wait', 'main'), annotations: { 'workflows.argoproj.io/kill-cmd-main': '["sh", "-c", "kill -%d 1"]',
        'workflows.argoproj.io/kill-cmd-wait': '["sh", "-c", "kill -%d 1"]' } }],
    ['in other pods, wait is any container', 'wait: unknown, main: unknown', { containers: ['wait', 'main'] }],
  );
});

describe('a kill command', () => {
  // biome-ignore format: one row a line
  roles(
    ...['sidecar-sweeper.dev/kill-cmd-sidecar', 'workflows.argoproj.io/kill-cmd-sidecar'].map((key) => [`${key} marks a sidecar, even if malformed`, 'main: unknown, sidecar: Sidecar KillCommand',
      { annotations: { [key]: 'not JSON' } }] as const),
    ['for an unknown container has no effect', 'main: unknown, sidecar: unknown',
      { annotations: { 'workflows.argoproj.io/kill-cmd-nosuch': '["true"]' } }],
  );
});

describe('the template of the Job', () => {
  // biome-ignore format: one row a line
  roles(
    ['lacks injected containers', 'main: unknown, sidecar: Sidecar NotInJobTemplate', { template: ['main'] }],
    ['gives no evidence for its own', 'main: unknown, istio-proxy: Sidecar Catalogue',
      { template: ['main', 'istio-proxy'], containers: ['main', istio] }],
  );
  const uid = podView().owner?.uid ?? '';
  // biome-ignore format: one row a line
  roles(
    ...[{ group: 'batch', kind: 'Job', name: 'work', uid: 'another' }, { group: 'argoproj.io', kind: 'Workflow', name: 'work', uid },
      undefined].map((owner) => [`has no effect if the owner is ${JSON.stringify(owner)}`, 'main: unknown, sidecar: unknown',
      { pod: { owner }, template: ['main'] }] as const),
    ['takes precedence over the default container, which injectors also set', 'main: unknown, sidecar: Sidecar NotInJobTemplate',
      { annotations: { [defaultContainer]: 'sidecar' }, template: ['main'] }],
  );
});

const meshRule = (role: Rule['role']): readonly Rule[] => [{ name: 'mesh', role, containers: ['istio-*'] }];

describe('the default container', () => {
  // biome-ignore format: one row a line
  roles(
    ['is a main, without effect on others', 'sidecar: unknown, istio-proxy: Main DefaultContainer',
      { annotations: { [defaultContainer]: ' istio-proxy' }, containers: ['sidecar', 'istio-proxy'] }],
    ['takes precedence over the rules and the catalogue', 'istio-proxy: Main DefaultContainer',
      { annotations: { [defaultContainer]: 'istio-proxy' }, containers: [istio], policy: { rules: meshRule('Sidecar') } }],
    // Istio's injector writes it, too: it names the first container.
    ['of a pod with Istio is a sidecar if the catalogue knows it', 'cloud-sql-proxy: Sidecar Catalogue, main: unknown',
      { annotations: { [defaultContainer]: 'cloud-sql-proxy', 'sidecar.istio.io/status': '{"containers":["istio-proxy"]}' },
        containers: [cloudSqlProxy, 'main'] }],
    ['of a pod with Istio is a main otherwise', 'main: Main DefaultContainer, sidecar: unknown',
      { annotations: { [defaultContainer]: 'main', 'sidecar.istio.io/status': '{"containers":["istio-proxy"]}' } }],
  );
});

describe('the rules of the policy', () => {
  const rules: readonly Rule[] = [
    { name: 'keep', role: 'Main', containers: ['log-keeper'] },
    { name: 'logs', role: 'Sidecar', containers: ['log-*'], ownerKinds: ['Job'], namespaces: ['demo'] },
    { name: 'by-image', role: 'Sidecar', images: ['acme/agent-*'], labels: { team: 'da*' } },
  ];
  const agent = container('agent', running, { image: 'registry.example/acme/agent-7:1' });

  // biome-ignore format: one row a line
  roles(
    ['apply in order; the first match decides', 'log-keeper: Main Rule, log-x: Sidecar Rule, agent: Sidecar Rule, main: unknown',
      { policy: { rules }, pod: { labels: { team: 'data' } }, containers: ['log-keeper', 'log-x', agent, 'main'] }],
    ['match namespace and labels', 'log-x: unknown, agent: unknown',
      { policy: { rules }, pod: { ref: { namespace: 'other', name: 'p', uid: 'u' } }, containers: ['log-x', agent] }],
    ['match the owner', 'log-x: unknown', { policy: { rules }, pod: { owner: undefined }, containers: ['log-x'] }],
    ['can keep an injected container a main', 'main: unknown, uploader: Main Rule',
      { policy: { rules: [{ name: 'uploads', role: 'Main', containers: ['uploader'] }] }, annotations: { 'sidecar-sweeper.dev/kill-cmd-uploader': '[]' },
        template: ['main'], containers: ['main', 'uploader'] }],
    ['that name neither a container nor an image do not', 'main: Main Rule, uploader: Sidecar NotInJobTemplate',
      { policy: { rules: [{ name: 'all', role: 'Main', namespaces: ['demo'] }] }, template: ['main'], containers: ['main', 'uploader'] }],
    ['can make a container of the catalogue a main', 'istio-proxy: Main Rule',
      { policy: { rules: meshRule('Main') }, containers: [istio] }],
  );
});

describe('the catalogue', () => {
  const anything = { name: 'any', containers: ['*'], images: ['*'], steps: [] };
  // biome-ignore format: one row a line
  roles(
    ['recognises nothing by a profile for every name and image', 'main: unknown, sidecar: unknown', { policy: { catalogue: [anything] } }],
    ['nor if the patterns are longer', 'main: unknown, sidecar: unknown',
      { policy: { catalogue: [{ ...anything, containers: ['**'], images: ['*/*'] }] } }],
    ['but by one for every name', 'main: Sidecar Catalogue, sidecar: Sidecar Catalogue',
      { policy: { catalogue: [{ ...anything, images: ['local/busybox'] }] } }],
  );
});

describe('a container whose image a sweep swapped', () => {
  const noop = 'registry.example/noop:1';
  const swap = stepSpec.parse({ imageSwap: { image: noop } });
  /** Its new image does not start. */
  const swapped = (more: Partial<ContainerView>) => {
    const own = { image: noop, ranImage: 'local/agent:1', ...more };
    return [container('istio-proxy', waiting('ImagePullBackOff'), own)];
  };
  const byImage = (role: Rule['role'], ...images: string[]): readonly Rule[] => [{ name: 'r', role, images }];
  const wasIstio = { ranImage: istio.image };
  const underWay = swapped({ ...wasIstio, state: running });

  // biome-ignore format: one row a line
  roles(
    ['is what it was before the swap, by the catalogue', 'istio-proxy: Sidecar Catalogue', { containers: swapped(wasIstio) }],
    ['or by a rule', 'istio-proxy: Sidecar Rule',
      { policy: { rules: byImage('Sidecar', 'istio/proxyv2') }, containers: swapped(wasIstio) }],
    ...['CrashLoopBackOff', 'ContainerCreating'].map((reason) => [`is not what ran before if the new container is ${reason}`, 'istio-proxy: unknown',
      { containers: swapped({ ...wasIstio, state: waiting(reason) }) }] as const),
    ...['mirror.example/istio/proxyv2:1.27.0', 'sha256:0dec9701dd'].map((ranImage) => [`is what its spec says if the runtime calls the image ${ranImage}`, 'istio-proxy: Sidecar Catalogue',
      { policy: { rules: byImage('Main', 'mirror.example/istio/*') }, containers: swapped({ image: 'istio/proxyv2:1.27.0', ranImage }) }] as const),
  );
  for (const by of [{ swap }, { lastResort: [swap] }]) {
    const [field] = Object.keys(by);
    // biome-ignore format: one row a line
    roles(
      [`is what it was until the kubelet replaces it: ${field}`, 'istio-proxy: Sidecar Catalogue', { policy: by, containers: underWay }],
      [`or by a rule: ${field}`, 'istio-proxy: Sidecar Rule', { policy: { ...by, rules: byImage('Sidecar', 'istio/proxyv2') }, containers: underWay }],
      [`is a sidecar by the policy’s own no-op image: ${field}`, 'istio-proxy: Sidecar SwappedImage', { policy: by, containers: swapped({}) }],
    );
  }
  // biome-ignore format: one row a line
  roles(
    ['is a main if a rule says so', 'istio-proxy: Main Rule',
      { policy: { swap, rules: byImage('Main', 'local/agent') }, containers: swapped({}) }],
    ...([['runs the no-op image', { state: running, ranImage: noop }], ['runs the no-op image, by a longer name', { state: running,
      ranImage: `docker.io/library/${noop}` }], ['runs an image that the runtime knows by its ID', { state: running,
        ranImage: 'sha256:0dec9701dd' }], ['runs another image', { state: running, ranImage: 'registry.example/work:1' }], ['was updated',
          { ...wasIstio, state: running, image: 'registry.example/work:1' }], ['ended before the swap', { ...wasIstio, state: exited() }],
            ['runs an image of an unknown name', { state: running, ranImage: undefined }], ['has ended', { state: exited() }], ['has never run',
              { ranImage: undefined }], ['cannot be restarted with the image that it had', { ranImage: noop }],
                ['failed, and is about to be restarted', { state: waiting(), ranImage: noop, lastExitCode: 1 }], ['could not be started',
                  { state: waiting(), ranImage: noop, lastExitCode: 128 }], ['is about to be restarted with it', { state: waiting() }],
                    ['has another image', { image: 'registry.example/work:1' }]] as const).map(([title,
                      more]) => [`is unknown if it ${title}: a main may have the same image`, 'istio-proxy: unknown',
      { policy: { swap }, containers: swapped(more) }] as const),
  );
});

describe('the evidence for a container', () => {
  function evidenceFor(name: string, situation: Situation) {
    const all = evidenceIn(podIn(situation), knownIn(situation));
    return all.find((each) => each.container.name === name)?.evidence ?? [];
  }

  it('is in order of precedence', () => {
    const situation = {
      containers: ['main', istio],
      annotations: { [nrmitchi]: 'istio-proxy', [defaultContainer]: 'istio-proxy' },
      template: ['main'],
    };
    expect(evidenceFor('istio-proxy', situation).map(({ role, because }) => [role, because.kind])).toEqual([
      ['Sidecar', 'Annotation'],
      ['Sidecar', 'NotInJobTemplate'],
      ['Main', 'DefaultContainer'],
      ['Sidecar', 'Catalogue'],
    ]);
    expect(evidenceFor('main', situation)).toEqual([{ role: 'Main', because: { kind: 'NoEvidence' } }]);
  });

  it('names its source', () => {
    const situation = {
      containers: ['main', istio, wrapped('late', 'x'), 'airflow-xcom-sidecar'],
      annotations: {
        'lemonade.com/sidecars': 'istio-proxy',
        [riskified]: 'main',
        'sidecar.istio.io/status': '{"containers":["istio-proxy"]}',
        'workflows.argoproj.io/kill-cmd-istio-proxy': '[]',
      },
      policy: { rules: meshRule('Sidecar') },
      template: ['main'],
    };
    expect(evidenceFor('istio-proxy', situation).map(({ because }) => because)).toEqual([
      { kind: 'Annotation', key: 'lemonade.com/sidecars' },
      { kind: 'NotListedAsMain', key: riskified },
      { kind: 'InjectionStatus', key: 'sidecar.istio.io/status' },
      { kind: 'KillCommand', key: 'workflows.argoproj.io/kill-cmd-istio-proxy' },
      { kind: 'NotInJobTemplate', job: 'work' },
      { kind: 'Rule', rule: 'mesh' },
      { kind: 'Catalogue', profile: 'istio' },
    ]);
    const variable = { kind: 'Variable', name: 'KUBEXIT_DEATH_DEPS' };
    expect(evidenceFor('late', situation)[1]?.because).toEqual(variable);
    const platform = { kind: 'Platform', platform: 'Airflow' };
    expect(evidenceFor('airflow-xcom-sidecar', situation)[0]?.because).toEqual(platform);
    const ofKatib = evidenceFor('metrics-logger-and-collector', {
      containers: ['metrics-logger-and-collector'],
    });
    expect(ofKatib[0]?.because).toEqual({ kind: 'Platform', platform: 'Katib' });
  });

  it('says of Argo’s executor only that it is a main', () => {
    const situation = { pod: { argo: { mains: ['main'] } }, containers: ['wait', 'main'] };
    expect(evidenceFor('wait', situation)).toEqual([{ role: 'Main', because: { kind: 'ArgoWorkflow' } }]);
  });

  it('is not looked for in a pod that has too much of something', () => {
    const situation = { pod: { isOverBound: true }, containers: ['main', istio] };
    expect(evidenceFor('istio-proxy', situation)).toEqual([
      { role: 'Main', because: { kind: 'NoEvidence' } },
    ]);
  });
});

it('every container has one role, in the order of the spec', () => {
  const containers = ['c', 'a', 'b'];
  const judged = assignRoles(podIn({ containers }), knownIn({}));
  expect(judged.map(({ container: { name } }) => name)).toEqual(containers);
});
