/** The command of a container that runs a shell script. */
export const shell = (script: string) => ['sh', '-c', script] as const;

/** A script that waits for TERM and then runs a command. */
export const onTerm = (command: string) => shell(`trap "${command}" TERM; while :; do sleep 1 & wait; done`);
