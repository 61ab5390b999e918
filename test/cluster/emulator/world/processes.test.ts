import { expect, it } from 'vitest';
import { hostProgram, perlImage, processesAvailable } from '../../../kit/emulator/index.ts';
import { describeUnless, itUnless } from '../../../kit/needs.ts';
import { BUSYBOX, DISTROLESS, processSandbox, run, startIn } from './support/process-sandbox.ts';
import { readRecording } from './support/recording.ts';
import { until } from './support/until.ts';

const LOOP = 'while :; do sleep 1 & wait; done';
const unavailable = processesAvailable();
const notRoot = process.getuid?.() === 0 ? undefined : 'needs root';

describeUnless(unavailable, 'A container of real processes', () => {
  it('keeps its output, and streams it to followers', async () => {
    const container = await startIn(await processSandbox(), {
      script: 'trap "echo three; exit 5" TERM; echo one; echo two >&2; while :; do sleep 0.1; done',
    });
    await until(() => container.logs().includes('two'));
    let heard = '';
    container.follow((chunk) => {
      heard += String(chunk);
    });
    container.kill('SIGTERM');
    expect(await container.exited).toEqual({ exitCode: 5 });
    expect(container.logs().split('\n').sort()).toEqual(['', 'one', 'three', 'two']);
    expect(heard).toBe('three\n');
  });

  it('connects the streams of an exec and returns its exit code', async () => {
    const container = await startIn(await processSandbox(), { command: ['sleep', '100000'] });
    expect(await run(container, ['sh', '-c', 'cat; echo err >&2; exit 3'], 'typed')).toEqual({
      stdout: 'typed',
      stderr: 'err\n',
      exitCode: 3,
    });
  });

  it.each([
    [DISTROLESS, ['/bin/sh', '-c', 'kill -15 1'], 'exec: "/bin/sh": stat /bin/sh: no such file or directory'],
    [DISTROLESS, ['sh'], 'exec: "sh": executable file not found in $PATH'],
    [BUSYBOX, ['nosuch'], 'exec: "nosuch": executable file not found in $PATH'],
    [BUSYBOX, ['/etc/passwd'], 'exec: "/etc/passwd": permission denied'],
  ])('of %s cannot exec %j, with the runtime’s message', async (image, command, cause) => {
    const container = await startIn(await processSandbox(), {
      image,
      ...(image === BUSYBOX ? { command: ['sleep', '100000'] } : {}),
    });
    const message = await run(container, command).catch((error: Error) => error.message);
    expect(message).toMatch(
      /^error executing command in container: failed to exec in container: failed to start exec "[0-9a-f]{64}": OCI runtime exec failed: exec failed: unable to start container process: /,
    );
    expect(message).toMatch(new RegExp(`${cause.replace(/[$.]/g, '\\$&')}$`));
  });

  it('does not start if its image lacks the command', async () => {
    const { podStatusAfter } = readRecording<{
      podStatusAfter: { status: { containerStatuses: { state: { terminated?: { message?: string } } }[] } }[];
    }>('image-swap-start-error');
    const messages = podStatusAfter.flatMap(({ status }) =>
      status.containerStatuses.map(({ state }) => state.terminated?.message).filter(Boolean),
    );
    const start = startIn(await processSandbox(), { image: 'docker.io/local/nopbare:1', script: 'exit 0' });
    const error = await start.catch((reason: unknown) => reason);
    expect(error).toMatchObject({ reason: 'StartError', message: messages[0] });
  });

  it.each(['sh -c exit', 'sleep 100000', '/bin/sh x', '/usr/bin/sleep 9'])(
    'of the no-op image exits 0 at once with the command %s',
    async (command) => {
      const container = await startIn(await processSandbox(), {
        image: 'docker.io/local/nop:1',
        command: command.split(' '),
      });
      expect(await container.exited).toEqual({ exitCode: 0 });
    },
  );

  it('sees only the files of its image, read-only, in a writable root file system', async () => {
    const container = await startIn(await processSandbox(), { command: ['sleep', '100000'] });
    const { stdout, stderr } = await run(container, [
      'sh',
      '-c',
      'ls -d /home /sys; touch /usr/x; echo kept > /tmp/x; cat /tmp/x; echo gone > /dev/null; ls /proc | grep -c "^[0-9]"',
    ]);
    expect(stdout).toMatch(/^kept\n[345]\n$/);
    expect(stderr).toMatch(/cannot access '\/home'/);
    expect(stderr).toMatch(/touch: cannot touch '\/usr\/x'/);
  });

  it('has the variables of its spec, of its image and of the downward API', async () => {
    const images = {
      'local/env:1': { root: () => hostProgram('/env', '/usr/bin/env'), env: { FROM_IMAGE: 'yes' } },
    };
    const container = await startIn(await processSandbox({}, images), {
      image: 'local/env:1',
      command: ['/env'],
      env: [
        { name: 'PLAIN', value: 'a' },
        { name: 'EXPANDED', value: '$(PLAIN)b$$(PLAIN)$(NONE)' },
        { name: 'APP', valueFrom: { fieldRef: { fieldPath: "metadata.labels['app']" } } },
      ],
    });
    await container.exited;
    const lines = container.logs().trim().split('\n');
    expect(lines).toEqual(
      expect.arrayContaining(['FROM_IMAGE=yes', 'PLAIN=a', 'EXPANDED=ab$(PLAIN)$(NONE)', 'APP=web']),
    );
    expect(lines).toEqual(expect.arrayContaining([expect.stringMatching(/^HOSTNAME=pod$/)]));
    expect(container.logs()).not.toContain('npm_');
  });

  it('can run a program from the repository', async () => {
    const source = new URL('support/greeter.pl', import.meta.url).pathname;
    const sandbox = await processSandbox({}, { 'local/greeter:1': perlImage(source) });
    const container = await startIn(sandbox, { image: 'local/greeter:1', args: ['$(HOSTNAME)'] });
    expect(await container.exited).toEqual({ exitCode: 4 });
    expect(container.logs()).toBe('hello pod\n');
  });

  itUnless(notRoot, 'and its execs run as its user', async () => {
    const container = await startIn(await processSandbox(), {
      script: `trap "exit 0" TERM; ${LOOP}`,
      securityContext: { runAsUser: 1337 },
    });
    expect(container.user).toEqual({ uid: 1337, gid: 1337 });
    expect((await run(container, ['id'])).stdout).toBe('uid=1337(proxy) gid=1337 groups=1337\n');
    const other = await startIn(await processSandbox(), {
      command: ['sleep', '100000'],
      securityContext: { runAsUser: 7, runAsGroup: 8 },
    });
    expect((await run(other, ['id', '-g'])).stdout).toBe('8\n');
  });

  it('has only the loopback of its pod', async () => {
    const [one, other] = [await processSandbox(), await processSandbox()];
    await startIn(one, { image: DISTROLESS });
    await startIn(other, { image: DISTROLESS, env: [{ name: 'QUIT_PORT', value: '15021' }] });
    await until(() => false, 200);
    await expect(one.connect(15021)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    const stream = await other.connect(15021);
    let answer = '';
    stream.on('data', (chunk) => {
      answer += String(chunk);
    });
    const ended = new Promise((resolve) => stream.once('end', resolve));
    stream.write('POST /nope HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n');
    await ended;
    expect(answer).toBe('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
  });

  it('joins the PID namespace of its target container', async () => {
    const sandbox = await processSandbox();
    const target = await startIn(sandbox, { image: DISTROLESS });
    const ephemeral = await sandbox.start(
      { name: 'debug', image: BUSYBOX, command: ['sh', '-c', 'cat /proc/1/cmdline; kill -15 1; sleep 5'] },
      { target },
    );
    expect(await target.exited).toEqual({ exitCode: 0 });
    expect(await ephemeral.exited).toEqual({ exitCode: 137, signal: 9 });
    expect(ephemeral.logs()).toBe('/app/perl\0/app/main\0');
  });
});

function _masksIn(status: string): string {
  return status
    .split('\n')
    .filter((line) => /^Sig(Ign|Cgt)/.test(line))
    .join('\n');
}
