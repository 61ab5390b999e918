import { hostileTexts } from './hostile-texts.ts';

const policyHead = 'apiVersion: sidecar-sweeper.dev/v1\nkind: SweepPolicy\n';

/** Fields that say what no policy can, each on the third line of a file. */
// biome-ignore format: as many as fit on a line
const fields: readonly string[] = [
  // Fields that do not exist, or nearly.
  'minage: 5m', 'min-age: 5m', 'MinAge: 5m', ' minAge : 5m\n x: 1', 'concurrency: 0', 'dryRun: true',
  'spec: {minAge: 5m}', 'namespace: jobs', 'exclude: [jobs]', 'lastresort: []', 'force: true',
  '__proto__: {minAge: 0}', 'constructor: 1', 'toString: 1', '"": 1', '1: 1', 'null: 1', '? [a]\n: b',
  // Texts, lists and objects where others belong.
  'minAge: 5', 'minAge: null', 'minAge: []', 'minAge: {}', 'minAge: true', 'namespaces: jobs',
  'namespaces: {a: b}', 'namespaces: [1]', 'namespaces: [[a]]', 'namespaces: [null]', 'namespaces: 0',
  'rules: {}', 'rules: [1]', 'rules: [null]', 'rules: [[]]', 'profiles: {}', 'profiles: [a]',
  'lastResort: delete', 'lastResort: [delete]', 'lastResort: {delete: true}', 'removeProfiles: istio',
  'allowedCommands: [sh]', 'allowedCommands: [[]]', 'allowedCommands: [[1]]', 'labelSelector: {a: b}',
  'annotationCommands: false', 'annotationCommands: all', 'uncleanExit: never', 'uncleanExit: true',
  'raiseBackoffLimit: yes please', 'raiseBackoffLimit: 1', 'keepLogs: all', 'imageSwap: true',
  // Durations.
  'minAge: -5m', 'minAge: soon', 'minAge: 5 m', 'minAge: 1e3s', 'minAge: 0x10s', 'minAge: 5M', 'minAge: 5y',
  'minAge: .5h', 'minAge: 1.h', 'minAge: "5m "', 'minAge: P1D', 'minAge: 00:05', 'minAge: ""', 'minAge: ٥m',
  'minAge: 99999999999999999999w', 'minAge: NaNs', 'minAge: Infinity', 'minAge: 1m-1s', 'minAge: +5m',
  'maxGrace: 0', 'maxGrace: 0s', 'maxGrace: 25d', 'maxGrace: -1s', 'maxGrace: 0.1ms',
  // Numbers.
  'maxPods: 0', 'maxPods: -1', 'maxPods: 1.5', 'maxPods: 1e309', 'maxPods: .nan', 'maxPods: .inf',
  'maxPods: "5"', 'maxPods: 9007199254740993', 'maxPodsPerNode: 0', 'maxPodsPerNamespace: -5',
  'brakePods: -1', 'brakePods: 0.5', 'brakeShare: 101', 'brakeShare: -1', 'brakeShare: .nan',
  'brakeShare: 5%', 'keepLogs: -1', 'keepLogs: 501', 'keepLogs: 1e9', 'keepLogs: 2.5',
  // Names.
  'namespaces: [""]', 'namespaces: [..]', 'namespaces: [a/b]', 'namespaces: [kube-*]', 'namespaces: [Jobs]',
  'excludeNamespaces: [kube-*]', 'excludeNamespaces: ["*"]', 'excludeNamespaces: [a b]',
  'namespaces: [a.b]', `namespaces: [${'x'.repeat(64)}]`, 'excludeNamespaces: [..]',
  'excludeNamespaces: [A]', 'excludeNamespaces: [-a]', `excludeNamespaces: [${'x'.repeat(64)}]`,
  'clusterName: ""', 'clusterName: " "', 'clusterName: 1', 'terminationMessage: ""',
  'terminationMessage: [/dev/termination-log]', 'events: 1', 'events: always',
  // Addresses.
  'pushgatewayUrl: ""', 'pushgatewayUrl: x', 'pushgatewayUrl: ftp://x', 'pushgatewayUrl: http://',
  'pushgatewayUrl: http:///x', 'pushgatewayUrl: javascript:alert(1)', 'pushgatewayUrl: http://a b',
  'pushgatewayUrl: http://me:%@x', 'pushgatewayUrl: http://x:99999',
  // Rules.
  'rules: [{}]', 'rules: [{name: a}]', 'rules: [{name: "", containers: [x]}]', 'rules: [{containers: [x]}]',
  'rules: [{name: a, containers: []}]', 'rules: [{name: a, containers: [""]}]',
  'rules: [{name: a, images: []}]', 'rules: [{name: a, containers: ["*"]}]',
  'rules: [{name: a, images: ["*/**"]}]', 'rules: [{name: a, containers: ["***", x]}]',
  'rules: [{name: a, role: Both, containers: [x]}]', 'rules: [{name: a, role: sidecar, containers: [x]}]',
  'rules: [{name: a, containers: [x], namespaces: []}]', 'rules: [{name: a, containers: [x], labels: []}]',
  'rules: [{name: a, containers: [x], labels: {b: 1}}]',
  'rules: [{name: a, containers: [x], labels: {"": b}}]',
  'rules: [{name: a, containers: [x], ownerKinds: []}]',
  `rules: [{name: a, containers: [${'x'.repeat(254)}]}]`,
  `rules: [{name: ${'x'.repeat(64)}, containers: [x]}]`,
  // Profiles and steps.
  'profiles: [{}]', 'profiles: [{name: a}]',
  'profiles: [{name: "", containers: [x], images: [x], steps: []}]',
  'profiles: [{name: a, containers: [x], images: [x]}]', 'lastResort: [{}]', 'lastResort: [{grace: 1m}]',
  `profiles: [{name: a, containers: [${'x'.repeat(257)}], images: [x], steps: []}]`,
  'lastResort: [{delete: false}]', 'lastResort: [{evict: true, delete: true}]',
  'lastResort: [{explode: true}]', 'lastResort: [{signal: []}]', 'lastResort: [{signal: [STOP]}]',
  'lastResort: [{signal: TERM}]', 'lastResort: [{command: []}]', 'lastResort: [{command: [""]}]',
  'lastResort: [{command: ["a\\0"]}]', 'lastResort: [{command: ["\\ud83d"]}]',
  'lastResort: [{http: {port: 0, path: /}}]', 'lastResort: [{http: {port: 70000, path: /}}]',
  'lastResort: [{http: {port: 80, path: a}}]', 'lastResort: [{http: {port: 80, path: "/a b"}}]',
  'lastResort: [{http: {port: 80}}]', 'lastResort: [{http: {port: 80, path: /, headers: {"a b": c}}}]',
  'lastResort: [{http: {port: 80, path: /, headers: {a: "b\\r\\nc: d"}}}]', 'lastResort: [{imageSwap: {}}]',
  'lastResort: [{delete: true, grace: 5}]', 'lastResort: [{delete: true, exitCode: 256}]',
  'lastResort: [{delete: true, exitCode: -1}]', 'lastResort: [{delete: true, when: []}]', 'imageSwap: {}',
  'imageSwap: {image: ""}', 'imageSwap: {image: "a b"}', 'imageSwap: {image: a:}',
  'imageSwap: {image: a, commands: all}', 'imageSwap: {image: a, commands: [""]}', 'imageSwap: busybox:1',
  // What YAML makes hard to read.
  'minAge: 5m\nminAge: 6m', '"minAge": 5m\nminAge: 5m', '\tminAge: 5m', 'minAge: 5m\n\tmaxPods: 1',
  'minAge: [', 'minAge: {', 'minAge: "5m', "minAge: '5m", 'minAge: *age', 'minAge: &age', 'minAge: @5m',
  'minAge: `5m`', 'minAge: %5m', 'minAge: |5m', '- minAge', '}', ']', 'minAge: 5m: 6m', '---\nminAge: 5m',
  'a: &a [*a]', 'a: &a {<<: *a}', 'rules: &a [*a]', '<<: {minAge: 5}', '<<: [1]', '!!js/function "x": 1',
  'minAge: !!binary aGVsbG8=', 'namespaces: !!set {a, b}',
];

export const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n');

/** Files that show what they are. */
// biome-ignore format: as many as fit on a line
const otherFiles: readonly string[] = [
  '', ' \n \n', '# nothing yet\n', 'null', 'hello', '5', '- a\n- b\n', '{"apiVersion":"v1","kind":"Pod"}',
  'apiVersion: v1\nkind: Pod\nmetadata: {name: x}\n', 'apiVersion: sidecar-sweeper.dev/v1\n',
  'kind: SweepPolicy\n', 'apiVersion: sidecar-sweeper.dev/v2\nkind: SweepPolicy\n',
  'apiVersion: sidecar-sweeper.dev/v1\nkind: sweeppolicy\n', '\u0000\u0001\u0002\u0003\uffff',
  '<!doctype html><html><body>404</body></html>', '{"apiVersion":"sidecar-sweeper.dev/v1","kind":',
  'PK\u0003\u0004\u0014\u0000', 'TOKEN=abc\nKEY=def\n',
  '-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\n',
];

const wholeFiles: Readonly<Record<string, string>> = {
  ...Object.fromEntries(otherFiles.map((file) => [JSON.stringify(file), file])),
  'two policies': `${policyHead}---\n${policyHead}`,
  'a policy in a ConfigMap': `apiVersion: v1\nkind: ConfigMap\ndata:\n  policy.yaml: |\n    kind: SweepPolicy\n`,
  'UTF-16 read as UTF-8': [...policyHead].map((character) => `${character}\0`).join(''),
  'a bomb of aliases': `a0: &a0 [x]\n${lines(40, (index) => `a${index + 1}: &a${index + 1} [*a${index}, *a${index}]`)}`,
  'aliases of nothing': `b:\n${lines(3_000, (index) => `- *a${index}`)}`,
  'lists in lists': '['.repeat(20_000),
  'maps in maps': '{a: '.repeat(5_000),
  questions: '? '.repeat(5_000),
  anchors: '&a '.repeat(5_000),
  tags: '!a '.repeat(5_000),
  'more than 1 MiB': `${policyHead}#${'x'.repeat(1024 * 1024)}`,
  '4,000 fields': policyHead + lines(4_000, (index) => `k${index}: 1`),
  'one field 4,000 times': policyHead + lines(4_000, () => 'minAge: 5m'),
  '4,000 bad rules': `${policyHead}rules:\n${lines(4_000, () => '- {x: 1}')}`,
};

const quoted = (text: string) => JSON.stringify(text);

export const badPolicies: Readonly<Record<string, string>> = {
  ...Object.fromEntries(fields.map((field) => [field, policyHead + field] as const)),
  ...wholeFiles,
  ...Object.fromEntries(
    Object.entries(hostileTexts).flatMap(([title, text]) => [
      [`a field called ${title}`, `${policyHead}${quoted(text)}: 1`] as const,
      [`a mode called ${title}`, `${policyHead}uncleanExit: ${quoted(text)}`] as const,
    ]),
  ),
};
