import type { OutgoingHttpHeaders } from 'node:http';
import type { RequestOptions } from 'node:https';
import { KubeConfig } from '@kubernetes/client-node';
import type { Millis } from '../../duration.ts';
import type { Clock } from '../../ports.ts';
import type { User } from '../kubeconfig/connection.ts';
import type { Issued } from './exec-credential.ts';

interface Limits {
  readonly limit: Millis;
  readonly clock: Clock;
}

/** The id-token of the auth-provider oidc. client-node renews it, and remembers it in these settings alone. */
export async function askProvider(
  config: NonNullable<User['oidc']>,
  { limit, clock }: Limits,
): Promise<Issued> {
  const provider = new KubeConfig();
  provider.loadFromClusterAndUser(
    { name: 'cluster', server: 'https://localhost', skipTLSVerify: false },
    { name: 'user', authProvider: { name: 'oidc', config } },
  );
  const options: RequestOptions & { headers: OutgoingHttpHeaders } = { headers: {} };
  const answered = new AbortController();
  const late = async () => {
    await clock.sleep(limit, answered.signal);
    throw new Error(`the identity provider did not answer within ${limit / 1000}s (--request-timeout)`);
  };
  await Promise.race([provider.applyToHTTPSOptions(options), late()]).finally(() => answered.abort());
  const [, token] = /^Bearer (.+)$/.exec(String(options.headers['Authorization'])) ?? [];
  if (token === undefined) throw new Error('the id-token has expired, and there is no refresh-token');
  return { token, certificate: undefined, expires: clock.now() };
}
