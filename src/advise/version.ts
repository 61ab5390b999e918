import { repositoryOf } from '../model/image.ts';

/** A version as tags and kubelets write it. Edge releases of Linkerd are numbered by their date, so that they are a line of their own. */
export interface Version {
  readonly line: 'release' | 'edge';
  readonly numbers: readonly number[];
}

/** The version in a text such as `v1.31.2-gke.100`, `stable-2.14.10` or `edge-25.10.2`; undefined if it has none. */
export function versionIn(text: string): Version | undefined {
  // A tag with one number, such as `2`, moves from version to version.
  const found = /^(?:(edge|stable|enterprise)-)?v?(\d{1,6}(?:\.\d{1,6}){1,2})(?![\d.])/.exec(text);
  if (!found) return undefined;
  const numbers = (found[2] ?? '').split('.').map(Number);
  return { line: found[1] === 'edge' ? 'edge' : 'release', numbers };
}

/** The tag of an image; undefined if it has none. */
export function tagOf(image: string): string | undefined {
  const tag = (image.split('@', 1)[0] ?? '').slice(repositoryOf(image).length + 1);
  return tag === '' ? undefined : tag;
}

/** Whether a version is at least the one of these that is of its line. */
export function reaches(version: Version, bounds: readonly string[]): boolean {
  return bounds.some((bound) => {
    const least = versionIn(bound);
    return least !== undefined && least.line === version.line && compare(version, least) >= 0;
  });
}

function compare(a: Version, b: Version): number {
  for (const index of [0, 1, 2]) {
    const difference = (a.numbers[index] ?? 0) - (b.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
