import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import {
  addNode,
  type Emulator,
  ensureNamespace,
  hangKubelet,
  type Pod,
  startEmulator,
} from '../../test/kit/emulator/index.ts';
import { type Filling, jobsOf, nodeOf, podsOf, stuckOf } from './pods.ts';

/** How to reach a cluster. */
export interface Access {
  readonly kubeconfig: string;
  readonly server: string;
  readonly ca: string;
  readonly token: string;
}

export interface Outcome {
  readonly succeeded: number;
  readonly stuck: number;
  /** When the last of those pods ended that are not on a hanging node, in milliseconds since 1970. */
  readonly lastEndAt: number;
}

/** A light cluster with the pods of a benchmark. */
export class EmulatedCluster {
  #lastEndAt = 0;

  private constructor(
    private readonly emulator: Emulator,
    private readonly filling: Filling,
  ) {}

  static async start(filling: Filling): Promise<EmulatedCluster> {
    const cluster = new EmulatedCluster(await startEmulator({ runtime: 'light' }), filling);
    cluster.#fill();
    cluster.#watchEnds();
    await cluster.#warmUp();
    return cluster;
  }

  get access(): Access {
    const { emulator } = this;
    return {
      kubeconfig: emulator.kubeconfig(),
      server: emulator.url,
      ca: emulator.ca,
      token: emulator.token,
    };
  }

  outcome(): Outcome {
    const pods = stuckOf(this.filling).map((pod) => this.#pod(pod.namespace, pod.name));
    const succeeded = pods.filter((pod) => pod?.status.phase === 'Succeeded').length;
    return { succeeded, stuck: pods.length - succeeded, lastEndAt: this.#lastEndAt };
  }

  async stop(): Promise<void> {
    await this.emulator.stop();
  }

  #pod(namespace: string, name: string): Pod | undefined {
    return this.emulator.world.store.get<Pod>('pods', namespace, name);
  }

  #fill(): void {
    const { world } = this.emulator;
    const { namespaces, nodes = 1, prefix } = this.filling;
    for (let index = 0; index < nodes; index++) addNode(this.emulator, nodeOf(index));
    for (const node of this.#hangingNodes()) hangKubelet(this.emulator, node);
    for (let index = 0; index < namespaces; index++) ensureNamespace(world, `${prefix}-${index}`);
    world.placePods(podsOf(this.filling, Date.now()));
    for (const job of jobsOf(this.filling)) world.createJob(job);
  }

  #watchEnds(): void {
    const hanging = this.#hangingNodes();
    this.emulator.world.store.subscribe(({ resource, type, object }) => {
      if (resource !== 'pods' || type !== 'MODIFIED') return;
      const { status, spec } = object as Pod;
      if (status.phase === 'Succeeded' && !hanging.has(spec.nodeName ?? '')) this.#lastEndAt = Date.now();
    });
  }

  #hangingNodes(): ReadonlySet<string> {
    return new Set(Array.from({ length: this.filling.hanging ?? 0 }, (_, index) => nodeOf(index)));
  }

  /** The first list encodes the pods, which are kept encoded from then on. */
  async #warmUp(): Promise<void> {
    const path = '/api/v1/pods?fieldSelector=status.phase%3DRunning,spec.restartPolicy!%3DAlways';
    const protobuf = 'application/vnd.kubernetes.protobuf';
    const { url, ca, token } = this.emulator;
    for (const accept of this.filling.asJson ? [protobuf, 'application/json'] : [protobuf]) {
      const headers = { accept, authorization: `Bearer ${token}` };
      const sent = request(`${url}${path}`, { ca, agent: false, headers }).end();
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      await once(response.resume(), 'end');
    }
  }
}
