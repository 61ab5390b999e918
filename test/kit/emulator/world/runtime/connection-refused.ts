/** The error of a connection to a port on which nothing listens. */
export function connectionRefused(port: number): Error {
  const error = new Error(`dial tcp4 127.0.0.1:${port}: connect: connection refused`);
  return Object.assign(error, { code: 'ECONNREFUSED' });
}
