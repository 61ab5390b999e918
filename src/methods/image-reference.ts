/**
 * An image, as a pod names it. The API server takes any text, and the kubelet ends the old container before it finds that it
 * cannot pull such an image. https://github.com/distribution/reference/blob/main/reference.go
 */
export const imageReference =
  /^[A-Za-z0-9[](?:[\w.:/[\]-]{0,511}[A-Za-z0-9_])?(?:@[a-z0-9+._-]{1,32}:[0-9a-f]{32,128})?$/;

export const exampleImage = 'registry.example/noop:1';
