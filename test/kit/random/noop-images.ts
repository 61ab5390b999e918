import type { Container, LightBehaviour, Pod } from '../emulator/index.ts';

/** What a no-op image has, and whether the operator says so. */
export type NoopImage = 'HasAll' | 'HasSome' | 'SaysSome' | 'HasNone' | 'Missing' | 'Private';

/** On every node, but in no registry: `kind load`. */
export const loaded = ['registry.example/sidecar-sweeper-noop:1', 'sidecar-sweeper-noop:1'] as const;

export const sleep = '/bin/sleep';

export const pullSecret = 'pull';

const some = 'registry.example/nop-some:1';

export const noopImages = {
  HasAll: { image: 'registry.example/nop-all:1' },
  HasSome: { image: some },
  SaysSome: { image: some, commands: [sleep] },
  HasNone: { image: 'registry.example/nop-none:1' },
  Missing: { image: 'registry.example/missing:1' },
  Private: { image: 'registry.example/nop-private:1' },
} as const satisfies Record<NoopImage, { image: string; commands?: readonly string[] }>;

const images: readonly string[] = [...Object.values(noopImages).map(({ image }) => image), ...loaded];

export function isNoop(image: string | undefined): boolean {
  return image !== undefined && images.includes(image);
}

/** How a container ends that got a no-op image; undefined if it has another one, or its program is not from the image. */
export function noopBehaviour(
  { spec }: Pod,
  { image, command: [program] = [], imagePullPolicy }: Container,
): LightBehaviour | undefined {
  if (!isNoop(image) || program?.startsWith('/mnt/')) return undefined;
  const secrets = (spec['imagePullSecrets'] ?? []) as readonly { readonly name: string }[];
  const isPrivate = image === noopImages.Private.image;
  if (isPrivate && !secrets.some(({ name }) => name === pullSecret)) return { image: 'missing' };
  const isLoaded = loaded.some((one) => one === image);
  if (isLoaded ? imagePullPolicy === 'Always' : image === noopImages.Missing.image)
    return { image: 'missing' };
  const hasAll = isPrivate || isLoaded || image === noopImages.HasAll.image;
  const has = program === undefined || hasAll || (image === some && program === sleep);
  return has ? { ends: { exitCode: 0 } } : { image: 'lacks-program' };
}
