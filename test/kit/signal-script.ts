import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { signalScript } from '../../src/methods/signal.ts';
import {
  absolute,
  childrenOf,
  commandOf,
  isAlive,
  noCgroups,
  noPidNamespaces,
  PidNamespace,
  until,
} from '../builders/pid-namespace.ts';
import { describeUnless, itUnless, missingPrograms } from './needs.ts';

const numbers: Readonly<Record<string, number>> = { INT: 2, KILL: 9, USR1: 10, TERM: 15 };

const sleep = ['sleep', '1000'];
/** Ends with this code at a signal; waits in steps, because a shell runs its trap only between two commands. */
const handler = (signal: string, exitCode: number) =>
  `trap "exit ${exitCode}" ${signal}; echo ready; while :; do sleep 0.02; done`;
const sh = (script: string) => ['sh', '-c', script];
/** Blocks this signal, and ends with this code when it is pending, like a program that waits for it in another thread. */
const waitsFor = (signal: string, exitCode: number) => [
  'perl',
  '-MPOSIX',
  '-e',
  `$| = 1; my $all = POSIX::SigSet->new(SIG${signal}); sigprocmask(SIG_BLOCK, $all); print "ready\\n";
  while (1) { my $due = POSIX::SigSet->new; sigpending($due); exit ${exitCode} if $due->ismember(SIG${signal});
  select undef, undef, undef, 0.02 }`,
];

/**
 * Blocks this signal for a tenth of every millisecond, as a shell does while it starts a child. It does not sleep meanwhile: on a
 * busy machine, it would wake too late.
 */
const blocksBriefly = (signal: string) => [
  'perl',
  '-MPOSIX',
  '-MTime::HiRes=time,usleep',
  '-e',
  `$| = 1; my $all = POSIX::SigSet->new(SIG${signal}); print "ready\\n"; while (1) {
  sigprocmask(SIG_BLOCK, $all); my $end = time + 0.0001; 1 while time < $end;
  sigprocmask(SIG_UNBLOCK, $all); usleep(900) }`,
];

/** The process that holds a pod's namespaces, as far as its name shows. */
function startPause(): Promise<PidNamespace> {
  const folder = mkdtempSync(join(tmpdir(), 'pause-'));
  const pause = join(folder, 'pause');
  copyFileSync(absolute('sleep'), pause);
  return start([pause, '1000']).finally(() => rmSync(folder, { recursive: true }));
}

/** Shows of PID 1 what gVisor shows: no signals, and no cgroups. */
const gVisor = `mount -t tmpfs none /proc; mkdir /proc/1; echo sh > /proc/1/comm
  printf 'Name:\\tsh\\nState:\\tS (sleeping)\\nTgid:\\t1\\nPid:\\t1\\nPPid:\\t0\\n' > /proc/1/status`;

/** Whether a process has become sleep: while a shell starts its child, that is a copy of the shell. */
const isSleeping = (pid: number) => commandOf(pid).startsWith('sleep');

/** What another exec runs in a container: a shell with children and grandchildren. */
async function startElsewhere(namespace: PidNamespace, cgroup?: string) {
  const shell = await namespace.join(sh('sh -c "sleep 1000; :" & echo ready; wait'), cgroup);
  const [child, grandchild] = await until(() => {
    const [first = 0] = childrenOf(shell.pid);
    const second = childrenOf(first).find(isSleeping);
    return second === undefined ? undefined : ([first, second] as const);
  });
  return { areAlive: () => [shell.pid, child, grandchild].every(isAlive) };
}

/** Why PIDs cannot be chosen here: their count is the kernel's, as it is not built to restore processes. */
const noPidsToChoose = existsSync('/proc/sys/kernel/ns_last_pid') ? undefined : 'needs ns_last_pid';

function countFrom(namespace: PidNamespace, lastPid: number) {
  namespace.run([absolute('sh'), '-c', `echo ${lastPid} > /proc/sys/kernel/ns_last_pid`]);
}

/** The kernel counts the times at which processes start in hundredths of a second. */
const nextTick = () => setTimeout(20);

const open: PidNamespace[] = [];
async function start(argv: readonly string[], saysReady = false): Promise<PidNamespace> {
  const namespace = await PidNamespace.start(argv, { saysReady });
  open.push(namespace);
  return namespace;
}

/** What the script does in a shell; with perl, also to programs that block signals. */
export function testSignalScript(
  [program, ...options]: readonly [string, ...string[]],
  { withPerl }: { readonly withPerl: boolean },
): void {
  const missing = noPidNamespaces() ?? missingPrograms(program);
  afterEach(async () => {
    for (const namespace of open.splice(0)) await namespace.stop();
  });

  const send = (
    namespace: PidNamespace,
    signals: readonly string[],
    how: Parameters<PidNamespace['run']>[1] = {},
  ) => {
    const wanted = signals.map((signal) => `${signal}:${numbers[signal]}`);
    const argv = [absolute(program), ...options, '-c', signalScript, 'sidecar-sweeper', ...wanted];
    const ran = namespace.run(argv, how);
    expect(ran.errors, 'nothing goes wrong on the way').toBe('');
    return ran;
  };

  describeUnless(missing, 'PID 1 of a container', () => {
    // biome-ignore format: one row a line
    it.each<readonly [title: string, script: string, signals: readonly string[], said: string, exitCode: number]>([
      ['that has a handler gets the signal', handler('TERM', 7), ['TERM'], 'TERM to PID 1$', 7],
      ['gets the first of several signals that it has a handler for', handler('INT', 3), ['TERM', 'INT', 'USR1'], 'INT to PID 1$', 3],
      ['gets the first signal if the kernel hides which it handles', `${gVisor}; ${handler('TERM', 7)}`, ['TERM', 'INT'], 'TERM to PID 1$', 7],
      ['that is a shell ends with the code of a child that catches the signal', `sh -c '${handler('TERM', 9)}'; exit $?`, ['TERM'], 'TERM to the children of PID 1: [\\d ]+$', 9],
    ])('%s', async (_title, script, signals, said, exitCode) => {
      const namespace = await start(sh(script), true);
      expect(lastWords(send(namespace, signals))).toMatch(new RegExp(`^sent ${said}|^killed$`));
      expect(await namespace.first.ended).toEqual({ exitCode, signal: null });
    });

    if (withPerl) {
      it('that blocks the signal to wait for it elsewhere gets it', async () => {
        const namespace = await start(waitsFor('TERM', 7), true);
        expect(send(namespace, ['INT']).output).toBe('immune PID 1 has no handler for INT');
        expect(lastWords(send(namespace, ['INT', 'TERM']))).toMatch(/^sent TERM to PID 1$|^killed$/);
        expect(await namespace.first.ended).toEqual({ exitCode: 7, signal: null });
      });

      it('that blocks the signal only for moments is immune', async () => {
        const namespace = await start(blocksBriefly('TERM'), true);
        const said = Array.from({ length: 30 }, () => send(namespace, ['TERM']).output);
        expect(new Set(said)).toEqual(new Set(['immune PID 1 has no handler for TERM']));
      });
    }

    it.each<readonly [title: string, argv: readonly string[]]>([
      ['has no handler', sleep],
      ['ignores the signal', sh('trap "" TERM; echo ready; exec sleep 1000')],
    ])('that %s is immune, which is reported without sending anything', async (_title, argv) => {
      const namespace = await start(argv, argv !== sleep);
      expect(send(namespace, ['TERM'])).toMatchObject({
        output: 'immune PID 1 has no handler for TERM',
        exitCode: 0,
      });
      expect(send(namespace, ['TERM', 'INT']).output).toBe('immune PID 1 has no handler for TERM INT');
      expect(send(namespace, ['KILL']).output).toMatch(/^immune PID 1 can be killed only from outside/);
      expect(namespace.first.isAlive()).toBe(true);
    });

    it('that is a shell waiting for its child goes on, and ends, when the child has got the signal', async () => {
      const namespace = await start(sh('sleep 1000; exit 5'));
      // While the shell starts its child, it blocks all signals.
      await until(() => childrenOf(namespace.first.pid).find(isSleeping));
      expect(lastWords(send(namespace, ['TERM']))).toMatch(
        /^sent TERM to the children of PID 1: \d+$|^killed$/,
      );
      expect(await namespace.first.ended).toEqual({ exitCode: 5, signal: null });
    });

    it('that is a shell ends when its child, which ignores TERM, is killed', async () => {
      const namespace = await start(
        sh(`sh -c 'trap "" TERM; echo ready; while :; do sleep 0.02; done'; exit 6`),
        true,
      );
      send(namespace, ['TERM']);
      expect(namespace.first.isAlive()).toBe(true);
      expect(lastWords(send(namespace, ['KILL']))).toMatch(/^sent KILL to the children|^killed$/);
      expect(await namespace.first.ended).toEqual({ exitCode: 6, signal: null });
    });

    it('that never reaps its children is immune: a dead child gets no signal', async () => {
      // PID 1 adopts the orphan, and sleep does not reap it.
      const namespace = await start(sh('(sleep 0.01 &); exec sleep 1000'));
      await until(() => {
        const [orphan] = childrenOf(namespace.first.pid);
        const isPid1 = commandOf(namespace.first.pid).startsWith('sleep');
        return isPid1 && orphan !== undefined && !isAlive(orphan) ? true : undefined;
      });
      expect(send(namespace, ['TERM']).output).toBe('immune PID 1 has no handler for TERM');
    });

    it('is distinguished from processes of another exec, which are left alone', async () => {
      const namespace = await start(sleep);
      const other = await startElsewhere(namespace);
      expect(send(namespace, ['TERM']).output).toBe('immune PID 1 has no handler for TERM');
      expect(send(namespace, ['KILL']).output).toMatch(/^immune PID 1 can be killed only from outside/);
      expect(other.areAlive()).toBe(true);
    });

    it('has all its descendants signalled, in whatever order their PIDs are listed', async () => {
      // A glob sorts 10 before 9, its parent.
      const namespace = await start(
        sh('while :& [ $! -lt 8 ]; do wait; done; wait; sh -c "sleep 1000; exit 1"; exec sleep 1000'),
      );
      await until(() => childrenOf(namespace.first.pid).flatMap(childrenOf).find(isSleeping));
      expect(send(namespace, ['TERM']).output).toMatch(/^sent TERM to the children of PID 1: (9 10|10 9)$/);
    });

    it('that handles nothing is sent the signal if the kernel hides that: the pod shows that it goes on', async () => {
      // Unlike gVisor, Linux drops them.
      const deaf = await start(sh(`${gVisor}; echo ready; exec sleep 1000`), true);
      expect(send(deaf, ['TERM']).output).toBe('sent TERM to PID 1');
      expect(send(deaf, ['KILL']).output).toBe('sent KILL to PID 1');
      expect(deaf.first.isAlive()).toBe(true);
    });

    it('that is invisible in /proc is left alone', async () => {
      const namespace = await start(sh('mount -t tmpfs none /proc; echo ready; exec sleep 1000'), true);
      expect(send(namespace, ['TERM']).output).toBe('immune /proc cannot be read');
      expect(namespace.first.isAlive()).toBe(true);
    });

    it('that belongs to another user is not reported as signalled', async () => {
      const namespace = await start(sh(handler('TERM', 7)), true);
      const argv = [absolute(program), ...options, '-c', signalScript, 'sidecar-sweeper', 'TERM:15'];
      const { output } = namespace.run(argv, { uid: 65_534 });
      expect(output).not.toContain('sent');
      expect(namespace.first.isAlive()).toBe(true);
    });
  });

  itUnless(missing, 'no program is needed but the shell', async () => {
    const namespace = await start(sleep);
    const control = namespace.run([absolute('sh'), '-c', 'cat /dev/null']);
    expect(control.exitCode, 'nothing else can be found').toBe(127);
    const run = namespace.run([
      absolute(program),
      ...options,
      '-c',
      `${signalScript}\necho "end $PATH."`,
      's',
      'TERM:15',
    ]);
    expect(run).toMatchObject({ errors: '', exitCode: 0 });
  });

  itUnless(missing, 'nothing is sent where no cgroup tells containers of a PID namespace apart', async () => {
    const namespace = await startPause();
    const sidecar = await namespace.join(sh(handler('TERM', 7)));
    const other = await namespace.join(sh(handler('TERM', 0)));
    for (const signal of ['TERM', 'KILL'])
      expect(send(namespace, [signal]).output).toBe(
        'immune PID 1 is a pause process, and no cgroup shows which processes belong to this container',
      );
    expect([namespace.first, sidecar, other].map((each) => each.isAlive())).toEqual([true, true, true]);
  });

  const cannotShare = noCgroups() ?? missing;
  describeUnless(cannotShare, 'in a pod whose containers share a PID namespace', () => {
    /** A pod with its pause process and another container, and the sidecar to end. */
    async function pod(script: string, { lastPid }: { readonly lastPid?: number } = {}) {
      const namespace = await startPause();
      const own = namespace.cgroup(`${program}-sidecar`);
      const other = await namespace.join(sh(handler('TERM', 0)), namespace.cgroup(`${program}-other`));
      if (lastPid !== undefined) countFrom(namespace, lastPid);
      const sidecar = await namespace.join(sh(script), own);
      const left = () => ({ pause: namespace.first.isAlive(), other: other.isAlive() });
      return {
        namespace,
        own,
        sidecar,
        left,
        send: (...signals: string[]) => send(namespace, signals, { cgroup: own }).output,
      };
    }
    const bothLeft = { pause: true, other: true };

    // biome-ignore format: one row a line
    it.each([
      ['only its own process gets the signal that it has a handler for', handler('TERM', 7), 'TERM', /^sent TERM to \d+$/, { exitCode: 7 }],
      ['a process without a handler gets it as well, as it is not PID 1', 'echo ready; exec sleep 1000', 'TERM', /^sent TERM to \d+$/, { signal: 'SIGTERM' }],
      ['an orphan of the container’s is its own', '(sleep 1000 &); echo ready; exec sleep 1000', 'KILL', /^sent KILL to \d+ \d+$/, { signal: 'SIGKILL' }],
    ])('%s', async (_title, script, signal, said, end) => {
      const { sidecar, send, left } = await pod(script);
      expect(send(signal)).toMatch(said);
      expect(await sidecar.ended).toMatchObject(end);
      expect(left()).toEqual(bothLeft);
    });

    it('a shell’s child gets it before the shell, which then ends by itself', async () => {
      const { sidecar, send, left } = await pod('echo ready; sleep 1000; exit 5');
      await until(() => childrenOf(sidecar.pid).find(isSleeping));
      expect(send('TERM')).toMatch(/^sent TERM to \d+$/);
      expect(await sidecar.ended).toMatchObject({ exitCode: 5 });
      expect(left()).toEqual(bothLeft);
    });

    it('KILL ends what ignores TERM, and nothing else', async () => {
      const { sidecar, send, left } = await pod('trap "" TERM; echo ready; while :; do sleep 0.02; done');
      send('TERM');
      expect(sidecar.isAlive()).toBe(true);
      expect(send('KILL')).toMatch(/^sent KILL to( \d+)+$/);
      expect(await sidecar.ended).toMatchObject({ signal: 'SIGKILL' });
      expect(left()).toEqual(bothLeft);
    });

    it('processes of another exec are left alone', async () => {
      const { namespace, own, sidecar, send, left } = await pod('echo ready; exec sleep 1000');
      await nextTick();
      const other = await startElsewhere(namespace, own);
      expect(send('TERM')).toMatch(/^sent TERM to \d+$/);
      expect(await sidecar.ended).toMatchObject({ signal: 'SIGTERM' });
      expect(other.areAlive()).toBe(true);
      expect(left()).toEqual(bothLeft);
    });

    itUnless(noPidsToChoose, 'even if they have lower PIDs because these started again from 1', async () => {
      const { namespace, own, sidecar, send } = await pod('echo ready; exec sleep 1000', { lastPid: 300 });
      await nextTick();
      countFrom(namespace, 100);
      const other = await startElsewhere(namespace, own);
      expect(send('KILL')).toMatch(/^sent KILL to 3\d\d$/);
      expect(await sidecar.ended).toMatchObject({ signal: 'SIGKILL' });
      expect(other.areAlive()).toBe(true);
    });

    it('nothing is sent when no process of the container is left', async () => {
      const { sidecar, send, left } = await pod('echo ready; exec sleep 1000');
      process.kill(sidecar.pid, 'SIGKILL');
      await sidecar.ended;
      expect(send('TERM')).toBe('immune no process of this container is left');
      expect(left()).toEqual(bothLeft);
    });
  });
}

/** What the script printed; it is killed together with PID 1, perhaps before it could print anything. */
function lastWords({ output, signal }: { readonly output: string; readonly signal: string | null }): string {
  return output === '' && signal === 'SIGKILL' ? 'killed' : output;
}
