import type { Cluster } from '../ports.ts';
import type { AttemptResult, ContainerStep, MethodName, PodRef, PodStep } from '../vocabulary.ts';
import { command } from './command.ts';
import { deadline } from './deadline.ts';
import { deletion } from './delete.ts';
import { ephemeralContainer } from './ephemeral-container.ts';
import { evict } from './evict.ts';
import { http } from './http.ts';
import { imageSwap } from './image-swap.ts';
import type { Rule } from './method.ts';
import { signal } from './signal.ts';
import { tombstone } from './tombstone.ts';

/** Every way to end a sidecar. */
export const methods = {
  Command: command,
  Http: http,
  Signal: signal,
  Tombstone: tombstone,
  ImageSwap: imageSwap,
  EphemeralContainer: ephemeralContainer,
  Deadline: deadline,
  Evict: evict,
  Delete: deletion,
} as const satisfies Record<MethodName, { readonly flag: string; readonly rbac: readonly Rule[] }>;

export function sendToContainer(
  cluster: Cluster,
  pod: PodRef,
  container: string,
  step: ContainerStep,
  abort: AbortSignal,
): Promise<AttemptResult> {
  switch (step.method) {
    case 'Command':
      return command.send(cluster, pod, container, step, abort);
    case 'Http':
      return http.send(cluster, pod, container, step, abort);
    case 'Signal':
      return signal.send(cluster, pod, container, step, abort);
    case 'Tombstone':
      return tombstone.send(cluster, pod, container, step, abort);
  }
}

export function sendToPod(
  cluster: Cluster,
  pod: PodRef,
  containers: readonly string[],
  step: PodStep,
  abort: AbortSignal,
): Promise<AttemptResult> {
  switch (step.method) {
    case 'ImageSwap':
      return imageSwap.send(cluster, pod, containers, step, abort);
    case 'EphemeralContainer':
      return ephemeralContainer.send(cluster, pod, containers, step, abort);
    case 'Deadline':
      return deadline.send(cluster, pod, containers, step, abort);
    case 'Evict':
      return evict.send(cluster, pod, containers, step, abort);
    case 'Delete':
      return deletion.send(cluster, pod, containers, step, abort);
  }
}
