// The emulator's public interface: files outside this folder import only this one. See README.md.

// A cluster with its API server, its recorded requests and its faults.

export type { ServiceAccountOptions } from './emulator.ts';
export {
  addNode,
  type Emulator,
  type EmulatorOptions,
  hangKubelet,
  type KubeconfigUser,
  startEmulator,
} from './emulator.ts';
export type { FaultAction, RequestMatch, RequestRecord } from './faults.ts';
export type { PodWebhook } from './handlers/call.ts';

// The cluster without an API server, and functions that create objects without a request.

export { ensureNamespace, ensureObject } from './emulator.ts';
export type { Placement } from './world/pods.ts';
export type { Store } from './world/store.ts';
export { createWorld, type World } from './world/world.ts';

// Clocks: real or accelerated, advanced only by the test, or real with jumps ahead.

export { emulatorClock, forwardClock, type PacedClock, type SteppedClock, steppedClock } from './clock.ts';

// Objects as in manifests and as in the API.

export type { JobManifest, PodManifest } from './world/defaults.ts';
export type {
  Container,
  ContainerStatus,
  Job,
  KubeObject,
  Pod,
  PodFailurePolicyRule,
} from './world/objects.ts';

// Programs of containers, for both runtimes.

export {
  containerOf,
  ignoresTerm,
  knownImages,
  untilTerm,
  withoutHandler,
} from './programs.ts';

// The light runtime's declared behaviour.

export {
  BEHAVIOUR_ANNOTATION,
  type Behaviours,
  type LightBehaviour,
} from './world/runtime/light-container.ts';

// Real processes: images and the runtime.

export { standInImages } from './programs.ts';
export {
  hostProgram,
  type Image,
  type Images,
  type RootEntry,
} from './world/runtime/processes/images.ts';

// What real processes need from this machine.

export { findCgroups } from './world/runtime/processes/machine.ts';
export {
  inClusterApiAvailable,
  processesAvailable,
  sharedPidNamespaceAvailable,
} from './world/runtime/processes/sandbox.ts';

// Objects in the encoding that the server sends.

export { protobufOf } from './protobuf/encode.ts';

// The example cluster of `npm run emulator` and `npm run demo`.

export { fillCluster, type Member, memberBehaviours, members } from './cluster.ts';
