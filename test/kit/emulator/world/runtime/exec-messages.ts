import { randomBytes } from 'node:crypto';

/** The OCI runtime's message for a missing program, given by path or looked up in $PATH. */
export function notFound(program: string): string {
  const quoted = `exec: ${JSON.stringify(program)}`;
  return program.includes('/')
    ? `${quoted}: stat ${program}: no such file or directory`
    : `${quoted}: executable file not found in $PATH`;
}

/** The OCI runtime's message for a program that may not be executed. */
export function notPermitted(program: string): string {
  return `exec: ${JSON.stringify(program)}: permission denied`;
}

/** The kubelet's message for a command that could not start in a container. */
export function execMessage(cause: string): string {
  const id = randomBytes(32).toString('hex');
  return (
    'error executing command in container: failed to exec in container: ' +
    `failed to start exec "${id}": OCI runtime exec failed: exec failed: unable to start container process: ${cause}`
  );
}

/** The kubelet's message for a program that the image lacks. */
export function noSuchProgram(program: string): string {
  return execMessage(notFound(program));
}

/** The kubelet's message for a container whose program could not start. */
export function startMessage(cause: string): string {
  return (
    'failed to create containerd task: failed to create shim task: OCI runtime create failed: ' +
    `runc create failed: unable to start container process: ${cause}`
  );
}
