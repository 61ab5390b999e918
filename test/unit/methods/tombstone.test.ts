import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type TombstoneStep, tombstone } from '../../../src/methods/tombstone.ts';
import type { AttemptResult } from '../../../src/model/outcome.ts';
import type { ExecResult } from '../../../src/model/ports.ts';
import { steps } from '../../builders/plan.ts';
import { temporaryFolder } from '../../kit/started.ts';
import { abort, common, execRecipient, pod, subject } from './recipient.ts';

const folder = temporaryFolder('tombstones');

function spec(path: string, content?: string) {
  return tombstone.written.parse({ tombstone: { path, ...(content !== undefined && { content }) } });
}

describe('a written tombstone', () => {
  it('is empty unless it says otherwise', () => {
    expect(spec('/exit')).toEqual({ method: 'Tombstone', tombstone: { path: '/exit', content: '' } });
    expect(spec('/exit', 'Died')).toMatchObject({ tombstone: { content: 'Died' } });
  });

  // biome-ignore format: as many as fit on a line
  it.each([
    ['/graveyard/main', true], ['$(GRAVEYARD)/main', true], ['graveyard/main', false], ['a/$(NAME)', false],
    ['$GRAVEYARD/main', false], ['', false],
  ])('%s: is it an absolute path? %s', (path, expected) => {
    const { success, error } = tombstone.written.safeParse({ tombstone: { path } });
    expect(success).toBe(expected);
    if (!expected) expect(error?.issues[0]?.message).toBe('write an absolute path');
  });

  it('reads by its path', () => {
    expect(tombstone.describeSpec(spec('$(GRAVEYARD)/main'))).toBe('write $(GRAVEYARD)/main');
    expect(tombstone.describe(steps.Tombstone)).toBe('write /graveyard/work');
  });
});

it('an annotation may ask for the files that the catalogue writes, with what it writes into them', () => {
  const allowlist = { patterns: [], known: [spec('/other'), spec('$(GRAVEYARD)/exit', 'Died')] };
  expect(tombstone.isAdmitted(spec('$(GRAVEYARD)/exit', 'Died'), allowlist)).toBe(true);
  expect(tombstone.isAdmitted(spec('$(GRAVEYARD)/exit', '* * * * * root evil'), allowlist)).toBe(false);
  expect(tombstone.isAdmitted(spec('/other', 'Died'), allowlist)).toBe(false);
  expect(tombstone.isAdmitted(spec('/etc/crontab', 'Died'), allowlist)).toBe(false);
  expect(tombstone.isAdmitted(spec('/exit'), { patterns: [], known: [] })).toBe(false);
});

describe('the path of a tombstone', () => {
  const stepsFor = (path: string, env: Readonly<Record<string, string>>) =>
    tombstone.toSteps(spec(path, 'Died'), common, subject({}, { env }));

  // biome-ignore format: one row a line
  it.each<readonly [path: string, env: Readonly<Record<string, string>>, expected: readonly string[]]>([
    ['/graveyard/main', {}, ['/graveyard/main']],
    ['$(GRAVEYARD)/$(NAME)', { GRAVEYARD: '/graveyard', NAME: 'main' }, ['/graveyard/main']],
    ['$(A_1)/x', { A_1: '/a' }, ['/a/x']],
    ['/$(_a)', { _a: 'b' }, ['/b']],
    ['/a/$(X)$(X)', { X: 'b' }, ['/a/bb']],
    ['/a/$(X)', { X: '' }, ['/a/']],
    // A variable that lists names makes one path for each.
    ['/a/$(X)', { X: 'one,two' }, ['/a/one', '/a/two']],
    ['/a/$(X)', { X: ' one , two ' }, ['/a/one', '/a/two']],
    ['/$(X)/$(Y)', { X: 'a,b', Y: '1,2' }, ['/a/1', '/a/2', '/b/1', '/b/2']],
    // The value is not expanded again.
    ['/a/$(X)', { X: '$(Y)', Y: 'no' }, ['/a/$(Y)']],
    ['/a/$(X)', { X: "$& $' $1" }, ["/a/$& $' $1"]],
    ['/a/$X \u0024{X} $() $(1X) $(A-B) $((X)) (X)', { X: 'no' }, ['/a/$X \u0024{X} $() $(1X) $(A-B) $((X)) (X)']],
  ])('%s with %j is %j', (path, env, expected) => {
    expect(stepsFor(path, env)).toEqual(
      expected.map((each) => ({ ...common, method: 'Tombstone', path: each, content: 'Died' })),
    );
    expect(tombstone.whyUnfit(spec(path), subject({}, { env }))).toBeUndefined();
  });

  it.each<readonly [title: string, path: string, value: string, problem: string | undefined]>([
    ['64 files', '/$(X)', Array(64).fill('x').join(), undefined],
    ['65 files', '/$(X)', Array(65).fill('x').join(), 'more than 64 files: /$(X)'],
    ['9 times 9 files', '/$(X)/$(X)', Array(9).fill('x').join(), 'more than 64 files: /$(X)/$(X)'],
    ['4,096 characters', '/$(X)', 'x'.repeat(4_095), undefined],
    ['one of 4,097', '/$(X)', `a,${'x'.repeat(4_096)}`, 'a path of more than 4096 characters: /$(X)'],
  ])('may come to no more than the bounds: %s', (_title, path, value, problem) => {
    const of = subject({}, { env: { X: value } });
    const unfit = problem === undefined ? undefined : { reason: 'OverBound', detail: problem };
    expect(tombstone.whyUnfit(spec(path), of)).toEqual(unfit);
    expect(tombstone.toSteps(spec(path), common, of).length > 0).toBe(problem === undefined);
  });

  // The names of Object.prototype are not variables of the container.
  it.each(['$(GRAVEYARD)/main', '/$(NAME)/$(GRAVEYARD)', '/g/$(toString)', '/$(__proto__)'])(
    '%s is unfit if a variable is not set',
    (path) => {
      const of = subject({}, { env: { NAME: 'a' } });
      expect(tombstone.whyUnfit(spec(path), of)).toEqual({
        reason: 'NoPath',
        detail: `${path} names a variable that is not set`,
      });
      expect(tombstone.toSteps(spec(path), common, of)).toEqual([]);
    },
  );
});

async function commandOf(step: TombstoneStep): Promise<readonly string[]> {
  const { to, calls } = execRecipient({ kind: 'Exited', exitCode: 0, output: '' });
  await tombstone.send(step, to);
  const [call, ...others] = calls;
  if (!call || others.length > 0) expect.fail('one command was to be sent');
  const [toPod, container, command, signal] = call;
  expect([toPod, container, signal]).toEqual([pod, 'sidecar', abort]);
  return command;
}

it.each([
  ['a tombstone', 'Born: 2020-01-01T00:00:00Z\nExitCode: 0\n'],
  ['nothing', ''],
  ['what a shell or printf would interpret', '$(touch evil) `touch evil` "\' %s %d \\n\\0 -n'],
])('a real shell writes the content as it is: %s', async (name, content) => {
  const path = join(folder, `${name} $(touch evil); "'`);
  const [program = '', ...args] = await commandOf({ ...steps.Tombstone, path, content });
  execFileSync(program, args, { cwd: folder });
  expect(readFileSync(path, 'utf8')).toBe(content);
  expect(readdirSync(folder)).not.toContain('evil');
});

it('an error of the shell names us', async () => {
  const [program, option, script, name] = await commandOf(steps.Tombstone);
  expect([program, option, name]).toEqual(['/bin/sh', '-c', 'sidecar-sweeper']);
  expect(script).not.toContain(steps.Tombstone.path);
});

// biome-ignore format: one row a line
it.each<readonly [title: string, ExecResult, AttemptResult]>([
  ['was written', { kind: 'Exited', exitCode: 0, output: '' }, { kind: 'Accepted' }],
  ['cannot be written', { kind: 'Exited', exitCode: 2, output: "sh: can't create /x" }, { kind: 'Unsupported', message: "exit code 2: sh: can't create /x" }],
  // A shell that was killed may have written the file, and ended with its container.
  ['may be written', { kind: 'Exited', exitCode: 137, output: '' }, { kind: 'Unconfirmed', message: 'exit code 137' }],
  ['may be written', { kind: 'Unconfirmed', message: 'why' }, { kind: 'Unconfirmed', message: 'why' }],
  ['needs a shell', { kind: 'NoSuchProgram', message: 'no' }, { kind: 'NoSuchProgram', program: '/bin/sh', message: 'no' }],
])('a file that %s: %j is %j', async (_title, result, expected) => {
  expect(await tombstone.send(steps.Tombstone, execRecipient(result).to)).toEqual(expected);
});
