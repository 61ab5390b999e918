import { afterAll, beforeAll } from 'vitest';
import {
  type Container,
  type Emulator,
  type EmulatorOptions,
  ensureNamespace,
  type Placement,
  type Pod,
  startEmulator,
} from '../../../kit/emulator/index.ts';
import { exchange, type Target } from '../../../kit/replay/client.ts';
import type { Exchange } from '../../../kit/replay/recording.ts';

export function stage(options: EmulatorOptions = {}) {
  let emulator: Emulator;

  beforeAll(async () => {
    emulator = await startEmulator(options);
    ensureNamespace(emulator.world, 'demo');
  });
  afterAll(async () => emulator?.stop());

  return {
    get emulator(): Emulator {
      return emulator;
    },
    /** Sends a request as the admin, or with another token. */
    async ask(method: string, path: string, options: AskOptions = {}): Promise<Exchange> {
      const { body, headers, token, lines } = options;
      const target: Target = { url: emulator.url, ca: emulator.ca, token: token ?? emulator.token };
      const text = body === undefined ? {} : { body: JSON.stringify(body) };
      return exchange(
        target,
        { method, path, ...text },
        { ...(headers ? { headers } : {}), lines: lines ?? false },
      );
    },
    place(name: string, { labels = {}, states = {}, namespace = 'demo', ...spec }: Placed = {}): Pod {
      const [pod] = emulator.world.placePods([
        {
          manifest: {
            metadata: { name, namespace, labels },
            spec: { restartPolicy: 'Never', containers: [container('main'), container('sidecar')], ...spec },
          },
          states,
        },
      ]);
      if (!pod) throw new Error(`${name} was not placed`);
      return pod;
    },
  };
}

interface AskOptions {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly token?: string;
  /** The answer has one JSON value per line. */
  readonly lines?: boolean;
}

interface Placed extends Partial<Pod['spec']> {
  readonly namespace?: string;
  readonly labels?: Record<string, string>;
  readonly states?: Placement['states'];
}

export function container(name: string): Container {
  return { name, image: 'docker.io/local/busybox:1' };
}

export function messageOf({ body }: Exchange): string {
  return (body as { message: string }).message;
}
