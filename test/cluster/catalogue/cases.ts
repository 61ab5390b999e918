import type { MethodName } from '../../../src/methods/index.ts';
import type { ContainerOutcome } from '../../../src/model/outcome.ts';
import type { Unfit } from '../../../src/model/step.ts';
import type { Container, PodManifest } from '../../kit/emulator/index.ts';

/** A sidecar of the catalogue in a typical setup, and how a sweep ends it. */
export interface CatalogueCase {
  /** The catalogue entry. */
  readonly profile: string;
  readonly name: string;
  readonly title: string;
  readonly sweep?: SweepName;
  readonly sidecar: Container;
  readonly main?: Container;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec?: Partial<PodManifest['spec']>;
  /** The methods that are tried, in order. */
  readonly methods: readonly MethodName[];
  readonly outcome: Partial<ContainerOutcome>;
  /** The sidecar's log of requests and signals; omitted after a swap, which loses the log. */
  readonly heard?: readonly string[];
  /** Steps that are dropped because of what the pod shows. */
  readonly unfit?: readonly Partial<Unfit>[];
}

/**
 * `swapping` and `unclean` allow any exit code. `exec` and `forward` use an account with only that permission. `swapping` and
 * `forbidding` have an image swap as the last resort.
 */
export type SweepName = 'swapping' | 'forbidding' | 'exec' | 'forward' | 'unclean';

type Settings = Pick<Container, 'command' | 'args'> & { readonly env?: Readonly<Record<string, string>> };

/** A container with this name and image; `env` is a record. */
export function sidecar(name: string, image: string, { env = {}, ...settings }: Settings = {}): Container {
  return { name, image, ...settings, env: Object.entries(env).map(([key, value]) => ({ name: key, value })) };
}

/** A main container that calls the sidecar's port from a non-loopback address. */
export function asksFromElsewhere(method: string, port: number, path: string): Container {
  const command = ['/asks-from-elsewhere', method, String(port), path];
  return { name: 'main', image: 'docker.io/acme/elsewhere:1', command };
}

/** Exit code 0, as the step that ended it declared. */
export const clean: Partial<ContainerOutcome> = { kind: 'Stopped', exitCode: 0 };

type Setup = Omit<CatalogueCase, 'methods' | 'outcome' | 'heard'>;

/** A sidecar that ends once its own endpoint is called; a request reads `POST 8200 /agent/v1/quit`. */
export function endsOnRequest(request: string, setup: Setup): CatalogueCase {
  return { ...setup, methods: ['Http'], outcome: clean, heard: [`asked ${request}`] };
}

export function endsOnSignal(signal: string, setup: Setup): CatalogueCase {
  return { ...setup, methods: ['Signal'], outcome: clean, heard: [`signal ${signal}`] };
}

/** A sidecar that only a swap of its image ends. */
export function endsBySwap(setup: Setup): CatalogueCase {
  return { ...setup, methods: ['Signal', 'Signal', 'ImageSwap'], outcome: clean };
}
