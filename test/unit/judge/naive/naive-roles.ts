import type { ApiContainer, ApiPod } from './api-types.ts';

/** All inputs of a verdict. */
export interface Given {
  readonly pod: ApiPod;
  readonly now: number;
  readonly minAge: number;
  readonly namespaces: readonly string[];
  readonly includePending: boolean;
  /** The policy's only rule: containers with this name are sidecars in this namespace. */
  readonly rule: { readonly container: string; readonly namespace: string } | undefined;
  /** Containers in the template of the Job with the uid job-1. */
  readonly template: readonly string[] | undefined;
  /** Native sidecars in that template. */
  readonly natives: readonly string[] | undefined;
  readonly unready: string | undefined;
  /** The node that is known to be ready. */
  readonly ready: string | undefined;
  readonly self: string | undefined;
}

interface NaiveRole {
  readonly role: 'Main' | 'Sidecar';
  readonly why: string;
}

/** Checks the sources of evidence in the documented order. */
export function naiveRole(container: ApiContainer, { pod, rule, template }: Given): NaiveRole {
  const { name, image = '' } = container;
  const { metadata, spec } = pod;
  const annotations = metadata.annotations ?? {};
  const main = (why: string): NaiveRole => ({ role: 'Main', why });
  const sidecar = (why: string): NaiveRole => ({ role: 'Sidecar', why });

  const ownMains = listed(annotations['sidecar-sweeper.dev/main']);
  if (ownMains.includes(name)) return main('Annotation sidecar-sweeper.dev/main');
  const ownSidecars = annotations['sidecar-sweeper.dev/sidecars'];
  if (listed(ownSidecars).includes(name)) return sidecar('Annotation sidecar-sweeper.dev/sidecars');
  const argo = naiveArgoMains(pod);
  if (argo && ['wait', 'supervisor'].includes(name)) return main('ArgoWorkflow');
  if (ownSidecars === undefined && areAllHere(ownMains, pod))
    return sidecar('NotListedAsMain sidecar-sweeper.dev/main');

  const riskified = listed(annotations['riskified.com/main_sidecars']);
  if (riskified.includes(name)) return main('Annotation riskified.com/main_sidecars');
  for (const peer of ['nrmitchi.com', 'lemonade.com', 'pod.kubernetes.io', 'riskified.com']) {
    if (listed(annotations[`${peer}/sidecars`]).includes(name)) return sidecar(`Annotation ${peer}/sidecars`);
  }
  if (areAllHere(riskified, pod)) return sidecar('NotListedAsMain riskified.com/main_sidecars');

  const kruise = 'KRUISE_TERMINATE_SIDECAR_WHEN_JOB_EXIT';
  if (/^true$/i.test(variable(container, kruise))) return sidecar(`Variable ${kruise}`);
  if (variable(container, `${kruise}_WITH_IMAGE`) !== '') return sidecar(`Variable ${kruise}_WITH_IMAGE`);
  const kubexit = naiveKubexit(container, pod);
  if (kubexit) return kubexit;

  const istio = annotations['sidecar.istio.io/status'] ?? '';
  if (istio.startsWith('{') && istio.includes(`"${name}"`))
    return sidecar('InjectionStatus sidecar.istio.io/status');
  const linkerd = ['linkerd.io/created-by', 'config.linkerd.io/skip-inbound-ports'].find(
    (key) => key in annotations,
  );
  if (name === 'linkerd-proxy' && linkerd !== undefined) return sidecar(`InjectionStatus ${linkerd}`);

  if (argo) {
    if (argo.includes(name)) return main('ArgoWorkflow');
    if (spec.containers.some((one) => argo.includes(one.name))) return sidecar('ArgoWorkflow');
  }
  for (const prefix of ['sidecar-sweeper.dev', 'workflows.argoproj.io']) {
    const key = `${prefix}/kill-cmd-${name}`;
    if (key in annotations) return sidecar(`KillCommand ${key}`);
  }

  const job = metadata.ownerReferences?.find(
    (one) => one.controller && one.apiVersion === 'batch/v1' && one.uid === 'job-1',
  );
  if (job && template && !template.includes(name)) return sidecar(`NotInJobTemplate ${job.name}`);
  if (annotations['kubectl.kubernetes.io/default-container']?.trim() === name)
    return main('DefaultContainer');
  if (rule?.container === name && rule.namespace === metadata.namespace) return sidecar('Rule naive');

  if (name === 'istio-proxy' && /(^|\/)proxyv2(?![^:@])/.test(image)) return sidecar('Catalogue istio');
  if (name === 'linkerd-proxy' && /(^|\/)linkerd\/proxy(?![^:@])/.test(image))
    return sidecar('Catalogue linkerd');
  if (name === 'vault-agent' && /(^|\/)vault(?![^:@])/.test(image)) return sidecar('Catalogue vault-agent');
  return main('NoEvidence');
}

/** Splits a comma-separated list of names. */
function listed(text = ''): readonly string[] {
  return text.replaceAll(' ', '').split(',').filter(Boolean);
}

/** Whether a list of main containers is trusted as complete. */
function areAllHere(list: readonly string[], { spec }: ApiPod): boolean {
  const missing = list.filter((name) => !spec.containers.some((one) => one.name === name));
  return list.length > 0 && missing.length === 0;
}

function variable({ env = [] }: ApiContainer, name: string): string {
  return env.find((one) => one.name === name)?.value ?? '';
}

/** There are two processes, a and b; each may depend on the other. */
function naiveKubexit(container: ApiContainer, { spec }: ApiPod): NaiveRole | undefined {
  const waitsFor = (one: ApiContainer) => listed(variable(one, 'KUBEXIT_DEATH_DEPS'));
  const others = (name: string) => spec.containers.filter((one) => variable(one, 'KUBEXIT_NAME') === name);
  const own = variable(container, 'KUBEXIT_NAME');
  const awaited = waitsFor(container);
  if (awaited.length > 0) {
    const back = awaited.some((name) => others(name).some((other) => waitsFor(other).includes(own)));
    return back ? undefined : { role: 'Sidecar', why: 'Variable KUBEXIT_DEATH_DEPS' };
  }
  const isAwaited = own !== '' && spec.containers.some((other) => waitsFor(other).includes(own));
  return isAwaited ? { role: 'Main', why: 'Variable KUBEXIT_NAME' } : undefined;
}

/** The known main containers of an Argo Workflows pod; undefined for other pods. */
function naiveArgoMains({ metadata, spec }: ApiPod): readonly string[] | undefined {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller)?.kind;
  const isLabelled = 'workflows.argoproj.io/workflow' in (metadata.labels ?? {});
  if (owner !== 'Workflow' && !(isLabelled && owner !== 'Job')) return undefined;
  const written = spec.containers.flatMap(({ env = [] }) =>
    env.filter(({ name }) => name === 'ARGO_TEMPLATE'),
  )[0];
  const template = written ? (written.value ?? '') : metadata.annotations?.['workflows.argoproj.io/template'];
  if (template === '') return [];
  // A container set with a nameless container is not trusted.
  if (template?.includes('{}]}}')) return [];
  const names = [...(template ?? '').matchAll(/"name":"(\w+)"/g)].map(([, name]) => name ?? '');
  return names.length > 0 ? names : ['main'];
}

export interface NaiveState {
  readonly is: 'running' | 'waiting' | 'terminated' | 'unknown';
  readonly exitCode: number;
  /** Undefined if unknown. */
  readonly finishedAt: number | undefined;
}

/** The state of a container in the status. */
export function stateOf(pod: ApiPod, name: string): NaiveState {
  const nothing = { exitCode: Number.NaN, finishedAt: undefined };
  const status = pod.status.containerStatuses?.find((one) => one.name === name);
  if (!status) return { is: 'unknown', ...nothing };
  if (status.state.terminated) {
    const { exitCode, finishedAt } = status.state.terminated;
    const time = new Date(finishedAt ?? 'never').getTime();
    return { is: 'terminated', exitCode, finishedAt: time > 0 ? time : undefined };
  }
  return { is: status.state.running ? 'running' : 'waiting', ...nothing };
}

const sidecarKeys = [
  'sidecar-sweeper.dev/sidecars',
  'nrmitchi.com/sidecars',
  'lemonade.com/sidecars',
  'pod.kubernetes.io/sidecars',
  'riskified.com/sidecars',
];
const mainKeys = ['sidecar-sweeper.dev/main', 'riskified.com/main_sidecars'];

/** Remarks on a pod's annotations. */
export function naiveRemarks(pod: ApiPod): readonly string[] {
  const annotations = pod.metadata.annotations ?? {};
  const { containers, initContainers = [], ephemeralContainers = [] } = pod.spec;
  const existing = [...containers, ...initContainers, ...ephemeralContainers].map(({ name }) => name);
  const remarks: string[] = [];
  for (const key of [...sidecarKeys, ...mainKeys, 'kubectl.kubernetes.io/default-container']) {
    for (const name of listed(annotations[key])) {
      if (!existing.includes(name)) remarks.push(`UnknownContainer ${key} ${name}`);
    }
  }
  const all = (keys: readonly string[]) => keys.flatMap((key) => listed(annotations[key]));
  for (const name of new Set(all(mainKeys))) {
    if (all(sidecarKeys).includes(name)) remarks.push(`NamedAsBoth ${name}`);
  }
  const istio = annotations['sidecar.istio.io/status'];
  if (istio !== undefined && !istio.startsWith('{')) remarks.push('Unreadable sidecar.istio.io/status');
  return remarks;
}
