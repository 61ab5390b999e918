import { describe, expect, it } from 'vitest';
import { readPolicy } from '../../../src/policy/policy-file.ts';
import type { FileProblem } from '../../../src/util/yaml.ts';
import { policyIn } from '../../builders/policy.ts';

const head = 'apiVersion: sidecar-sweeper.dev/v1\nkind: SweepPolicy\n';

function problems(text: string): readonly FileProblem[] {
  const read = readPolicy(text);
  if (read.kind === 'Policy') expect.fail(`nothing is wrong with ${text.slice(0, 200)}`);
  expect(read.problems).not.toEqual([]);
  return read.problems;
}

/** The problems of lines that follow the head, which is two lines long. */
function problemsOf(...lines: readonly string[]): readonly FileProblem[] {
  return problems(head + lines.join('\n'));
}

describe('a policy is read', () => {
  it('that says nothing but what it is', () => {
    expect(policyIn(head)).toEqual({ apiVersion: 'sidecar-sweeper.dev/v1', kind: 'SweepPolicy' });
  });

  it.each([
    ['as JSON', '{"apiVersion": "sidecar-sweeper.dev/v1", "kind": "SweepPolicy", "minAge": "5m"}'],
    ['with comments', `# a policy\n${head}# five minutes\nminAge: 5m # or so\n`],
    ['with the line ends of Windows', `${head}minAge: 5m\n`.replaceAll('\n', '\r\n')],
    ['after a byte order mark', `\ufeff${head}minAge: 5m\n`],
    ['between markers', `---\n${head}minAge: 5m\n...\n`],
  ])('%s', (_title, text) => {
    expect(policyIn(text).minAge).toBe(300_000);
  });

  it('that names a part once and uses it again', () => {
    const text = `${head}
lastResort: [&all {evict: true}, *all]
`;
    const evict = { method: 'Evict', evict: true };
    expect(policyIn(text).lastResort).toEqual([evict, evict]);
  });
});

it.each([
  ['prose with colons', 'Dear reader,\nthis: it has a colon: twice.\n'],
  ['nothing', ''],
  ['null', 'null'],
  ['bytes', '\u0000\u0001'],
])('a file of another kind is told by what a policy begins with %s', (_title, text) => {
  expect(problems(text)).toEqual([
    {
      line: 1,
      message: 'not a policy: one begins with "apiVersion: sidecar-sweeper.dev/v1" and "kind: SweepPolicy"',
    },
  ]);
});

it('a profile of the catalogue may be removed and written anew, but none that only the file has', () => {
  const profileOf = (name: string) =>
    `profiles: [{name: ${name}, containers: [x], images: [x], steps: [{signal: [TERM]}]}]`;
  const { removeProfiles } = policyIn(`${head}${profileOf('dapr')}\nremoveProfiles: [dapr]\n`);
  expect(removeProfiles).toEqual(['dapr']);
  expect(readPolicy(`${head}${profileOf('own')}\nremoveProfiles: [own]\n`)).toMatchObject({
    problems: [{ line: 4, message: 'removeProfiles.0: own is a profile of this policy: delete it there' }],
  });
});

describe('every problem has its line:', () => {
  function wrong(line: number, says: string, ...lines: readonly string[]): void {
    it(`${lines.join(' ')}: ${says}`, () => {
      expect(problemsOf(...lines)).toEqual([{ line, message: expect.stringContaining(says) }]);
    });
  }
  const notADuration = 'write a duration such as 90s, 5m or 1h30m';
  const notATime = 'a duration from 1ms to 24d';
  const noPattern = 'kube-* is not a valid namespace name; patterns are not supported here';
  const notIstio = 'there is no profile isto (did you mean istio?)';

  wrong(3, 'unknown field: minage', 'minage: 5m');
  wrong(3, 'nmespaces (did you mean namespaces?)', 'nmespaces: [a]');
  wrong(5, `removeProfiles.1: ${notIstio}`, 'removeProfiles:', '  - stunnel', '  - isto');
  wrong(3, 'there is no profile zzzzzz', 'removeProfiles: [zzzzzz]');
  wrong(3, 'namespaces: Invalid input: expected array, received string', 'namespaces: jobs');
  wrong(5, 'namespaces.1', 'namespaces:', '  - jobs', '  - ""');
  wrong(3, `excludeNamespaces.1: ${noPattern}`, 'excludeNamespaces: [jobs, kube-*]');
  wrong(3, 'labelSelector: write a label selector such as app=report', 'labelSelector: a b');
  wrong(3, 'namespaceSelector: write a label selector', 'namespaceSelector: "a=b,"');
  wrong(3, notATime, 'maxGrace: 0s');
  wrong(3, `minAge: ${notADuration}`, 'minAge: 5');
  wrong(3, 'maxPods: Too small: expected number to be >=1', 'maxPods: 0');
  wrong(4, 'allowedCommands.0', 'allowedCommands:', '  - []');
  wrong(4, 'allowedCommands.0.0: write <word> only once', 'allowedCommands:', '  - [<word>/<word>]');
  wrong(4, 'half a', 'allowedCommands: []', 'lastResort: [{command: ["\\ud83d"]}]');
  wrong(3, 'imageSwap.image: write an image', 'imageSwap: {image: busybox latest}');
  wrong(5, 'unknown field: grace', 'imageSwap:', '  image: noop:1', '  grace: 1m');
  wrong(3, 'clusterName: write the name of the cluster', 'clusterName: " "');
  wrong(3, 'pushgatewayUrl: use an http or https URL', 'pushgatewayUrl: http://a:b');
  wrong(3, 'pushgatewayUrl: percent-encode its password', 'pushgatewayUrl: http://me:100%@gateway');

  const lastResort = 'lastResort:';
  wrong(5, 'unknown field', lastResort, '  - evict: true', '    delete: true');
  wrong(4, 'lastResort.0', lastResort, '  - grace: 1m');
  wrong(4, 'unknown field: destroy', lastResort, '  - destroy: true');
  wrong(5, 'unknown field: method', lastResort, '  - evict: true', '    method: Delete');
  // YAML 1.2 takes it for a string.
  wrong(4, 'evict: Invalid input: expected true', lastResort, '  - evict: yes');
  wrong(5, 'lastResort.1.imageSwap.image', lastResort, '  - deadline: true', '  - imageSwap: {}');

  const profiles = 'profiles:';
  const noSteps = 'profiles.0.steps: is missing';
  const empty = 'profiles.0.containers: Too small: expected array to have >=1 items';
  wrong(4, 'name', profiles, '  - containers: [x]', '    images: [x]', '    steps: []');
  wrong(4, noSteps, profiles, '  - {name: x, containers: [x], images: [x]}');
  wrong(5, empty, profiles, '  - name: x', '    containers: []', '    images: [x]', '    steps: []');

  const profile = (...steps: readonly string[]) => [
    ...[profiles, '  - name: x', '    containers: [x]', '    images: [x]', '    steps:'],
    ...steps.map((line) => `      ${line}`),
  ];
  wrong(10, 'http.port', ...profile('- http:', '    path: /', '    port: 70000'));
  wrong(9, 'exitCode', ...profile('- signal: [TERM]', '  exitCode: 256'));
  wrong(10, 'when.0', ...profile('- signal: [TERM]', '  when:', '    - {env: A, argument: --a}'));
  wrong(9, 'steps.1.signal.0', ...profile('- signal: [TERM]', '- signal: [NOSUCH]'));

  it('a step of one kind has all of its problems, and is not taken for one of another kind', () => {
    const steps = ['- http: {port: 99999, path: quit}', '  exitcode: 0'];
    const found = problemsOf(...profile(...steps)).map(({ message }) => message);
    expect(found).toEqual([
      'profiles.0.steps.0.http.port: Too big: expected number to be <=65535',
      expect.stringMatching(/^profiles\.0\.steps\.0\.http\.path: /),
      'profiles.0.steps.0: unknown field: exitcode',
    ]);
  });

  it('all of them at once, in the order of the file', () => {
    const lastResort = ['lastResort:', '  - imageSwap: {}', '  - evict: maybe'];
    const found = problemsOf('minAge: soon', 'nosuch: 1', ...lastResort, 'uncleanExit: no');
    expect(found.map(({ line }) => line)).toEqual([3, 4, 6, 7, 8]);
  });
});

describe('what is not a policy is refused', () => {
  it.each<readonly [title: string, text: string, line: number, says: string | RegExp]>([
    ['another kind', 'apiVersion: sidecar-sweeper.dev/v1\nkind: SweepReport\n', 2, 'kind'],
    ['another version', 'apiVersion: sidecar-sweeper.dev/v2\nkind: SweepPolicy\n', 1, 'apiVersion'],
    ['two policies', `${head}---\n${head}`, 3, 'a second document begins here; only one is read'],
    ['a tab for an indent', `${head}scope:\n\tx: 1\n`, 4, /tab/i],
    ['a key that is written twice', `${head}minAge: 5m\nminAge: 1h\n`, 4, /^minAge is there twice$/],
    ['a bracket that is not closed', `${head}namespaces: [a, b\n`, 4, /./],
    ['a quote that is not closed', `${head}labelSelector: "app\n`, 4, /./],
    ['an alias of nothing', `${head}namespaces: *missing\n`, 3, /alias|anchor/i],
    ['a tag of something else', `${head}minAge: !!js/function "x"\n`, 3, 'minAge'],
  ])('%s', (_title, text, line, says) => {
    expect(problems(text)[0]).toEqual({
      line,
      message: typeof says === 'string' ? expect.stringContaining(says) : expect.stringMatching(says),
    });
  });

  it('what is longer than 1 MiB, unread', () => {
    const expected = [{ line: 1, message: 'longer than 1 MiB' }];
    expect(problems(`${head}# ${'x'.repeat(1024 * 1024)}\n`)).toEqual(expected);
    expect(policyIn(`${head}# ${'x'.repeat(1024 * 1024 - 200)}\n`).kind).toBe('SweepPolicy');
  });

  it.each(['__proto__', 'constructor', 'toString'])('a field that is called %s', (key) => {
    expect(problemsOf(`${key}: {kind: x}`)[0]?.message).toContain(key);
    expect(problemsOf('lastResort:', `  - {evict: true, ${key}: 1}`)[0]?.message).toContain(key);
  });
});
