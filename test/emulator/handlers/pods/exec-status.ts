import { goJson } from '../go-json.ts';

/**
 * Who words the last status of an exec. With v5 the API server itself speaks WebSocket and repeats what the
 * kubelet told it; with v4 and SPDY the client hears the kubelet.
 */
export type Speaker = 'ApiServer' | 'Kubelet';

export function exitStatus(exitCode: number, command: readonly string[], speaker: Speaker): string {
  if (exitCode === 0) return goJson({ metadata: {}, status: 'Success' });
  const detail =
    speaker === 'ApiServer'
      ? `command terminated with exit code ${exitCode}`
      : `error executing command [${command.join(' ')}], exit code ${exitCode}`;
  return goJson({
    metadata: {},
    status: 'Failure',
    message: `command terminated with non-zero exit code: ${detail}`,
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: String(exitCode) }] },
  });
}

/** The program could not be started: not an exit code but an internal error, said twice through the API server. */
export function startFailure(why: string, speaker: Speaker): string {
  const message = `Internal error occurred: ${why}`;
  return speaker === 'ApiServer'
    ? internalError(`Internal error occurred: ${message}`, message)
    : internalError(message, why);
}

export function requestFailure(why: string): string {
  return internalError(`Internal error occurred: ${why}`, why);
}

function internalError(message: string, cause: string): string {
  return goJson({
    metadata: {},
    status: 'Failure',
    message,
    reason: 'InternalError',
    details: { causes: [{ message: cause }] },
    code: 500,
  });
}
