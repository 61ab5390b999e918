import { setImmediate } from 'node:timers/promises';
import type { Cluster } from '../../../src/model/ports.ts';
import type { Clock } from '../../../src/util/time.ts';
import { clockOf } from '../../builders/stepped-clock.ts';
import { steppedClock } from '../emulator/index.ts';

/** Milliseconds of the cluster's time that pass between two looks at what is under way. */
const tick = 100;
/** A request without an answer for this many real milliseconds waits for the cluster's time. */
const patience = 250;
/** Turns of the event loop without a request until nothing more follows from what was answered. */
const quietTurns = 3;

/**
 * Time that passes only while no request is under way: waits cost nothing, and a slow machine changes nothing.
 */
export class Simulation {
  readonly clock = steppedClock(Date.now());
  /** For requests: while one pauses before it is tried again, it does not hold the time. */
  readonly requestClock: Clock = {
    now: () => this.clock.now().getTime(),
    sleep: async (time, abort) => {
      this.#end();
      await clockOf(this.clock).sleep(time, abort);
      this.#underWay++;
    },
  };
  #underWay = 0;
  #answered = 0;

  /** The same cluster; its requests hold the time. */
  holdingTime<T extends Cluster>(cluster: T): T {
    return new Proxy(cluster, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]) => this.#held(member.apply(target, args));
      },
    });
  }

  /** Lets time pass until the work is done. */
  async run<T>(work: Promise<T>): Promise<T> {
    let isOver = false;
    const end = () => {
      isOver = true;
    };
    void work.then(end, end);
    while (!isOver) {
      await this.#untilQuiet();
      if (!isOver) await this.clock.advance(tick);
    }
    return work;
  }

  /** Resolves when this much of the cluster's time has passed. */
  pass(milliseconds: number): Promise<void> {
    return new Promise((resolve) => void this.clock.after(milliseconds, resolve));
  }

  #held(result: unknown): unknown {
    if (result instanceof Promise) {
      this.#underWay++;
      return result.finally(() => this.#end());
    }
    return isIterable(result) ? this.#blockedParts(result) : result;
  }

  async *#blockedParts(parts: AsyncIterable<unknown>): AsyncIterable<unknown> {
    const iterator = parts[Symbol.asyncIterator]();
    for (;;) {
      this.#underWay++;
      const next = await iterator.next().finally(() => this.#end());
      if (next.done) return;
      yield next.value;
    }
  }

  #end(): void {
    this.#underWay--;
    this.#answered++;
  }

  async #untilQuiet(): Promise<void> {
    let quiet = 0;
    let answered = this.#answered;
    let since = performance.now();
    while (quiet < quietTurns) {
      await setImmediate();
      quiet = this.#underWay === 0 ? quiet + 1 : 0;
      if (answered !== this.#answered) since = performance.now();
      answered = this.#answered;
      if (performance.now() - since > patience) return;
    }
  }
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
