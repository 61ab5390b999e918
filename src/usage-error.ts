/**
 * What the user gave cannot be used: flags, a policy, a kubeconfig, a file. The message is one line that says what to
 * do; the process ends with exit code 2.
 */
export class UsageError extends Error {}
