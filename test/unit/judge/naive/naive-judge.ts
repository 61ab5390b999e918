import type { ApiContainer, ApiStatus } from './api-types.ts';
import { type Given, naiveRemarks, naiveRole, stateOf } from './naive-roles.ts';

/** A verdict as text, in arbitrary order. */
export interface NaiveVerdict {
  readonly kind: string;
  readonly details: readonly string[];
}

/**
 * A second, simple implementation of the rules, written from their description and without code from the
 * product. A mistake is unlikely to be in both.
 */
export function naiveJudge(given: Given): NaiveVerdict {
  const { pod } = given;
  if (!statusesAddUp(given)) return { kind: 'Undecided', details: [] };
  const roles = pod.spec.containers.map((container) => ({ container, ...naiveRole(container, given) }));
  const mains = roles.filter(({ role }) => role === 'Main').map(({ container }) => container);
  const sidecars = roles.filter(({ role }) => role === 'Sidecar').map(({ container }) => container);
  const found = naiveChecks(mains, sidecars, given);
  const remarks = naiveRemarks(pod).map((remark) => `remark ${remark}`);
  const told = [...roles.map(({ container, role, why }) => `${container.name} ${role} ${why}`), ...remarks];
  if (found.length === 0) return { kind: 'Candidate', details: told };
  const unstarted = sidecars.some(({ name }) => stateOf(pod, name).is === 'waiting');
  const onlyUnstarted = found.every((one) => one.startsWith('NotRunning ') || one === 'NoRunningSidecar');
  if (given.includePending && pod.status.phase === 'Pending' && unstarted && onlyUnstarted) {
    return { kind: 'NeverStarted', details: told };
  }
  const lacksImage = sidecars.some(({ name }) =>
    pod.status.containerStatuses?.some(
      (one) => one.name === name && one.state.waiting?.reason === 'ImagePullBackOff',
    ),
  );
  if (lacksImage && found.every((one) => one === 'NoRunningSidecar')) {
    return { kind: 'NotStartedAgain', details: told };
  }
  const hang = naiveHang(mains, sidecars, found, given);
  if (hang !== undefined) return { kind: 'Hanging', details: [hang, ...told] };
  return { kind: 'Excluded', details: [...found, ...told] };
}

function statusesAddUp({ pod }: Given): boolean {
  const names = pod.spec.containers.map(({ name }) => name).sort();
  const reported = (pod.status.containerStatuses ?? []).map(({ name }) => name).sort();
  if (pod.status.phase === 'Pending' && reported.length === 0) return true;
  return new Set(names).size === names.length && names.join() === reported.join();
}

const ages: Readonly<Record<string, number>> = { '90m': 5_400_000, '0': 0 };

/** Every reason to exclude a pod, with its details. */
function naiveChecks(
  mains: readonly ApiContainer[],
  sidecars: readonly ApiContainer[],
  { pod, now, minAge, namespaces, unready, self }: Given,
): readonly string[] {
  const { metadata, spec, status } = pod;
  const annotations = metadata.annotations ?? {};
  const found: string[] = [];

  if (self === `${metadata.namespace}/${metadata.name}`) found.push('OwnPod');
  if (
    /^kube-(system|public|node-lease)$/.test(metadata.namespace) &&
    !namespaces.includes(metadata.namespace)
  )
    found.push('SystemNamespace');
  const skip = annotations['sidecar-sweeper.dev/skip'];
  if (skip !== undefined && skip.trim().toLowerCase() !== 'false') found.push('OptedOut');
  const controlledByNode = metadata.ownerReferences?.some((one) => one.controller && one.kind === 'Node');
  if ('kubernetes.io/config.mirror' in annotations || controlledByNode) found.push('StaticPod');
  if ((spec.os?.name ?? spec.nodeSelector?.['kubernetes.io/os']) === 'windows') found.push('Windows');
  if (spec.nodeName !== undefined && (unready === spec.nodeName || status.reason === 'NodeLost'))
    found.push('NodeNotReady');
  if (metadata.deletionTimestamp !== undefined) found.push('BeingDeleted');
  if (status.phase !== 'Running') found.push(`NotRunning ${status.phase}`);
  for (const { name, restartPolicyRules } of spec.containers) {
    if (restartPolicyRules?.some(({ action }) => action !== 'Restart')) found.push(`RestartsOthers ${name}`);
  }
  if (sidecars.length === 0) found.push('NoSidecar');
  else if (!sidecars.some(({ name }) => stateOf(pod, name).is === 'running')) found.push('NoRunningSidecar');
  if (mains.length === 0) found.push('NoMain');

  let youngest = Number.POSITIVE_INFINITY;
  let unfinished = mains.length === 0;
  let unknownAge = false;
  for (const main of mains) {
    const { is, exitCode, finishedAt } = stateOf(pod, main.name);
    if (is === 'running') found.push(`MainRunning ${main.name}`);
    if (is === 'waiting' || is === 'unknown') found.push(`MainWaiting ${main.name}`);
    if (is !== 'terminated') {
      unfinished = true;
      continue;
    }
    if (comesBack(main, spec.restartPolicy, exitCode)) found.push(`MainWillRestart ${main.name}`);
    if (finishedAt === undefined || finishedAt > now) unknownAge = true;
    else youngest = Math.min(youngest, now - finishedAt);
  }
  const wanted = annotations['sidecar-sweeper.dev/min-age']?.trim();
  const least = wanted === undefined ? minAge : ages[wanted];
  if (least === undefined) found.push('UnreadableAnnotation');
  if (!unfinished && unknownAge) found.push('AgeUnknown');
  if (!unfinished && !unknownAge && least !== undefined && youngest < least)
    found.push(`TooYoung ${youngest}`);
  return found;
}

function comesBack(
  { restartPolicy, restartPolicyRules }: ApiContainer,
  ofPod: string,
  code: number,
): boolean {
  for (const { exitCodes } of restartPolicyRules ?? []) {
    // A malformed rule is assumed to match every exit code.
    const isReadable = /^(Not)?In$/.test(exitCodes.operator) && exitCodes.values.every(Number.isInteger);
    if (!isReadable) return true;
    if (exitCodes.operator === 'In' && exitCodes.values.includes(code)) return true;
    if (exitCodes.operator === 'NotIn' && !exitCodes.values.includes(code)) return true;
  }
  const policy = restartPolicy ?? ofPod;
  return policy === 'Always' || (policy === 'OnFailure' && code !== 0);
}

/** All mesh proxies that occur; there is no database. */
const proxy = /(^|\/)(proxyv2|linkerd\/proxy)(?![^:@])/;

/** What a pod hangs on, and since when, with the reasons that it is left alone for. */
function naiveHang(
  mains: readonly ApiContainer[],
  sidecars: readonly ApiContainer[],
  found: readonly string[],
  given: Given,
): string | undefined {
  const { spec, status, metadata } = given.pod;
  const own = metadata.annotations?.['sidecar-sweeper.dev/min-age']?.trim();
  const least = own === undefined ? given.minAge : ages[own];
  if (least === undefined) return undefined;
  const onlyFor = (...kinds: readonly string[]) =>
    found.every((reason) => kinds.includes(reason.split(' ')[0] ?? ''));
  const say = (since: number, atLeast: number, ...words: readonly string[]) =>
    given.now - since >= Math.max(least, atLeast)
      ? [...words, new Date(since).toISOString()].join(' ')
      : undefined;

  if (onlyFor('NotRunning', 'NoSidecar', 'NoRunningSidecar', 'MainWaiting')) {
    const inits = (spec.initContainers ?? []).map((init) => {
      const now = status.initContainerStatuses?.find(({ name }) => name === init.name);
      const since = now?.state.running ? Date.parse(now.state.running.startedAt) : Number.NaN;
      return { init, now, since, isNative: init.restartPolicy === 'Always' };
    });
    for (const { init, since, isNative } of inits) {
      const meant = isNative ? undefined : meantAsNative(init, given);
      const hang = meant && say(since, 0, 'RestartPolicyDropped', init.name, meant);
      if (hang) return hang;
    }
    for (const { init, now, since, isNative } of inits) {
      if (!isNative || spec.restartPolicy !== 'Never' || !isUnprobed(init, now)) continue;
      const hang = say(since, probing(init), 'StartupProbeStopped', init.name, String(now?.restartCount));
      if (hang) return hang;
    }
  }

  const states = spec.containers.map(({ name }) => ({ name, ...stateOf(given.pod, name) }));
  const due = mains.find(({ name }) => found.includes(`MainWillRestart ${name}`));
  const probed = (spec.initContainers ?? []).some((init) => {
    const now = status.initContainerStatuses?.find(({ name }) => name === init.name);
    return init.restartPolicy === 'Always' && init.startupProbe && now?.started && now.state.running;
  });
  if (
    due &&
    probed &&
    onlyFor('MainWillRestart', 'NoSidecar', 'NoRunningSidecar') &&
    given.ready !== undefined &&
    given.ready === spec.nodeName &&
    states.every(({ is, finishedAt }) => is === 'terminated' && finishedAt !== undefined)
  ) {
    const last = Math.max(...states.map(({ finishedAt }) => finishedAt ?? 0));
    const { exitCode } = stateOf(given.pod, due.name);
    return say(last, 600_000, 'MainNotRestarted', due.name, String(exitCode));
  }

  const running = (spec.initContainers ?? []).find(({ name, restartPolicy }) => {
    const now = status.initContainerStatuses?.find((one) => one.name === name);
    return restartPolicy === 'Always' && now?.state.running;
  });
  const areOver = states.every(
    ({ name, is, exitCode, finishedAt }) =>
      is === 'terminated' && finishedAt !== undefined && !returns(name, given, exitCode),
  );
  if (
    running &&
    areOver &&
    onlyFor('NoSidecar', 'NoRunningSidecar') &&
    given.ready !== undefined &&
    given.ready === spec.nodeName
  ) {
    const last = Math.max(...states.map(({ finishedAt }) => finishedAt ?? 0));
    return say(last, 0, 'NativeSidecarRunsOn', running.name, '30000');
  }

  const [main] = mains;
  const proxies = sidecars.filter(
    ({ name, image = '' }) => /^(istio|linkerd)-proxy$/.test(name) && isOwnImage(name, image),
  );
  const ended = proxies.map(({ name }) => ({ name, ...stateOf(given.pod, name) }));
  const areRunning = mains.every(({ name }) => found.includes(`MainRunning ${name}`));
  if (!main || !areRunning || ended.length === 0 || !onlyFor('MainRunning', 'NoRunningSidecar'))
    return undefined;
  const isOver = ended.every(
    ({ name, is, exitCode, finishedAt }) =>
      is === 'terminated' && exitCode === 0 && finishedAt !== undefined && !returns(name, given),
  );
  const last = Math.max(...ended.map(({ finishedAt }) => finishedAt ?? 0));
  const name = ended.find(({ finishedAt }) => finishedAt === last)?.name ?? '';
  // All mains began three hours ago.
  const isFirst = last > given.now - 10_800_000;
  return isOver && isFirst ? say(last, 0, 'ProxyEndedFirst', name, main.name) : undefined;
}

function isOwnImage(name: string, image: string): boolean {
  return proxy.exec(image)?.[2] === (name === 'istio-proxy' ? 'proxyv2' : 'linkerd/proxy');
}

function returns(name: string, { pod: { spec } }: Given, exitCode = 0): boolean {
  const container = spec.containers.find((one) => one.name === name);
  const rules = container?.restartPolicyRules ?? [];
  const matches = rules.some(({ exitCodes: { operator, values } }) => {
    if (!/^(Not)?In$/.test(operator) || !values.every(Number.isInteger)) return true;
    return values.includes(exitCode) === (operator === 'In');
  });
  const policy = container?.restartPolicy ?? spec.restartPolicy;
  return matches || policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
}

function isUnprobed({ startupProbe }: ApiContainer, status: ApiStatus | undefined): boolean {
  return startupProbe !== undefined && status?.started !== true && (status?.restartCount ?? 0) > 0;
}

/** The probe's time, a period to begin, the usual grace period of 30 s, and a minute. */
function probing({ startupProbe }: ApiContainer): number {
  const { periodSeconds = 0, failureThreshold = 0 } = startupProbe ?? {};
  return ((failureThreshold + 1) * periodSeconds + 90) * 1000;
}

/** The Job or the profile that says so. */
function meantAsNative({ name, image = '' }: ApiContainer, { pod, natives }: Given): string | undefined {
  const job = pod.metadata.ownerReferences?.find(
    (one) => one.controller && one.apiVersion === 'batch/v1' && one.uid === 'job-1',
  );
  if (job && natives?.includes(name)) return job.name;
  return name === 'istio-proxy' && isOwnImage(name, image) ? 'istio' : undefined;
}
