import { expect, it } from 'vitest';
import { parseArguments } from '../../../src/cli/program.ts';

it.each([
  ['swep', "unknown command 'swep': to sweep, leave the command out"],
  ['sweep', "unknown command 'sweep': to sweep, leave the command out"],
  ['scann', "unknown command 'scann' (did you mean scan?)"],
  ['-n a profile', "unknown command 'profile' (did you mean profiles?)"],
  ['jobs', "unknown command 'jobs'; to sweep a namespace, use -n"],
  ['--namspace a', "unknown option '--namspace' (did you mean --namespace?)"],
  ['scan --namspace a', "unknown option '--namspace' (did you mean --namespace?)"],
  ['scan jobs', "'scan' takes no arguments, but 'jobs' was given; to name a namespace, use -n"],
  ['scan -- jobs', "'scan' takes no arguments, but 'jobs' was given; to name a namespace, use -n"],
  ['validate a.yaml b.yaml', "'validate' takes 1 argument; 'b.yaml' is one too many"],
  ['completion bash zsh', "'completion' takes 1 argument; 'zsh' is one too many"],
  [
    'check-access jobs',
    "'check-access' takes no arguments, but 'jobs' was given; to name a namespace, use -n",
  ],
  ['--context prod scan', "--context has no effect before 'scan'; write flags after the command"],
  [
    '-n jobs --dry-run explain a/b',
    "--namespace has no effect before 'explain'; write flags after the command",
  ],
  ['--no-lock check-access', "--no-lock has no effect before 'check-access'; write flags after the command"],
  ['report -o json merge a', "--output has no effect before 'merge'; write flags after the command"],
  ['scan -n a jobs', "'scan' takes no arguments, but 'jobs' was given; to name a namespace, use -n"],
  ['help scann', "unknown command 'scann' (did you mean scan?)"],
  ['help scn', "unknown command 'scn' (did you mean scan?)"],
  ['help zzz', "unknown command 'zzz'"],
  ['help sweep', "unknown command 'sweep': to sweep, leave the command out"],
  ['help report mrge', "unknown command 'report mrge' (did you mean merge?)"],
  ['help scan jobs', "unknown command 'scan jobs'"],
  ['help -x', "unknown option '-x'"],
  ['hlp', "unknown command 'hlp' (did you mean help?)"],
  ['completion bsh', "unknown shell 'bsh'. Allowed choices are bash, zsh, fish"],
])('%s: %s', (line, message) => {
  const parsed = parseArguments(line.split(' '));
  expect(parsed).toMatchObject({
    kind: 'Wrong',
    message: typeof message === 'string' ? message : expect.stringMatching(message),
  });
});

it.each([
  ['--nosuch', 'sidecar-sweeper --help'],
  ['-n jobs scan x', 'sidecar-sweeper --help'],
  ['scan --nosuch', 'sidecar-sweeper scan --help'],
  ['scan -A -n jobs', 'sidecar-sweeper scan --help'],
  ['report merge --min-age 1h', 'sidecar-sweeper report merge --help'],
])('%s: see %s', (line, help) => {
  expect(parseArguments(line.split(' '))).toMatchObject({ kind: 'Wrong', help });
});
