/**
 * The user's input cannot be used: flags, a policy, a kubeconfig, a file. The message is one line that says what to
 * do; the process exits with code 2.
 */
export class UsageError extends Error {}
