// What the peers in plain Node share: one connection pool, and the cluster from the environment.
import { Agent, request } from 'node:https';

const { BENCH_SERVER, BENCH_CA, BENCH_TOKEN } = process.env;

export const server = BENCH_SERVER;
export const agent = new Agent({ keepAlive: true, ca: BENCH_CA });
export const authorization = { authorization: `Bearer ${BENCH_TOKEN}` };

/** The answer to a GET; its body is still to be read. */
export function get(path, accept) {
  const headers = { accept, ...authorization };
  return new Promise((resolve, reject) => {
    request(new URL(path, server), { agent, headers }, resolve).on('error', reject).end();
  });
}

/** Those that could be stuck, as the API server selects them. */
export const selected = `fieldSelector=${encodeURIComponent('status.phase=Running,spec.restartPolicy!=Always')}`;
