import { goJson } from '../go-json.ts';

/**
 * The component that writes the final status of an exec. With v5 the API server speaks WebSocket itself and
 * rewords the kubelet's status; with v4 and SPDY it passes the kubelet's status through.
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

/** A program that cannot be started is an internal error, not an exit code. The API server wraps it twice. */
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
