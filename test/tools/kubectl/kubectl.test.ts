import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  containerOf,
  type Emulator,
  endsWith,
  ensureNamespace,
  type Program,
  quitsOnHttp,
  startEmulator,
  untilTerm,
} from '../../kit/emulator/index.ts';
import { describeUnless } from '../../kit/needs.ts';
import { cannotTry, Kubectl } from './kubectl.ts';

describeUnless(
  cannotTry,
  'stock kubectl works against the emulator',
  () => {
    let emulator: Emulator;
    let kubectl: Kubectl;

    beforeAll(async () => {
      emulator = await startEmulator({ runtime: 'processes' });
      ensureNamespace(emulator.world, 'demo');
      kubectl = new Kubectl(emulator);
    });

    afterAll(async () => {
      kubectl?.cleanUp();
      await emulator?.stop();
    });

    /** Creates a pod with these containers, and waits until kubectl shows this status. */
    async function pod(name: string, containers: Record<string, Program>, status: RegExp): Promise<void> {
      emulator.world.createPod({
        metadata: { name, namespace: 'demo' },
        spec: {
          restartPolicy: 'Never',
          terminationGracePeriodSeconds: 1,
          containers: Object.entries(containers).map(([each, program]) => containerOf(each, program)),
        },
      });
      const watch = kubectl.start(['get', 'pod', name, '-w']);
      await watch.until(status);
      await watch.stop();
    }

    const stuck = { main: endsWith(0), sidecar: untilTerm(0) };

    it('get pods -A and -o wide show a stuck pod as NotReady, with its IP and node', async () => {
      await pod('shown', stuck, /NotReady/);
      const all = await kubectl.output(['get', 'pods', '-A']);
      expect(all).toMatch(/^NAMESPACE +NAME +READY +STATUS +RESTARTS +AGE$/m);
      expect(all).toMatch(/^demo +shown +1\/2 +NotReady +0 +\d+s$/m);
      const wide = await kubectl.output(['get', 'pods', '-o', 'wide']);
      expect(wide).toMatch(/^shown +1\/2 +NotReady +0 +\d+s +10\.88\.\d+\.\d+ +node1 +<none> +<none>$/m);
    });

    it('get -w shows a pod from Running to Completed, and delete removes it', async () => {
      await pod('watched', stuck, /NotReady/);
      const watch = kubectl.start(['get', 'pods', '-w', '--output-watch-events']);
      await watch.until(/ADDED +watched/);
      // The exec may die with the namespace that it ends; kubectl then prints 137.
      await kubectl.run(['exec', 'watched', '-c', 'sidecar', '--', 'kill', '-15', '1']);
      await watch.until(/MODIFIED +watched +0\/2 +Completed/);
      expect(await kubectl.output(['delete', 'pod', 'watched'])).toMatch(/^pod "watched" deleted/);
      await watch.until(/DELETED +watched/);
      await watch.stop();
    });

    it('describe pod, which reads it as protobuf, shows states and conditions', async () => {
      await pod('described', stuck, /NotReady/);
      const { stdout: text, stderr } = await kubectl.run(['-v=8', 'describe', 'pod', 'described']);
      expect(stderr).toContain('Content-Type: application/vnd.kubernetes.protobuf');
      expect(text).toMatch(/State: +Terminated\n +Reason: +Completed\n +Exit Code: +0/);
      expect(text).toMatch(/Ready +False/);
      expect(text).toMatch(/Node: +node1\/10\.99\.0\.1/);
    });

    it('logs prints the output of a container, --tail its end, -f new output until it ends', async () => {
      const speech =
        'echo one; echo two; echo three; trap "echo four; exit 0" TERM; while :; do sleep 1 & wait; done';
      const chatty: Program = { ...untilTerm(0), command: ['sh', '-c', speech] };
      await pod('chatty', { main: endsWith(0), sidecar: chatty }, /NotReady/);
      expect(await kubectl.output(['logs', 'chatty', '-c', 'sidecar'])).toBe('one\ntwo\nthree\n');
      expect(await kubectl.output(['logs', 'chatty', '-c', 'sidecar', '--tail=2'])).toBe('two\nthree\n');
      const follow = kubectl.start(['logs', '-f', 'chatty', '-c', 'sidecar']);
      await follow.until(/three/);
      await kubectl.run(['exec', 'chatty', '-c', 'sidecar', '--', 'kill', '-15', '1']);
      await follow.ended();
      expect(follow.output).toBe('one\ntwo\nthree\nfour\n');
    });

    it('exec separates stdout and stderr and returns the exit code', async () => {
      await pod('exec', stuck, /NotReady/);
      const script = 'echo out; echo err >&2; exit 3';
      const args = ['exec', 'exec', '-c', 'sidecar', '--', 'sh', '-c', script];
      const { code, stdout, stderr } = await kubectl.run(args);
      expect({ code, stdout }).toEqual({ code: 3, stdout: 'out\n' });
      expect(stderr).toBe('err\ncommand terminated with exit code 3\n');
    });

    it('exec -i passes stdin and its end to the process', async () => {
      await pod('stdin', stuck, /NotReady/);
      const args = ['exec', '-i', 'stdin', '-c', 'sidecar', '--', 'cat'];
      expect(await kubectl.output(args, { input: 'hello\n' })).toBe('hello\n');
    });

    it('exec reports an image without a shell', async () => {
      await pod('shell-less', { main: endsWith(0), proxy: quitsOnHttp(15_020) }, /NotReady/);
      const { code, stderr } = await kubectl.run([
        'exec',
        'shell-less',
        '-c',
        'proxy',
        '--',
        '/bin/sh',
        '-c',
        'true',
      ]);
      expect(code).toBe(1);
      expect(stderr).toContain('exec: "/bin/sh": stat /bin/sh: no such file or directory');
    });
  },
  { concurrent: true },
);
