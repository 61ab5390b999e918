/** The version of every document that is read or written. Those who only write one need no schema, which takes long to load. */
export const apiVersion = 'sidecar-sweeper.dev/v1';
