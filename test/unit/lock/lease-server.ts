import type { Lease, LeaseReading, Leases, LeaseWrite } from '../../../src/model/ports.ts';
import type { Problem } from '../../../src/model/reading.ts';
import { onAbort } from '../../../src/util/concurrency.ts';
import type { Clock } from '../../../src/util/time.ts';

/** What the network does to one request and its answer; times in milliseconds. */
export interface Network {
  /** Until the server has it; it arrives even if the client has given up. */
  readonly there: number;
  readonly back: number;
  /** With `Distrusted`, the client does not trust the server's certificate. */
  readonly fate: 'Answered' | 'RequestLost' | 'AnswerLost' | 'Busy' | 'Distrusted';
  readonly timeless?: boolean;
}

export const calm: Network = { there: 0, back: 0, fate: 'Answered' };
export const busy: Network = { ...calm, fate: 'Busy' };
export const silent: Network = { ...calm, fate: 'RequestLost' };

const problems: Readonly<Partial<Record<Network['fate'], Problem>>> = {
  Busy: { kind: 'Rejected', message: 'HTTP 503: busy', isFleeting: true },
  Distrusted: { kind: 'Unreachable', message: 'the certificate is not trusted' },
};

/** An API server that keeps one Lease as Kubernetes does, behind a network. */
export class LeaseServer {
  stored: Lease | undefined;
  #version = 0;
  readonly #never = new AbortController().signal;

  constructor(private readonly clock: Clock) {}

  port(network: () => Network): Leases {
    const ask = async <T>(
      serve: (network: Network) => T,
      failed: (problem: Problem) => T,
      abort: AbortSignal,
    ): Promise<T> => {
      const drawn = network();
      const { there, back, fate } = drawn;
      const answering = (async () => {
        await this.clock.sleep(there, this.#never);
        if (fate === 'RequestLost') return await lost<T>();
        const problem = problems[fate];
        const answer = problem ? failed(problem) : serve(drawn);
        await this.clock.sleep(back, this.#never);
        return fate === 'AnswerLost' ? await lost<T>() : answer;
      })();
      const late = new Promise<T>((resolve) => {
        const give = () => resolve(failed({ kind: 'Interrupted', message: 'the sweep was stopped' }));
        onAbort(abort, give);
      });
      return Promise.race([answering, late]);
    };
    return {
      createLease: (_ref, lease, abort) =>
        ask<LeaseWrite>(
          () => (this.stored ? { kind: 'Conflict' } : this.#store({ ...lease, renewedAt: this.#seconds() })),
          (problem) => ({ kind: 'Failed', problem }),
          abort,
        ),
      readLease: (_ref, abort) =>
        ask<LeaseReading>(
          ({ timeless }) =>
            this.stored
              ? { kind: 'Present', lease: this.stored, asOf: timeless ? undefined : this.#seconds() }
              : { kind: 'Unreadable', problem: { kind: 'NotFound', message: 'not found' } },
          (problem) => ({ kind: 'Unreadable', problem }),
          abort,
        ),
      updateLease: (_ref, lease, abort) =>
        ask<LeaseWrite>(
          () =>
            this.stored?.resourceVersion === lease.resourceVersion
              ? this.#store(lease)
              : { kind: 'Conflict' },
          (problem) => ({ kind: 'Failed', problem }),
          abort,
        ),
    };
  }

  /** A Date has no fractions of a second. */
  #seconds(): number {
    return Math.floor(this.clock.now() / 1_000) * 1_000;
  }

  #store(lease: Omit<Lease, 'resourceVersion'>): LeaseWrite {
    this.stored = { ...lease, resourceVersion: String(++this.#version) };
    return { kind: 'Written', lease: this.stored };
  }
}

function lost<T>(): Promise<T> {
  return new Promise<T>(() => undefined);
}
