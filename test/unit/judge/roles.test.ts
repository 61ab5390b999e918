import { describe, expect, it } from 'vitest';
import { assignRoles, evidenceIn } from '../../../src/judge/roles.ts';
import { stepSpec } from '../../../src/methods/index.ts';
import type { Evidence, Role, Statement } from '../../../src/model/evidence.ts';
import type { ContainerView, PodView } from '../../../src/model/pod.ts';
import type { Facts } from '../../../src/model/reading.ts';
import type { Policy } from '../../../src/policy/policy.ts';
import type { Rule } from '../../../src/policy/rules.ts';
import { container, exited, podView, running, waiting } from '../../builders/pod-view.ts';
import { noFacts, policy } from '../../builders/policy.ts';

type Roles = Readonly<Record<string, readonly [Role, Evidence['kind']]>>;

interface Situation {
  readonly pod?: Partial<PodView>;
  readonly containers?: readonly (string | ContainerView)[];
  readonly annotations?: Readonly<Record<string, string>>;
  readonly policy?: Partial<Policy>;
  /** The containers of the owning Job's template. */
  readonly template?: readonly string[];
}

/** A pod without evidence, by default with `main` and `sidecar`. */
function podIn({ pod, containers = ['main', 'sidecar'], annotations = {} }: Situation): PodView {
  const views = containers.map((one) => (typeof one === 'string' ? container(one, running) : one));
  return podView({ annotations, containers: views, ...pod });
}

function factsIn({ template }: Situation): Facts {
  const uid = podView().owner?.uid ?? '';
  return { ...noFacts, jobContainers: new Map(template ? [[uid, template]] : []) };
}

function rolesIn(situation: Situation): Roles {
  const known = { policy: policy(situation.policy), facts: factsIn(situation) };
  const judged = assignRoles(podIn(situation), known);
  return Object.fromEntries(judged.map((one) => [one.container.name, [one.role, one.because.kind]]));
}

const istio = container('istio-proxy', running, { image: 'docker.io/istio/proxyv2:1.27.0' });
const unknown: readonly [Role, Evidence['kind']] = ['Main', 'NoEvidence'];
const own = { main: 'sidecar-sweeper.dev/main', sidecars: 'sidecar-sweeper.dev/sidecars' };
const riskified = 'riskified.com/main_sidecars';

describe('a container without evidence', () => {
  it('is a main container', () => {
    expect(rolesIn({})).toEqual({ main: unknown, sidecar: unknown });
  });

  it('is a main container with any name: missing annotations name no container', () => {
    const containers = ['', 'undefined', 'constructor', 'tostring', '__proto__', 'sidecar'];
    expect(Object.values(rolesIn({ containers }))).toEqual(
      Object.keys(rolesIn({ containers })).map(() => unknown),
    );
  });
});

describe('the sweeper’s annotations', () => {
  it('name sidecars', () => {
    expect(rolesIn({ annotations: { [own.sidecars]: 'sidecar' } })).toEqual({
      main: unknown,
      sidecar: ['Sidecar', 'Annotation'],
    });
  });

  it('tolerate spaces, empty entries and unknown names', () => {
    const { sidecar } = rolesIn({ annotations: { [own.sidecars]: ' nobody ,, sidecar\n,' } });
    expect(sidecar).toEqual(['Sidecar', 'Annotation']);
  });

  it('name main containers, which makes all others sidecars', () => {
    expect(rolesIn({ annotations: { [own.main]: 'main' }, containers: ['main', 'a', 'b'] })).toEqual({
      main: ['Main', 'Annotation'],
      a: ['Sidecar', 'NotListedAsMain'],
      b: ['Sidecar', 'NotListedAsMain'],
    });
  });

  it('make no container a sidecar if a main container is misspelt: it may be any of them', () => {
    expect(rolesIn({ annotations: { [own.main]: 'main,hepler' }, containers: ['main', 'helper'] })).toEqual({
      main: ['Main', 'Annotation'],
      helper: unknown,
    });
  });

  it.each(['', ' ', ','])('have no effect if the list of main containers is %j', (list) => {
    expect(rolesIn({ annotations: { [own.main]: list } })).toEqual({ main: unknown, sidecar: unknown });
  });

  it('leave unnamed containers to other evidence if both lists exist', () => {
    const annotations = { [own.main]: 'main', [own.sidecars]: 'sidecar' };
    expect(rolesIn({ annotations, containers: ['main', 'sidecar', 'third', istio] })).toEqual({
      main: ['Main', 'Annotation'],
      sidecar: ['Sidecar', 'Annotation'],
      third: unknown,
      'istio-proxy': ['Sidecar', 'Catalogue'],
    });
  });

  it('make a container in both lists a main container', () => {
    const annotations = { [own.main]: 'main', [own.sidecars]: 'main,sidecar' };
    expect(rolesIn({ annotations }).main).toEqual(['Main', 'Annotation']);
  });

  it('take precedence over all other evidence', () => {
    const annotations = {
      [own.main]: 'istio-proxy,main',
      'nrmitchi.com/sidecars': 'istio-proxy',
      'sidecar.istio.io/status': '{"containers":["istio-proxy"]}',
      'workflows.argoproj.io/kill-cmd-istio-proxy': '["true"]',
    };
    const roles = rolesIn({ annotations, containers: ['main', istio], template: ['main'] });
    expect(roles['istio-proxy']).toEqual(['Main', 'Annotation']);
  });
});

describe('the annotations of k8s-controller-sidecars and its forks', () => {
  it.each([
    'nrmitchi.com/sidecars',
    'lemonade.com/sidecars',
    'pod.kubernetes.io/sidecars',
    'riskified.com/sidecars',
  ])('%s lists sidecars', (key) => {
    expect(rolesIn({ annotations: { [key]: 'other, sidecar' } })).toEqual({
      main: unknown,
      sidecar: ['Sidecar', 'Annotation'],
    });
  });

  it('riskified.com/main_sidecars lists main containers, which makes all others sidecars', () => {
    expect(rolesIn({ annotations: { [riskified]: 'main' } })).toEqual({
      main: ['Main', 'Annotation'],
      sidecar: ['Sidecar', 'NotListedAsMain'],
    });
  });

  it('have no effect on others if the main container is misspelt', () => {
    expect(rolesIn({ annotations: { [riskified]: 'mian' } })).toEqual({ main: unknown, sidecar: unknown });
  });

  it('make a container in lists of both kinds a main container', () => {
    const annotations = { 'nrmitchi.com/sidecars': 'main', [riskified]: 'main,sidecar' };
    expect(rolesIn({ annotations })).toEqual({
      main: ['Main', 'Annotation'],
      sidecar: ['Main', 'Annotation'],
    });
  });

  it('yield to the sweeper’s own', () => {
    const annotations = { [own.sidecars]: 'main', [riskified]: 'main', 'nrmitchi.com/sidecars': 'sidecar' };
    expect(rolesIn({ annotations }).main).toEqual(['Sidecar', 'Annotation']);
  });
});

describe('OpenKruise', () => {
  const variable = 'KRUISE_TERMINATE_SIDECAR_WHEN_JOB_EXIT';
  const withEnv = (env: ContainerView['env']) =>
    rolesIn({ containers: ['main', container('sidecar', running, { env })] }).sidecar;

  it.each(['true', 'True', 'TRUE'])('marks a sidecar with its variable and the value %s', (value) => {
    expect(withEnv({ [variable]: value })).toEqual(['Sidecar', 'Variable']);
  });

  it.each(['false', '', '1', 'yes'])('does not mark a sidecar with the value %j', (value) => {
    expect(withEnv({ [variable]: value })).toEqual(unknown);
  });

  it('marks a sidecar with the image to swap in', () => {
    expect(withEnv({ [`${variable}_WITH_IMAGE`]: 'acme/exit:1' })).toEqual(['Sidecar', 'Variable']);
    expect(withEnv({ [`${variable}_WITH_IMAGE`]: '' })).toEqual(unknown);
  });

  it('takes precedence over the default container', () => {
    const sidecar = container('sidecar', running, { env: { [variable]: 'true' } });
    const annotations = { 'kubectl.kubernetes.io/default-container': 'sidecar' };
    expect(rolesIn({ annotations, containers: ['main', sidecar] }).sidecar).toEqual(['Sidecar', 'Variable']);
  });
});

describe('kubexit', () => {
  const wrapped = (name: string, deathDependencies?: string) =>
    container(name, running, {
      env: {
        KUBEXIT_NAME: `${name}-process`,
        ...(deathDependencies !== undefined && { KUBEXIT_DEATH_DEPS: deathDependencies }),
      },
    });

  it('makes a container with death dependencies a sidecar, and its dependencies main containers', () => {
    expect(rolesIn({ containers: [wrapped('main'), wrapped('sidecar', 'main-process')] })).toEqual({
      main: ['Main', 'Variable'],
      sidecar: ['Sidecar', 'Variable'],
    });
  });

  it('is reported with the name of its variable', () => {
    const pod = podIn({ containers: [wrapped('main'), wrapped('sidecar', 'main-process')] });
    const judged = assignRoles(pod, { policy: policy(), facts: noFacts });
    expect(judged.map(({ because }) => because)).toEqual([
      { kind: 'Variable', name: 'KUBEXIT_NAME' },
      { kind: 'Variable', name: 'KUBEXIT_DEATH_DEPS' },
    ]);
  });

  it('may have a chain of sidecars', () => {
    const containers = [
      wrapped('main'),
      wrapped('proxy', 'main-process'),
      wrapped('logs', ' proxy-process, other'),
    ];
    expect(rolesIn({ containers })).toEqual({
      main: ['Main', 'Variable'],
      proxy: ['Sidecar', 'Variable'],
      logs: ['Sidecar', 'Variable'],
    });
  });

  it('gives no evidence for processes that depend on each other', () => {
    const containers = [wrapped('a', 'b-process'), wrapped('b', 'a-process')];
    expect(rolesIn({ containers })).toEqual({ a: unknown, b: unknown });
  });

  it('gives no evidence for a cycle, but makes a container that depends on the cycle a sidecar', () => {
    const containers = [
      wrapped('a', 'b-process'),
      wrapped('b', 'c-process'),
      wrapped('c', 'a-process'),
      wrapped('d', 'a-process'),
    ];
    expect(rolesIn({ containers })).toEqual({
      a: unknown,
      b: unknown,
      c: unknown,
      d: ['Sidecar', 'Variable'],
    });
  });

  it.each(['', ' , '])('gives no evidence with the death dependencies %j', (list) => {
    expect(rolesIn({ containers: [wrapped('main'), wrapped('sidecar', list)] })).toEqual({
      main: unknown,
      sidecar: unknown,
    });
  });

  it('does not treat a container without a process name as a dependency', () => {
    const nameless = container('nameless', running, { env: { KUBEXIT_NAME: '' } });
    expect(rolesIn({ containers: [nameless, wrapped('sidecar', 'x')] }).nameless).toEqual(unknown);
  });
});

describe('Istio', () => {
  const withStatus = (status: string) =>
    rolesIn({
      annotations: { 'sidecar.istio.io/status': status },
      containers: ['main', container('istio-proxy', running, { image: 'acme/mesh:1' })],
    });

  it('lists injected sidecars in its status, with any image', () => {
    const status =
      '{"initContainers":["istio-init"],"containers":["istio-proxy"],"volumes":["workload-socket"],"revision":"default"}';
    expect(withStatus(status)).toEqual({ main: unknown, 'istio-proxy': ['Sidecar', 'InjectionStatus'] });
  });

  it.each([
    ['has only native sidecars', '{"initContainers":["istio-proxy"],"containers":null}'],
    ['has no list', '{"initContainers":["istio-init"]}'],
    ['is not JSON', 'injected'],
    ['is not an object', '["istio-proxy"]'],
    ['is null', 'null'],
    ['has a string instead of a list', '{"containers":"istio-proxy"}'],
    ['has a list of objects', '{"containers":[{"name":"istio-proxy"}]}'],
  ])('gives no evidence if its status %s', (_title, status) => {
    expect(withStatus(status)['istio-proxy']).toEqual(unknown);
  });

  // As in istio/istio, pkg/kube/inject/testdata/inject: grpc-agent, custom-template, hello-proxy-override.
  const inTemplates = (names: readonly string[], overrides?: string) =>
    rolesIn({
      annotations: {
        'sidecar.istio.io/status': JSON.stringify({ initContainers: null, containers: names }),
        ...(overrides !== undefined && { 'proxy.istio.io/overrides': overrides }),
      },
      containers: ['traffic', 'uploader', container('istio-proxy', running, { image: 'acme/mesh:1' })],
    });
  const overridesOf = (...names: readonly string[]) =>
    JSON.stringify({ containers: names.map((name) => ({ name, image: 'acme/batch:1', resources: {} })) });
  const injected: readonly [Role, Evidence['kind']] = ['Sidecar', 'InjectionStatus'];

  it('lists as well what was there before, and was only changed: that remains a main', () => {
    expect(inTemplates(['traffic', 'istio-proxy'], overridesOf('traffic'))).toEqual({
      traffic: unknown,
      uploader: unknown,
      'istio-proxy': injected,
    });
    expect(inTemplates(['traffic'], overridesOf('traffic')).traffic).toEqual(unknown);
  });

  it('may have been told by the owner what the proxy should be like', () => {
    expect(inTemplates(['istio-proxy'], overridesOf('istio-proxy'))['istio-proxy']).toEqual(injected);
  });

  it('adds other containers by templates of operators', () => {
    expect(inTemplates(['uploader', 'istio-proxy'])).toMatchObject({ traffic: unknown, uploader: injected });
    expect(inTemplates(['uploader'], overridesOf('traffic')).uploader).toEqual(injected);
  });

  it.each(['traffic', '[]', '{"containers":"traffic"}', 'null'])(
    'is not asked about other containers if what it records of them is %s',
    (overrides) => {
      expect(inTemplates(['traffic', 'istio-proxy'], overrides)).toMatchObject({
        traffic: unknown,
        'istio-proxy': injected,
      });
    },
  );

  it('gives no evidence about a name that it does not have', () => {
    expect(inTemplates(['traffic'], '{"containers":[null,{},"traffic",{"name":7}]}').traffic).toEqual(
      injected,
    );
  });
});

describe('Linkerd', () => {
  const withAnnotation = (key: string) =>
    rolesIn({ annotations: { [key]: 'x' }, containers: ['main', 'linkerd-proxy'] });

  it.each([
    'linkerd.io/proxy-version',
    'linkerd.io/created-by',
    'config.linkerd.io/proxy-admin-shutdown',
    'config.linkerd.io/shutdown-grace-period',
  ])('marks linkerd-proxy as a sidecar with %s', (key) => {
    expect(withAnnotation(key)).toEqual({ main: unknown, 'linkerd-proxy': ['Sidecar', 'InjectionStatus'] });
  });

  it.each(['linkerd.io/inject', 'acme.io/config.linkerd.io/x'])('does not mark a sidecar with %s', (key) => {
    expect(withAnnotation(key)['linkerd-proxy']).toEqual(unknown);
  });
});

describe('Airflow, Flyte and Spark', () => {
  const airflow = { labels: { kubernetes_pod_operator: 'True' } };

  it('name the containers that do the work, and say nothing about the others', () => {
    const main = ['Main', 'Platform'];
    const spark = { containers: ['spark-kubernetes-driver', 'helper'] };
    expect(rolesIn(spark)).toEqual({ 'spark-kubernetes-driver': main, helper: unknown });
    expect(rolesIn({ containers: ['spark-kubernetes-executor'] })['spark-kubernetes-executor']).toEqual(main);
    const flyte = { annotations: { primary_container_name: 'istio-proxy' }, containers: [istio, 'helper'] };
    expect(rolesIn(flyte)).toEqual({ 'istio-proxy': main, helper: unknown });
    expect(rolesIn({ pod: airflow, containers: ['base', istio] })).toEqual({
      base: main,
      'istio-proxy': ['Sidecar', 'Catalogue'],
    });
    expect(rolesIn({ containers: ['base'] })).toEqual({ base: unknown });
  });

  it('a list of mains makes no sidecar of the container that Airflow reads the result from', () => {
    const containers = ['base', 'airflow-xcom-sidecar', 'helper'];
    expect(rolesIn({ pod: airflow, annotations: { [own.main]: 'base' }, containers })).toEqual({
      base: ['Main', 'Annotation'],
      'airflow-xcom-sidecar': ['Main', 'Platform'],
      helper: ['Sidecar', 'NotListedAsMain'],
    });
  });

  it('Airflow’s is a sidecar if its owner says so', () => {
    const containers = ['base', 'airflow-xcom-sidecar'];
    const annotations = { [own.sidecars]: 'airflow-xcom-sidecar' };
    expect(rolesIn({ annotations, containers })['airflow-xcom-sidecar']).toEqual(['Sidecar', 'Annotation']);
  });
});

describe('Argo Workflows', () => {
  const argo = (mains: readonly string[] | undefined, ...containers: readonly (string | ContainerView)[]) =>
    rolesIn({
      pod: { argo: { mains }, owner: { group: 'argoproj.io', kind: 'Workflow', name: 'w', uid: 'u' } },
      containers,
    });

  it('main and wait are main containers, all others are sidecars', () => {
    expect(argo(['main'], 'wait', 'main', 'istio-proxy', 'dind')).toEqual({
      wait: ['Main', 'ArgoWorkflow'],
      main: ['Main', 'ArgoWorkflow'],
      'istio-proxy': ['Sidecar', 'ArgoWorkflow'],
      dind: ['Sidecar', 'ArgoWorkflow'],
    });
  });

  it('each container of a set is a main container', () => {
    expect(argo(['a', 'b'], 'wait', 'a', 'b', 'main')).toEqual({
      wait: ['Main', 'ArgoWorkflow'],
      a: ['Main', 'ArgoWorkflow'],
      b: ['Main', 'ArgoWorkflow'],
      main: ['Sidecar', 'ArgoWorkflow'],
    });
  });

  it('the supervisor of later versions replaces wait', () => {
    expect(argo(['main'], 'supervisor', 'main').supervisor).toEqual(['Main', 'ArgoWorkflow']);
  });

  it('only wait is a main container if the template is unknown', () => {
    expect(argo(undefined, 'wait', 'main', 'helper')).toEqual({
      wait: ['Main', 'ArgoWorkflow'],
      main: unknown,
      helper: unknown,
    });
  });

  it('there is no evidence for others if the pod has none of the template’s containers', () => {
    expect(argo(['main'], 'wait', 'step')).toEqual({ wait: ['Main', 'ArgoWorkflow'], step: unknown });
  });

  it.each<readonly [list: string, executor: string]>([
    ['sidecar-sweeper.dev/main', 'wait'],
    ['sidecar-sweeper.dev/main', 'supervisor'],
    ['riskified.com/main_sidecars', 'wait'],
  ])(
    'a list of mains in %s does not make %s a sidecar, which saves the outputs of those mains',
    (list, executor) => {
      const pod = { argo: { mains: ['main'] } };
      const roles = rolesIn({
        pod,
        annotations: { [list]: 'main' },
        containers: [executor, 'main', 'proxy'],
      });
      expect(roles).toMatchObject({
        [executor]: ['Main', 'ArgoWorkflow'],
        main: ['Main', 'Annotation'],
        proxy: ['Sidecar', 'NotListedAsMain'],
      });
    },
  );

  it('its owner may name wait as a sidecar, and in other pods it is a container like any other', () => {
    const named = { 'sidecar-sweeper.dev/sidecars': 'wait' };
    const pod = { argo: { mains: ['main'] } };
    expect(rolesIn({ pod, annotations: named, containers: ['wait', 'main'] })).toMatchObject({
      wait: ['Sidecar', 'Annotation'],
    });
    const annotations = { 'sidecar-sweeper.dev/main': 'main' };
    expect(rolesIn({ annotations, containers: ['wait', 'main'] })).toMatchObject({
      wait: ['Sidecar', 'NotListedAsMain'],
    });
  });

  it('a kill command does not make main or wait a sidecar: Argo signals all its containers', () => {
    const annotations = {
      'workflows.argoproj.io/kill-cmd-main': '["sh", "-c", "kill -%d 1"]',
      'workflows.argoproj.io/kill-cmd-wait': '["sh", "-c", "kill -%d 1"]',
    };
    const roles = rolesIn({ pod: { argo: { mains: ['main'] } }, annotations, containers: ['wait', 'main'] });
    expect(roles).toEqual({ wait: ['Main', 'ArgoWorkflow'], main: ['Main', 'ArgoWorkflow'] });
  });

  it('has no effect on other pods', () => {
    expect(rolesIn({ containers: ['wait', 'main'] })).toEqual({ wait: unknown, main: unknown });
  });
});

describe('a kill command', () => {
  it.each(['sidecar-sweeper.dev/kill-cmd-sidecar', 'workflows.argoproj.io/kill-cmd-sidecar'])(
    '%s makes a container a sidecar, even if it is malformed',
    (key) => {
      expect(rolesIn({ annotations: { [key]: 'not JSON' } })).toEqual({
        main: unknown,
        sidecar: ['Sidecar', 'KillCommand'],
      });
    },
  );

  it('for an unknown container has no effect', () => {
    expect(rolesIn({ annotations: { 'workflows.argoproj.io/kill-cmd-nosuch': '["true"]' } })).toEqual({
      main: unknown,
      sidecar: unknown,
    });
  });
});

describe('the template of the Job', () => {
  it('lacks containers that an admission webhook has added', () => {
    expect(rolesIn({ template: ['main'] })).toEqual({
      main: unknown,
      sidecar: ['Sidecar', 'NotInJobTemplate'],
    });
  });

  it('gives no evidence for its own containers', () => {
    expect(rolesIn({ template: ['main', 'istio-proxy'], containers: ['main', istio] })).toEqual({
      main: unknown,
      'istio-proxy': ['Sidecar', 'Catalogue'],
    });
  });

  it.each<readonly [title: string, owner: PodView['owner']]>([
    ['of another Job', { group: 'batch', kind: 'Job', name: 'work', uid: 'another' }],
    [
      'of an owner of another kind',
      { group: 'argoproj.io', kind: 'Workflow', name: 'work', uid: podView().owner?.uid ?? '' },
    ],
    ['of no owner', undefined],
  ])('has no effect if it is that %s', (_title, owner) => {
    expect(rolesIn({ pod: { owner }, template: ['main'] })).toEqual({ main: unknown, sidecar: unknown });
  });

  it('takes precedence over the default container, which injectors also set', () => {
    const annotations = { 'kubectl.kubernetes.io/default-container': 'sidecar' };
    expect(rolesIn({ annotations, template: ['main'] }).sidecar).toEqual(['Sidecar', 'NotInJobTemplate']);
  });
});

describe('the default container', () => {
  const annotations = { 'kubectl.kubernetes.io/default-container': ' istio-proxy' };

  it('is a main container, without effect on others', () => {
    expect(rolesIn({ annotations, containers: ['sidecar', 'istio-proxy'] })).toEqual({
      sidecar: unknown,
      'istio-proxy': ['Main', 'DefaultContainer'],
    });
  });

  it('takes precedence over the rules and the catalogue', () => {
    const rules: readonly Rule[] = [{ name: 'mesh', role: 'Sidecar', containers: ['istio-*'] }];
    expect(rolesIn({ annotations, containers: ['main', istio], policy: { rules } })['istio-proxy']).toEqual([
      'Main',
      'DefaultContainer',
    ]);
  });
});

describe('the rules of the policy', () => {
  const rules: readonly Rule[] = [
    { name: 'keep', role: 'Main', containers: ['log-keeper'] },
    { name: 'logs', role: 'Sidecar', containers: ['log-*'], ownerKinds: ['Job'], namespaces: ['demo'] },
    { name: 'by-image', role: 'Sidecar', images: ['acme/agent-*'], labels: { team: 'da*' } },
  ];

  it('apply in order; the first match decides', () => {
    const agent = container('agent', running, { image: 'registry.example/acme/agent-7:1' });
    const pod = { labels: { team: 'data' } };
    const containers = ['log-keeper', 'log-shipper', agent, 'main'];
    expect(rolesIn({ policy: { rules }, pod, containers })).toEqual({
      'log-keeper': ['Main', 'Rule'],
      'log-shipper': ['Sidecar', 'Rule'],
      agent: ['Sidecar', 'Rule'],
      main: unknown,
    });
  });

  it('match owner, namespace and labels', () => {
    const agent = container('agent', running, { image: 'acme/agent-7:1' });
    const ref = { namespace: 'other', name: 'p', uid: 'u' };
    expect(rolesIn({ policy: { rules }, pod: { ref }, containers: ['log-shipper', agent] })).toEqual({
      'log-shipper': unknown,
      agent: unknown,
    });
    expect(rolesIn({ policy: { rules }, pod: { owner: undefined }, containers: ['log-shipper'] })).toEqual({
      'log-shipper': unknown,
    });
  });

  it('can make a container of the catalogue a main container', () => {
    const mesh: readonly Rule[] = [{ name: 'gateway', role: 'Main', containers: ['istio-proxy'] }];
    expect(rolesIn({ policy: { rules: mesh }, containers: [istio] })).toEqual({
      'istio-proxy': ['Main', 'Rule'],
    });
  });
});

describe('the catalogue', () => {
  it('recognises a sidecar by name and image', () => {
    expect(rolesIn({ containers: [container('main', exited()), istio] })).toEqual({
      main: unknown,
      'istio-proxy': ['Sidecar', 'Catalogue'],
    });
  });

  it('does not recognise a sidecar by name or image alone', () => {
    const named = container('istio-proxy', running, { image: 'acme/batch:7' });
    expect(rolesIn({ containers: [named, { ...istio, name: 'main' }] })).toEqual({
      'istio-proxy': unknown,
      main: unknown,
    });
  });
});

describe('the catalogue, for a sidecar with several names and images', () => {
  it.each([
    ['cloud-sql-proxy', 'gcr.io/cloud-sql-connectors/cloud-sql-proxy:2.18'],
    ['cloudsql-proxy', 'gcr.io/cloudsql-docker/gce-proxy:1.33'],
  ])('recognises %s', (name, image) => {
    const known = container(name, running, { image });
    expect(rolesIn({ containers: ['main', known] })[name]).toEqual(['Sidecar', 'Catalogue']);
  });
});

describe('a container that a sweep swapped, and whose new image does not start', () => {
  const noop = 'registry.example/noop:1';
  const swap = stepSpec.parse({ imageSwap: { image: noop } });
  const swapped = (more: Partial<ContainerView>) =>
    container('istio-proxy', waiting('ImagePullBackOff'), { image: noop, lastExitCode: 0, ...more });

  it('is what it was before the swap', () => {
    const before = swapped({ ranImage: istio.image });
    expect(rolesIn({ containers: ['main', before] })['istio-proxy']).toEqual(['Sidecar', 'Catalogue']);
    const rules: readonly Rule[] = [{ name: 'mesh', role: 'Sidecar', images: ['istio/proxyv2'] }];
    const roles = rolesIn({ policy: { rules }, containers: ['main', before] });
    expect(roles['istio-proxy']).toEqual(['Sidecar', 'Rule']);
  });

  it.each<readonly [title: string, more: Partial<ContainerView>]>([
    ['was created', { state: waiting('CrashLoopBackOff'), lastExitCode: 1 }],
    ['is about to start', { state: waiting('ContainerCreating') }],
  ])('is not what ran before if its new image %s', (_title, more) => {
    const roles = rolesIn({ containers: ['main', swapped({ ranImage: istio.image, ...more })] });
    expect(roles['istio-proxy']).toEqual(unknown);
  });

  it.each([
    ['by a longer name', 'docker.io/istio/proxyv2:1.27.0'],
    ['by its ID', 'sha256:0dec9701dd'],
  ])('is what its spec says if the runtime knows the image %s', (_title, ranImage) => {
    const known = swapped({ image: 'istio/proxyv2:1.27.0', ranImage });
    expect(rolesIn({ containers: ['main', known] })['istio-proxy']).toEqual(['Sidecar', 'Catalogue']);
    const rules: readonly Rule[] = [{ name: 'gateway', role: 'Main', images: ['docker.io/istio/*'] }];
    const roles = rolesIn({ policy: { rules }, containers: ['main', known] });
    expect(roles['istio-proxy']).toEqual(['Sidecar', 'Catalogue']);
  });

  it.each<readonly [title: string, policy: Partial<Policy>]>([
    ['before uncertain steps', { swap }],
    ['as a last resort', { lastResort: [swap] }],
  ])('is what it was while the kubelet has not replaced it, if it is swapped %s', (_title, by) => {
    const underWay = swapped({ state: running, lastExitCode: undefined, ranImage: istio.image });
    const roles = rolesIn({ policy: by, containers: ['main', underWay] });
    expect(roles['istio-proxy']).toEqual(['Sidecar', 'Catalogue']);
    const rules: readonly Rule[] = [{ name: 'mesh', role: 'Sidecar', images: ['istio/proxyv2'] }];
    const byRule = rolesIn({ policy: { ...by, rules }, containers: ['main', underWay] });
    expect(byRule['istio-proxy']).toEqual(['Sidecar', 'Rule']);
  });

  it.each<readonly [title: string, more: Partial<ContainerView>]>([
    ['runs the no-op image', { ranImage: noop }],
    ['runs the no-op image, by a longer name', { image: 'noop:1', ranImage: 'docker.io/library/noop:1' }],
    ['runs an image that the runtime knows by its ID', { ranImage: 'sha256:0dec9701dd' }],
    ['runs another image that is unknown', { ranImage: 'registry.example/work:1' }],
    [
      'is to have another image, as after an update',
      { image: 'registry.example/work:1', ranImage: istio.image },
    ],
    ['has ended', { state: exited(), ranImage: istio.image }],
  ])('is a main if it %s', (_title, more) => {
    const images = stepSpec.parse({ imageSwap: { image: more.image === 'noop:1' ? 'noop:1' : noop } });
    const underWay = swapped({ state: running, ...more });
    const roles = rolesIn({ policy: { swap: images }, containers: ['main', underWay] });
    expect(roles['istio-proxy']).toEqual(unknown);
  });

  it('is a sidecar by the policy’s own no-op image', () => {
    for (const policy of [{ swap }, { lastResort: [swap] }]) {
      const roles = rolesIn({ policy, containers: ['main', swapped({})] });
      expect(roles['istio-proxy']).toEqual(['Sidecar', 'SwappedImage']);
    }
    const failed = { state: waiting('CrashLoopBackOff'), lastExitCode: 128 };
    const roles = rolesIn({ policy: { swap }, containers: ['main', swapped(failed)] });
    expect(roles['istio-proxy']).toEqual(['Sidecar', 'SwappedImage']);
  });

  it.each<readonly [title: string, more: Partial<ContainerView>]>([
    ['runs', { state: running }],
    ['has ended', { state: exited() }],
    ['has never run', { lastExitCode: undefined }],
    ['failed, and is about to be restarted', { state: waiting('CrashLoopBackOff'), lastExitCode: 1 }],
    ['has another image', { image: 'registry.example/work:1' }],
  ])('is unknown if it %s: a main may have the same image', (_title, more) => {
    const roles = rolesIn({ policy: { swap }, containers: ['main', swapped(more)] });
    expect(roles['istio-proxy']).toEqual(unknown);
  });

  it('is a main if a rule says so', () => {
    const rules: readonly Rule[] = [{ name: 'gateway', role: 'Main', containers: ['istio-*'] }];
    const roles = rolesIn({ policy: { swap, rules }, containers: [swapped({})] });
    expect(roles['istio-proxy']).toEqual(['Main', 'Rule']);
  });
});

describe('the evidence for a container', () => {
  function evidenceFor(name: string, ...of: Parameters<typeof evidenceIn>): readonly Statement[] {
    return evidenceIn(...of).find((each) => each.container.name === name)?.evidence ?? [];
  }

  it('is in order of precedence', () => {
    const pod = podIn({
      containers: ['main', istio],
      annotations: {
        'nrmitchi.com/sidecars': 'istio-proxy',
        'kubectl.kubernetes.io/default-container': 'istio-proxy',
      },
    });
    const known = { policy: policy(), facts: factsIn({ template: ['main'] }) };
    expect(evidenceFor('istio-proxy', pod, known).map(({ role, because }) => [role, because.kind])).toEqual([
      ['Sidecar', 'Annotation'],
      ['Sidecar', 'NotInJobTemplate'],
      ['Main', 'DefaultContainer'],
      ['Sidecar', 'Catalogue'],
    ]);
    expect(evidenceFor('main', pod, known)).toEqual([{ role: 'Main', because: { kind: 'NoEvidence' } }]);
  });

  it('names its source', () => {
    const rules: readonly Rule[] = [{ name: 'mesh', role: 'Sidecar', containers: ['istio-*'] }];
    const pod = podIn({
      containers: ['main', istio],
      annotations: {
        'lemonade.com/sidecars': 'istio-proxy',
        [riskified]: 'main',
        'sidecar.istio.io/status': '{"containers":["istio-proxy"]}',
        'workflows.argoproj.io/kill-cmd-istio-proxy': '[]',
      },
    });
    const known = { policy: policy({ rules }), facts: factsIn({ template: ['main'] }) };
    expect(evidenceFor('istio-proxy', pod, known).map(({ because }) => because)).toEqual([
      { kind: 'Annotation', key: 'lemonade.com/sidecars' },
      { kind: 'NotListedAsMain', key: riskified },
      { kind: 'InjectionStatus', key: 'sidecar.istio.io/status' },
      { kind: 'KillCommand', key: 'workflows.argoproj.io/kill-cmd-istio-proxy' },
      { kind: 'NotInJobTemplate', job: 'work' },
      { kind: 'Rule', rule: 'mesh' },
      { kind: 'Catalogue', profile: 'istio' },
    ]);
  });
});

it('every container has one role, in the order of the spec', () => {
  const containers = ['c', 'a', 'b'];
  const judged = assignRoles(podIn({ containers }), { policy: policy(), facts: noFacts });
  expect(judged.map(({ container: { name } }) => name)).toEqual(containers);
});
