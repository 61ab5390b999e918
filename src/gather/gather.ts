import type { Millis } from '../duration.ts';
import { judge } from '../judge/judge.ts';
import { jobToRead } from '../judge/missing-facts.ts';
import { jobKey } from '../pod/owner.ts';
import type { Policy } from '../policy/policy.ts';
import type { Slots } from '../ports.ts';
import { inTurns } from '../turns.ts';
import type { Facts, Owner, PodView } from '../vocabulary.ts';
import type { JobReader, OwnedJob } from './jobs.ts';
import type { NodeReader } from './nodes.ts';

export interface GatherOptions {
  readonly policy: Policy;
  readonly self: Facts['self'];
  readonly jobs: Pick<JobReader, 'readAll'>;
  readonly nodes: Pick<NodeReader, 'readAll'>;
  readonly slots: Slots;
  readonly abort: AbortSignal;
}

/** Reads what judging needs besides the pods: each Job and node at most once, and only if it could matter. */
export interface Gatherer {
  /** Everything read so far; grows with every page. */
  readonly facts: Facts;
  gather(pods: readonly PodView[], now: Millis | undefined): Promise<void>;
}

export function createGatherer({ policy, self, jobs, nodes, slots, abort }: GatherOptions): Gatherer {
  const jobContainers = new Map<string, readonly string[]>();
  const unreadyNodes = new Map<string, string>();
  const platforms = new Map<string, string>();
  const facts: Facts = { jobContainers, unreadyNodes, platforms, self };
  const asked = new Set<string>();

  async function readJobs(owned: readonly OwnedJob[]): Promise<void> {
    const readings = await jobs.readAll(owned, slots, abort);
    for (const { namespace, owner } of owned) {
      const reading = readings.get(jobKey(namespace, owner));
      if (reading?.kind === 'Present') jobContainers.set(owner.uid, reading.job.containers);
    }
  }

  async function readNodes(names: readonly string[]): Promise<void> {
    for (const [name, reading] of await nodes.readAll(names, slots, abort)) {
      if (reading.kind === 'NotReady') unreadyNodes.set(name, reading.reason);
      if (reading.kind === 'Ready') platforms.set(name, reading.platform);
    }
  }

  /** A pod that cannot be judged needs no Job; its verdict says why. */
  function jobOf(pod: PodView, now: Millis | undefined): Owner | undefined {
    try {
      return jobToRead(pod, policy, now, facts);
    } catch {
      return undefined;
    }
  }

  /** Whether this is the first request for a key. */
  function isNew(key: string): boolean {
    const size = asked.size;
    return asked.add(key).size > size;
  }

  return {
    facts,
    async gather(pods, now) {
      const owned: OwnedJob[] = [];
      for await (const pod of inTurns(pods)) {
        const { namespace } = pod.ref;
        const owner = jobOf(pod, now);
        if (owner && isNew(`job ${jobKey(namespace, owner)}`)) owned.push({ namespace, owner });
      }
      await readJobs(owned);
      const names: string[] = [];
      for await (const pod of inTurns(pods)) {
        const { node } = pod;
        if (node === undefined || judge(pod, policy, now, facts).kind !== 'Candidate') continue;
        if (isNew(`node ${node}`)) names.push(node);
      }
      await readNodes(names);
    },
  };
}
