import type { LightBehaviour } from '../emulator/index.ts';

/** What a no-op image has, and whether the operator says so. */
export type NoopImage = 'HasAll' | 'HasSome' | 'SaysSome' | 'HasNone' | 'Missing';

export const sleep = '/bin/sleep';

const some = 'registry.example/nop-some:1';

/** The image as it is written in a policy. */
export const noopImages = {
  HasAll: { image: 'registry.example/nop-all:1' },
  HasSome: { image: some },
  SaysSome: { image: some, commands: [sleep] },
  HasNone: { image: 'registry.example/nop-none:1' },
  Missing: { image: 'registry.example/missing:1' },
} as const satisfies Record<NoopImage, { image: string; commands?: readonly string[] }>;

const images: readonly string[] = Object.values(noopImages).map(({ image }) => image);

export function isNoop(image: string | undefined): boolean {
  return image !== undefined && images.includes(image);
}

/** How a container ends that got a no-op image; undefined if it has another one, or its program is not from the image. */
export function noopBehaviour(image: string, program: string | undefined): LightBehaviour | undefined {
  if (!isNoop(image) || program?.startsWith('/mnt/')) return undefined;
  if (image === noopImages.Missing.image) return { image: 'missing' };
  const has =
    program === undefined || image === noopImages.HasAll.image || (image === some && program === sleep);
  return has ? { ends: { exitCode: 0 } } : { image: 'lacks-program' };
}
