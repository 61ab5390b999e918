import type { Container, Pod } from '../objects.ts';
import { StartError } from '../runtime/runtime.ts';
import type { Store } from '../store.ts';

/** What is known of an image. An image without an entry is on the node and in its registry. */
interface RegistryImage {
  /** False if the node must pull it first. */
  readonly onNode?: boolean;
  /** True if no registry has it: it cannot be pulled. */
  readonly missing?: boolean;
  /** The name of the pull secret without which the registry refuses it. */
  readonly pullSecret?: string;
}

export type Registry = Readonly<Record<string, RegistryImage>>;

/** The images of a node: what imagePullPolicy and pull secrets let a container have. */
export class NodeImages {
  readonly #pulled = new Set<string>();

  constructor(
    private readonly store: Store,
    private readonly registry: Registry,
  ) {}

  /** Throws a StartError if the container may not have its image. */
  provide(pod: Pod, container: Container): void {
    const { image, imagePullPolicy } = container;
    const known = this.registry[image];
    if (!known) return;
    const present = this.#pulled.has(image) || (known.onNode ?? !(known.missing || known.pullSecret));
    if (present && imagePullPolicy !== 'Always') return;
    if (known.missing || imagePullPolicy === 'Never') throw pullError(container);
    if (known.pullSecret !== undefined && !this.#hasSecret(pod, known.pullSecret)) throw pullDenied(image);
    this.#pulled.add(image);
  }

  #hasSecret({ metadata, spec }: Pod, wanted: string): boolean {
    const named = (spec['imagePullSecrets'] ?? []) as readonly { readonly name: string }[];
    const isNamed = named.some(({ name }) => name === wanted);
    return isNamed && this.store.get('secrets', metadata.namespace, wanted) !== undefined;
  }
}

function pullDenied(image: string): StartError {
  const why =
    'pull access denied, repository does not exist or may require authorization: server message: ' +
    'insufficient_scope: authorization failed';
  const message = `failed to pull and unpack image "${image}": failed to resolve reference "${image}": ${why}`;
  return new StartError('ErrImagePull', message);
}

/** The error for an image that neither the node nor a registry has. */
export function pullError({ image, imagePullPolicy }: Container): StartError {
  if (imagePullPolicy === 'Never') {
    return new StartError(
      'ErrImageNeverPull',
      `Container image "${image}" is not present with pull policy of Never`,
    );
  }
  return new StartError(
    'ErrImagePull',
    `failed to pull and unpack image "${image}": failed to resolve reference "${image}": ${image}: not found`,
  );
}
