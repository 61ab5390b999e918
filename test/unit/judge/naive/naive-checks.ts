import type { ApiContainer } from './api-types.ts';
import type { Given } from './naive-roles.ts';
import { stateOf } from './naive-state.ts';

const ages: Readonly<Record<string, number>> = { '90m': 5_400_000, '0': 0 };

/** Every reason to exclude a pod, with its details. */
export function naiveChecks(
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
