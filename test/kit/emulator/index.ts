// The emulator's public interface: files outside this folder import only this one. See README.md.

export { emulatorClock, type RunningClock, type SteppedClock, steppedClock } from './clock.ts';
// The example cluster of `npm run emulator` and `npm run demo`.
export { fillCluster, type Member, memberBehaviours, members } from './cluster.ts';
export {
  addNode,
  type Emulator,
  type EmulatorOptions,
  ensureNamespace,
  ensureObject,
  hangKubelet,
  type KubeconfigUser,
  type ServiceAccountOptions,
  startEmulator,
} from './emulator.ts';
export type { FaultAction, RequestMatch, RequestRecord } from './faults.ts';
export type { PodWebhook } from './handlers/call.ts';
export {
  containerOf,
  ignoresTerm,
  knownImages,
  standInImages,
  untilTerm,
  withoutHandler,
} from './programs.ts';
export { protobufOf } from './protobuf/encode.ts';
export type { JobManifest, PodManifest } from './world/defaults.ts';
export { readIndexes } from './world/job/pods.ts';
export type {
  Container,
  ContainerStatus,
  Job,
  KubeObject,
  Pod,
  PodFailurePolicyRule,
} from './world/objects.ts';
export type { Placement } from './world/pods.ts';
export {
  BEHAVIOUR_ANNOTATION,
  type Behaviours,
  type LightBehaviour,
} from './world/runtime/light-behaviour.ts';
export { hostProgram, type Image, type Images, type RootEntry } from './world/runtime/processes/images.ts';
// What real processes need from this machine.
export {
  findCgroups,
  inClusterApiAvailable,
  processesAvailable,
  sharedPidNamespaceAvailable,
} from './world/runtime/processes/machine.ts';
export type { Store } from './world/store.ts';
export { createWorld, type World } from './world/world.ts';
