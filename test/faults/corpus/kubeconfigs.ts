import { hostileTexts } from './hostile-texts.ts';
import { lines } from './policies.ts';

/** Stands wherever a kubeconfig holds a credential, and must never be printed. */
export const canary = 'CaNaRy-0123456789';
const base64 = Buffer.from(canary).toString('base64');

interface Parts {
  readonly cluster?: string;
  readonly user?: string;
  readonly context?: string;
  readonly rest?: string;
  readonly current?: string;
}

/** A kubeconfig that is right but for the parts that are given. */
function kubeconfig({ cluster, user, context, rest, current = 'a' }: Parts): string {
  return `apiVersion: v1
kind: Config
current-context: ${current}
contexts:
- {name: a, context: ${context ?? '{cluster: a, user: a}'}}
clusters:
- {name: a, cluster: ${cluster ?? '{server: "https://127.0.0.1:9"}'}}
users:
- {name: a, user: ${user ?? `{token: ${canary}}`}}
${rest ?? ''}`;
}

const exec = (more: string) =>
  `{exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, ${more}}}`;

// biome-ignore format: as many as fit on a line
const servers: readonly string[] = [
  '', ' ', 'https://', '://x', 'ftp://127.0.0.1', 'unix:///run/x.sock', 'file:///etc/passwd',
  'javascript:alert(1)', 'https://[::1', 'https://[zz]:1', 'https://127.0.0.1:99999', 'https://a b',
  `https://me:${canary}%@127.0.0.1`, `https://${canary}%zz@127.0.0.1`, `ftp://me:${canary}@127.0.0.1`,
  'https://\u0000', 'https://x\ny', 'https://\u001b[31m', 'https://?', 'https://#', 'https://%zz',
];

// biome-ignore format: as many as fit on a line
const proxies: readonly string[] = [
  `http://me:${canary}%@127.0.0.1:1`, `http://${canary}%zz:b@127.0.0.1:1`, `ftp://me:${canary}@127.0.0.1`,
  `me:${canary}`, `http://me:${canary}@`, `http://me:${canary}@x:port`, 'socks4://x', ' ', 'unix:///x',
];

// biome-ignore format: one row a line
const parts: Readonly<Record<string, Parts>> = {
  ...Object.fromEntries(
    servers.map((server) => [
      `the server ${JSON.stringify(server)}`,
      { cluster: `{server: ${JSON.stringify(server)}}` },
    ]),
  ),
  ...Object.fromEntries(
    proxies.map((proxy) => [
      `the proxy ${JSON.stringify(proxy)}`,
      { cluster: `{server: "https://127.0.0.1:9", proxy-url: ${JSON.stringify(proxy)}}` },
    ]),
  ),
  'a server that is a number': { cluster: '{server: 5}' },
  'a server that is a list': { cluster: '{server: [a]}' },
  'a cluster without a server': { cluster: '{}' },
  'a cluster that is a text': { cluster: 'text' },
  'a cluster that is missing': { context: '{cluster: b, user: a}' },
  'a context without a cluster': { context: '{user: a}' },
  'a context that is a list': { context: '[a]' },
  'no context of that name': { current: 'b' },
  'no current context': { current: '""' },
  'a current context that is a list': { current: '[a]' },
  'two users of one name': { rest: `- {name: a, user: {token: ${canary}}}\n` },
  'two lists of users': { rest: `users: [{name: a, user: {token: ${canary}}}]\n` },
  'users that are a map': { rest: `extensions: {}\nclusters: {a: {token: ${canary}}}\n` },
  'a token that is a number': { user: '{token: 123456}' },
  'a token that is a list': { user: `{token: [${canary}]}` },
  'a token that is a map': { user: `{token: {value: ${canary}}}` },
  'a token and a password': { user: `{token: ${canary}, username: a, password: ${canary}}` },
  'a password that is a list': { user: `{username: a, password: [${canary}]}` },
  'a token file that is missing': { user: '{tokenFile: /nonexistent/token}' },
  'a certificate without its key': { user: `{client-certificate-data: ${base64}}` },
  'a certificate that is not base64': { user: `{client-certificate-data: "${canary}!", client-key-data: ${base64}}` },
  'a key that is not base64': { user: `{client-certificate-data: ${base64}, client-key-data: "${canary}!"}` },
  'a key that is cut': { user: `{client-certificate-data: ${base64}, client-key-data: ${base64.slice(0, 5)}}` },
  'a key file that is missing': { user: `{client-certificate-data: ${base64}, client-key: /nonexistent/key}` },
  'a key twice': { user: `{client-certificate-data: ${base64}, client-key: /dev/null, client-key-data: ${base64}}` },
  'an authority that is not base64': { cluster: '{server: "https://127.0.0.1:9", certificate-authority-data: "!"}' },
  'an authority that is missing': { cluster: '{server: "https://127.0.0.1:9", certificate-authority: /nonexistent}' },
  'an authority, and none needed': { cluster: `{server: "https://127.0.0.1:9", certificate-authority-data: ${base64}, insecure-skip-tls-verify: true}` },
  'TLS that is skipped by a text': { cluster: '{server: "https://127.0.0.1:9", insecure-skip-tls-verify: "yes"}' },
  'a plugin without a command': { user: exec('args: []') },
  'a plugin with an empty command': { user: exec('command: ""') },
  'a plugin whose arguments are a text': { user: exec(`command: x, args: ${canary}`) },
  'a plugin whose arguments are numbers': { user: exec('command: x, args: [1]') },
  'a plugin whose environment is a map': { user: exec(`command: x, env: {TOKEN: ${canary}}`) },
  'a plugin whose variable is a number': { user: exec('command: x, env: [{name: A, value: 1}]') },
  'a plugin of another protocol': { user: '{exec: {apiVersion: client.authentication.k8s.io/v1alpha1, command: x}}' },
  'a plugin without a mode': { user: '{exec: {apiVersion: client.authentication.k8s.io/v1, command: x}}' },
  'a plugin of an unknown mode': { user: '{exec: {apiVersion: client.authentication.k8s.io/v1, command: x, interactiveMode: Maybe}}' },
  'a plugin that is a text': { user: `{exec: ${canary}}` },
  'a plugin and a provider': { user: '{exec: {command: x}, auth-provider: {name: oidc}}' },
  'a provider that is gone': { user: `{auth-provider: {name: gcp, config: {access-token: ${canary}}}}` },
  'groups without a user': { user: `{token: ${canary}, as-groups: [a]}` },
  'groups that are a text': { user: `{token: ${canary}, as: a, as-groups: b}` },
  'extras of an impersonated user': { user: `{token: ${canary}, as: a, as-user-extra: {b: [c]}}` },
};

/** What the token of a user does to the YAML around it. */
// biome-ignore format: as many as fit on a line
const tokens: readonly string[] = [
  `*${canary}`, `@${canary}`, `\`${canary}`, `%${canary}`, `"${canary}`, `'${canary}`, `[${canary}`,
  `{${canary}`, `}${canary}`, `]${canary}`, `,${canary}`, `|${canary}`, `>${canary}`,
  `${canary}: ${canary}: x`,
];

const wholeFiles: Readonly<Record<string, string>> = {
  nothing: '',
  null: 'null',
  'a text': canary,
  'a list': `- ${canary}`,
  HTML: `<html>${canary}</html>`,
  binary: `\0\u0001${canary}`,
  'a token alone': `token: ${canary}`,
  'JSON that is cut': kubeconfig({}).slice(0, 120),
  tabs: `users:\n\t- token: ${canary}`,
  'an unknown tag': `!!js/function ${canary}`,
  'two documents': `${kubeconfig({})}---\n${kubeconfig({})}`,
  'a bomb of aliases': `a0: &a0 [x]\n${lines(40, (index) => `a${index + 1}: &a${index + 1} [*a${index}, *a${index}]`)}`,
  'merges of merges': `a: &a {x: 1}\n${lines(3_000, (index) => `b${index}: {<<: *a}`)}`,
  'lists in lists': '['.repeat(20_000),
  'maps in maps': '{a: '.repeat(5_000),
  questions: '? '.repeat(5_000),
  '4,000 fields': lines(4_000, (index) => `k${index}: 1`),
  '5,000 contexts, none chosen': `contexts:\n${lines(5_000, (index) => `- {name: k${index}, context: {cluster: a}}`)}`,
};

export const badKubeconfigs: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(parts).map(([title, part]) => [title, kubeconfig(part)])),
  ...Object.fromEntries(
    tokens.map((token) => [
      `the token ${token}`,
      kubeconfig({ user: `\n    token: ${token}` })
        .replace('- {name: a, user: ', '- name: a\n  user: ')
        .replace(/\}\n$/, '\n'),
    ]),
  ),
  ...wholeFiles,
  ...Object.fromEntries(
    Object.entries(hostileTexts).map(([title, text]) => [
      `a current context called ${title}`,
      kubeconfig({ current: JSON.stringify(text) }),
    ]),
  ),
};
