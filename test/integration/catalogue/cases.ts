import type { ContainerOutcome, MethodName, Unfit } from '../../../src/vocabulary.ts';
import type { PodManifest } from '../../emulator/world/defaults.ts';
import type { Container } from '../../emulator/world/objects.ts';

/** A sidecar of the catalogue as one may meet it, and how a sweep is to end it. */
export interface CatalogueCase {
  /** The entry, and which of its cases. */
  readonly profile: string;
  readonly name: string;
  readonly title: string;
  readonly sweep?: SweepName;
  readonly sidecar: Container;
  readonly main?: Container;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec?: Partial<PodManifest['spec']>;
  /** The methods that are tried, and what comes of it. */
  readonly methods: readonly MethodName[];
  readonly outcome: Partial<ContainerOutcome>;
  /** All that the sidecar heard; left out where a swap has taken its log. */
  readonly heard?: readonly string[];
  /** Rungs that are left out because of what the pod shows. */
  readonly unfit?: readonly Partial<Unfit>[];
}

/**
 * `canary`: the default, with image-swap as the last resort. `exec` and `forward`: by an account that may do this alone.
 * `unclean`: where any exit code is taken.
 */
export type SweepName = 'canary' | 'exec' | 'forward' | 'unclean';

type Settings = Pick<Container, 'command' | 'args'> & { readonly env?: Readonly<Record<string, string>> };

/** A container of this name and image, with its variables as a record. */
export function sidecar(name: string, image: string, { env = {}, ...settings }: Settings = {}): Container {
  return { name, image, ...settings, env: Object.entries(env).map(([key, value]) => ({ name: key, value })) };
}

/** A main that asks the sidecar's port from an address that is not the loopback's. */
export function asksFromElsewhere(method: string, port: number, path: string): Container {
  const command = ['/asks-from-elsewhere', method, String(port), path];
  return { name: 'main', image: 'docker.io/acme/elsewhere:1', command };
}

/** Ended with 0, as the step that ended it had said. */
export const clean: Partial<ContainerOutcome> = { kind: 'Stopped', exitCode: 0 };
