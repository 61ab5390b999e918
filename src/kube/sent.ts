/**
 * An object of the API as it is on the wire. client-node's types follow Kubernetes' own OpenAPI, but have a Date where the wire
 * has a text.
 */
export type Sent<T> = T extends Date
  ? string
  : T extends object
    ? { readonly [K in keyof T]: Sent<T[K]> }
    : T;
