import { expect } from 'vitest';
import {
  type Emulator,
  type EmulatorOptions,
  ensureNamespace,
  type Placement,
  type Pod,
  startEmulator,
} from '../../../kit/emulator/index.ts';
import { exchange } from '../../../kit/replay/client.ts';
import type { Exchange } from '../../../kit/replay/recording.ts';
import { startedOnce } from '../../../kit/started.ts';
import { container } from '../../../kit/stuck-pods.ts';

/** The media types of the patches that an API server knows. */
const types = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const;
export type PatchType = keyof typeof types;

interface AskOptions {
  readonly body?: unknown;
  /** How the body patches. */
  readonly as?: PatchType;
  /** By default, the admin's. */
  readonly token?: string | undefined;
}

class Stage {
  private constructor(readonly emulator: Emulator) {}

  static async start(options: EmulatorOptions): Promise<Stage> {
    const emulator = await startEmulator(options);
    ensureNamespace(emulator.world, 'demo');
    return new Stage(emulator);
  }

  async ask(method: string, path: string, { body, as, token }: AskOptions = {}): Promise<Exchange> {
    const { url, ca, token: admin } = this.emulator;
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    const headers = as ? { headers: { 'content-type': types[as] } } : {};
    return exchange({ url, ca, token: token ?? admin }, { method, path, ...text }, headers);
  }

  place(name: string, { labels = {}, annotations = {}, states = {}, ...spec }: Placed = {}): Pod {
    const containers = [container('main'), container('sidecar')];
    const manifest = {
      metadata: { name, namespace: 'demo', labels, annotations },
      spec: { restartPolicy: 'Never' as const, containers, ...spec },
    };
    const [pod] = this.emulator.world.placePods([{ manifest, states }]);
    return pod ?? expect.fail(`${name} was not placed`);
  }

  stop(): Promise<void> {
    return this.emulator.stop();
  }
}

export function stage(options: EmulatorOptions = {}): Stage {
  return startedOnce(() => Stage.start(options));
}

interface Placed extends Partial<Pod['spec']> {
  readonly labels?: Record<string, string>;
  readonly annotations?: Record<string, string>;
  readonly states?: Placement['states'];
}

export function messageOf({ body }: Exchange): string {
  return (body as { message: string }).message;
}

/** As a policy refuses, with this in its message. */
export function expectRefused(answer: Exchange, message: string | RegExp): void {
  expect(answer.status).toBe(422);
  expect(messageOf(answer)).toMatch(message);
}
