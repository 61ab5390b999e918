import { expect, it } from 'vitest';
import { hostProgram, perlImage, processesAvailable } from '../../../kit/emulator/index.ts';
import { describeUnless } from '../../../kit/needs.ts';
import { BUSYBOX, DISTROLESS, processSandbox, run, startIn } from './support/process-sandbox.ts';
import { until } from './support/until.ts';

const _LOOP = 'while :; do sleep 1 & wait; done';
const unavailable = processesAvailable();
const _notRoot = process.getuid?.() === 0 ? undefined : 'needs root';

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
});
