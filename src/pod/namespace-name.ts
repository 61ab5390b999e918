/** https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#dns-label-names */
export const namespaceName = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
