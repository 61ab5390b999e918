/**
 * An image, as a pod names it. The API server takes any text, and the kubelet ends the old container before it finds that it
 * cannot pull such an image. https://github.com/distribution/reference/blob/main/reference.go
 */
export const imageReference =
  /^(?!.{512})(?:(?:[A-Za-z0-9][\w.-]*|\[[0-9A-Fa-f:]+\])(?::\d+)?\/)?[a-z0-9]+(?:(?:[./]|__?|-+)[a-z0-9]+)*(?::\w[\w.-]{0,127})?(?:@[a-z0-9+._-]{1,32}:[0-9a-f]{32,128})?$/;

export const exampleImage = 'registry.example/noop:1';

/** The programs of a no-op image: those of the image of this project, or a list. */
export type NoopPrograms = 'shipped' | string[];

export interface NoopImage {
  readonly image: string;
  readonly commands?: NoopPrograms | undefined;
}

/** `*` stands for any characters. A regular expression could be made to backtrack excessively by a policy's pattern. */
export function matchesGlob(pattern: string, text: string): boolean {
  let inPattern = 0;
  let inText = 0;
  let star = -1;
  let retry = 0;
  while (inText < text.length) {
    if (pattern[inPattern] === '*') {
      star = inPattern++;
      retry = inText;
    } else if (pattern[inPattern] === text[inText]) {
      inPattern++;
      inText++;
    } else if (star >= 0) {
      inPattern = star + 1;
      inText = ++retry;
    } else {
      return false;
    }
  }
  while (pattern[inPattern] === '*') inPattern++;
  return inPattern === pattern.length;
}

/** Paths are compared from the end: `istio/proxyv2` matches `registry.example:5000/mirror/istio/proxyv2:1.27`. */
export function matchesRepository(pattern: string, image: string): boolean {
  const wanted = withLibrary(pattern).split('/').reverse();
  const parts = inFull(repositoryOf(image)).split('/').reverse();
  return (
    wanted.length <= parts.length && wanted.every((part, index) => matchesGlob(part, parts[index] ?? ''))
  );
}

/** A name without a registry is one of Docker Hub. https://github.com/distribution/reference/blob/main/normalize.go */
function inFull(name: string): string {
  return withLibrary(/^(?:[^/]*[.:][^/]*|localhost)\//.test(name) ? name : `docker.io/${name}`);
}

function withLibrary(name: string): string {
  return name.replace(/^docker\.io\/(?=[^/]*$)/, 'docker.io/library/');
}

/** A mirror without folders writes `-` or `_` for `/`: `mirrored-linkerd-proxy`, `cr_l5d_io_linkerd_proxy`. */
export function matchesMirrored(pattern: string, image: string): boolean {
  const name = repositoryOf(image).split('/').at(-1) ?? '';
  return ['-', '_'].some((separator) => {
    const flat = pattern.replaceAll('/', separator);
    return flat !== pattern && [flat, `*${separator}${flat}`].some((each) => matchesGlob(each, name));
  });
}

/** An image's name without its tag and digest. */
export function repositoryOf(image: string): string {
  const name = image.split('@', 1)[0] ?? '';
  const tag = name.indexOf(':', name.lastIndexOf('/') + 1);
  return tag < 0 ? name : name.slice(0, tag);
}

/** Whether an image may be a copy of another one in a mirror, whatever that makes of its folders, its tag and its digest. */
export function mayBeCopy(copy: string, image: string): boolean {
  return repositoryOf(copy).endsWith(repositoryOf(image).split('/').at(-1) ?? '');
}

/** Whether an image is called that of this project, which a mirror may call sidecar-sweeper-noop. */
export function isShippedNoop(image: string): boolean {
  const repository = 'sidecar-sweeper/noop';
  return matchesRepository(repository, image) || matchesMirrored(repository, image);
}
