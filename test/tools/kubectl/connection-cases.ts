import { kubeconfigOf } from '../../builders/kubeconfig.ts';
import type { Pair } from '../../kit/certificates.ts';

/** What a kubeconfig may refer to. */
export interface Surrounding {
  readonly folder: string;
  readonly https: string;
  readonly http: string;
  readonly proxy: string;
  readonly ca: string;
  readonly client: Pair;
}

type Fields = Readonly<Record<string, unknown>>;

export interface Case {
  readonly title: string;
  /** The fields of the cluster and of the user; without a user, the context names none. */
  readonly cluster?: (around: Surrounding) => Fields;
  readonly user?: (around: Surrounding) => Fields;
  readonly files?: (around: Surrounding) => readonly Fields[];
  readonly context?: string;
  readonly insecure?: boolean;
  readonly env?: (around: Surrounding) => Readonly<Record<string, string>>;
  readonly refused?: true;
  /** Whether kubectl would ask for a name and password, where this program is anonymous. */
  readonly anonymous?: true;
}

export const secret = 'canary-0b7e';
const base64 = (text: string) => Buffer.from(text).toString('base64');
const trusted = ({ https, ca }: Surrounding) => ({ server: https, 'certificate-authority-data': base64(ca) });
const named = ({ ca }: Surrounding) => ({
  server: 'https://api.example.test:6443',
  'certificate-authority-data': base64(ca),
});
const withPassword = (url: string) => url.replace('//', `//me:${secret}@`);
const token = () => ({ token: secret });
const certificate = ({ client }: Surrounding) => ({
  'client-certificate-data': base64(client.cert),
  'client-key-data': base64(client.key),
});

// biome-ignore format: one row a line
const users: readonly Case[] = [
  { title: 'a token', user: token },
  { title: 'a token file', user: () => ({ tokenFile: 'token' }) },
  { title: 'a token file with an absolute path', user: ({ folder }) => ({ tokenFile: `${folder}/token` }) },
  { title: 'a token and a token file', user: () => ({ token: 'other', tokenFile: 'token' }) },
  { title: 'a token file that is missing', user: () => ({ tokenFile: 'nosuch' }), refused: true },
  { title: 'a certificate', user: certificate },
  { title: 'a certificate in files', user: () => ({ 'client-certificate': 'client.crt', 'client-key': 'client.key' }) },
  { title: 'a certificate and a token', user: (around) => ({ ...certificate(around), ...token() }) },
  { title: 'a certificate without a key', user: ({ client }) => ({ 'client-certificate-data': base64(client.cert) }), refused: true },
  { title: 'a certificate that is missing', user: () => ({ 'client-certificate': 'nosuch', 'client-key': 'client.key' }), refused: true },
  { title: 'a certificate both here and in a file', user: (around) => ({ ...certificate(around), 'client-certificate': 'client.crt', 'client-key': 'client.key' }), refused: true },
  { title: 'data that is not base64', user: () => ({ 'client-certificate-data': '%%%' }), refused: true },
  { title: 'a token that is a number', user: () => ({ token: 5 }), refused: true },
  { title: 'no credentials', user: () => ({}), anonymous: true },
  { title: 'no user', anonymous: true },
  { title: 'impersonation', user: () => ({ ...token(), as: 'jane' }) },
  { title: 'impersonation with groups', user: () => ({ ...token(), as: 'jane', 'as-groups': ['developers', 'admins'] }) },
  { title: 'groups without a user', user: () => ({ ...token(), 'as-groups': ['admins'] }), refused: true },
  { title: 'a uid without a user', user: () => ({ ...token(), 'as-uid': '17' }), refused: true },
  { title: 'the auth-provider gcp, which was removed', user: () => ({ 'auth-provider': { name: 'gcp', config: {} } }), refused: true },
];

// biome-ignore format: one row a line
const clusters: readonly Case[] = [
  { title: 'a server with a path', cluster: (around) => ({ ...trusted(around), server: `${around.https}/k8s/c-1/` }) },
  { title: 'a server without a scheme', cluster: (around) => ({ ...trusted(around), server: around.https.replace('https://', '') }), refused: true },
  { title: 'a server of plain http without a scheme', cluster: ({ http }) => ({ server: http.replace('http://', '') }) },
  { title: 'plain http, which no token is sent over', cluster: ({ http }) => ({ server: http }) },
  { title: 'plain http, impersonated', cluster: ({ http }) => ({ server: http }), user: (around) => ({ ...certificate(around), as: 'jane', 'as-groups': ['admins'] }) },
  { title: 'a certificate authority in a file', cluster: ({ https }) => ({ server: https, 'certificate-authority': 'ca.crt' }) },
  { title: 'a certificate authority that is missing', cluster: ({ https }) => ({ server: https, 'certificate-authority': 'nosuch' }), refused: true },
  { title: 'a certificate authority both here and in a file', cluster: (around) => ({ ...trusted(around), 'certificate-authority': 'ca.crt' }), refused: true },
  { title: 'a server whose certificate is not trusted', cluster: ({ https }) => ({ server: https }), refused: true },
  { title: 'a server that is not verified', cluster: ({ https }) => ({ server: https, 'insecure-skip-tls-verify': true }) },
  { title: 'a server that is and is not verified', cluster: (around) => ({ ...trusted(around), 'insecure-skip-tls-verify': true }), refused: true },
  { title: 'a server that the command line does not verify', insecure: true },
  { title: 'the name in the certificate', cluster: (around) => ({ ...trusted(around), 'tls-server-name': 'api.example.test' }) },
  { title: 'a name that is not in the certificate', cluster: (around) => ({ ...trusted(around), 'tls-server-name': 'other.example.test' }), refused: true },
  { title: 'a server of another protocol', cluster: () => ({ server: `ftp://me:${secret}@127.0.0.1` }), refused: true },
  { title: 'a server with a port that is not one', cluster: () => ({ server: `https://me:${secret}@127.0.0.1:port` }), refused: true },
  { title: 'a server that is a number', cluster: () => ({ server: 5 }), refused: true },
];

// biome-ignore format: one row a line
const proxies: readonly Case[] = [
  { title: 'proxy-url', cluster: (around) => ({ ...named(around), 'proxy-url': around.proxy }) },
  { title: 'proxy-url for the loopback', cluster: (around) => ({ ...trusted(around), 'proxy-url': around.proxy }) },
  { title: 'proxy-url with a password', cluster: (around) => ({ ...named(around), 'proxy-url': withPassword(around.proxy) }) },
  { title: 'proxy-url and a name in the certificate', cluster: (around) => ({ ...named(around), server: 'https://10.9.8.7', 'proxy-url': around.proxy, 'tls-server-name': 'api.example.test' }) },
  { title: 'proxy-url and NO_PROXY', cluster: (around) => ({ ...named(around), 'proxy-url': around.proxy }), env: () => ({ NO_PROXY: 'api.example.test' }) },
  { title: 'proxy-url without a scheme', cluster: (around) => ({ ...named(around), 'proxy-url': '127.0.0.1:3128' }), refused: true },
  { title: 'proxy-url of another protocol', cluster: (around) => ({...named(around), 'proxy-url': `ftp://me:${secret}@127.0.0.1` }), refused: true },
  { title: 'HTTPS_PROXY', cluster: named, env: ({ proxy }) => ({ HTTPS_PROXY: proxy }) },
  { title: 'https_proxy', cluster: named, env: ({ proxy }) => ({ https_proxy: proxy }) },
  { title: 'HTTPS_PROXY with a password', cluster: named, env: ({ proxy }) => ({ HTTPS_PROXY: withPassword(proxy) }) },
  { title: 'HTTPS_PROXY without a scheme', cluster: named, env: ({ proxy }) => ({ HTTPS_PROXY: proxy.replace('http://', '') }) },
  { title: 'NO_PROXY of another host', cluster: named, env: ({ proxy }) => ({ HTTPS_PROXY: proxy, NO_PROXY: 'other.test, example.com' }) },
  { title: 'NO_PROXY of another port', cluster: named, env: ({ proxy }) => ({ HTTPS_PROXY: proxy, NO_PROXY: 'example.test:443' }) },
  { title: 'HTTPS_PROXY for the loopback', env: ({ proxy }) => ({ HTTPS_PROXY: proxy }) },
  { title: 'HTTP_PROXY for https', env: ({ proxy }) => ({ HTTP_PROXY: proxy }) },
  { title: 'HTTPS_PROXY that is not one', cluster: named, env: () => ({ HTTPS_PROXY: `ftp://me:${secret}@x` }), refused: true },
  ...['api.example.test', 'example.test', '.example.test', '*.example.test', 'EXAMPLE.test:6443', 'x, *'].map(
    (entry): Case => ({
      title: `NO_PROXY=${entry}`,
      cluster: named,
      env: ({ proxy }) => ({ HTTPS_PROXY: proxy, NO_PROXY: entry }),
      // Without the proxy, this name is unknown.
      refused: true,
    }),
  ),
];

const first = kubeconfigOf({ server: 'https://first.test' }, token());
const second = kubeconfigOf({ server: 'https://second.test' }, { token: 'second' });
const ours = (around: Surrounding, name?: string) => kubeconfigOf(trusted(around), token(), name);
const withoutUsers = (around: Surrounding) => ({ ...ours(around), users: [] });

function withTwoUsers(around: Surrounding): Fields {
  const file = ours(around);
  return { ...file, users: [...(file['users'] as Fields[]), { name: 'a', user: { token: 'second' } }] };
}

// biome-ignore format: one row a line
const files: readonly Case[] = [
  { title: 'a context of the second file', files: (around) => [first, ours(around, 'b')], context: 'b' },
  { title: 'the current context of the first file that has one', files: (around) => [kubeconfigOf({ server: 'https://first.test' }, token(), 'a', ''), ours(around, 'b'), kubeconfigOf({ server: 'https://third.test' }, token(), 'c')] },
  { title: 'the same names in two files', files: (around) => [ours(around), kubeconfigOf({ server: 'https://second.test', 'proxy-url': around.proxy }, { token: 'second', as: 'jane' })] },
  { title: 'a user of the second file, under the cluster of the first', files: (around) => [withoutUsers(around), second] },
  { title: 'an empty file first', files: (around) => [{}, ours(around)] },
  { title: 'two users of the same name in one file', files: (around) => [withTwoUsers(around)], refused: true },
  { title: 'a user that is nowhere', files: (around) => [withoutUsers(around)], anonymous: true },
];

const exec = (more: Fields) => () => ({
  exec: {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: './plugin',
    interactiveMode: 'Never',
    ...more,
  },
});

// biome-ignore format: one row a line
const plugins: readonly Case[] = [
  { title: 'a plugin', user: exec({}) },
  { title: 'a plugin of v1beta1', user: exec({ apiVersion: 'client.authentication.k8s.io/v1beta1', interactiveMode: undefined }) },
  { title: 'a plugin of v1alpha1', user: exec({ apiVersion: 'client.authentication.k8s.io/v1alpha1' }), refused: true },
  { title: 'a plugin of v1 that does not say whether it asks', user: exec({ interactiveMode: undefined }), refused: true },
  { title: 'a plugin that must ask, without a terminal', user: exec({ interactiveMode: 'Always' }), refused: true },
  { title: 'a plugin that may ask, without a terminal', user: exec({ interactiveMode: 'IfAvailable' }) },
  { title: 'a plugin with arguments and an environment', user: exec({ args: ['one', 'two words'], env: [{ name: 'TOLD', value: 'so' }] }) },
  { title: 'a plugin that gives a certificate', user: exec({ args: ['certificate'] }) },
  { title: 'a plugin that gives half a certificate', user: exec({ args: ['half'] }), refused: true },
  { title: 'a plugin that answers in another version', user: exec({ args: ['version'] }), refused: true },
  { title: 'a plugin that gives nothing', user: exec({ args: ['nothing'] }), refused: true },
  { title: 'a plugin that fails', user: exec({ args: ['fail'] }), refused: true },
  { title: 'a plugin that does not exist', user: exec({ command: './nosuch' }), refused: true },
  { title: 'a plugin that is in PATH', user: exec({ command: 'plugin-in-path' }) },
  { title: 'a plugin and a token', user: () => ({ ...token(), ...exec({})() }) },
  { title: 'a plugin that is told of its cluster', cluster: (around) => ({ ...named(around), 'proxy-url': around.proxy, extensions: [{ name: 'client.authentication.k8s.io/exec', extension: { audience: 'x', list: [1] } }] }), user: exec({ provideClusterInfo: true }) },
  { title: 'a plugin that is told of a cluster that is not verified', cluster: ({ https }) => ({ server: https, 'insecure-skip-tls-verify': true, 'tls-server-name': 'api.example.test' }), user: exec({ provideClusterInfo: true }) },
];

/** Every case is tried with kubectl and with this program; `trusted` and `token` unless it says otherwise. */
export const cases: readonly Case[] = [...users, ...clusters, ...proxies, ...files, ...plugins];

export function filesOf(
  { title, cluster = trusted, user = title === 'no user' ? undefined : token, files: whole }: Case,
  around: Surrounding,
): readonly Fields[] {
  return whole?.(around) ?? [kubeconfigOf(cluster(around), user?.(around))];
}
