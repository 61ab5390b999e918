/** The variable by which kubexit knows the processes that its own waits for. */
export const deathDependencies = 'KUBEXIT_DEATH_DEPS';
/** The variable by which others know a process. */
export const processName = 'KUBEXIT_NAME';
