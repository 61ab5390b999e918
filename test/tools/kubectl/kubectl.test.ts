import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  containerOf,
  type Emulator,
  endsWith,
  ensureNamespace,
  type Pod,
  type Program,
  quitsOnHttp,
  startEmulator,
  untilTerm,
  withoutHandler,
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

    it('version shows a 1.36 server', async () => {
      expect(await kubectl.output(['version'])).toContain('Server Version: v1.36.2');
    });

    it('get pods -A and -o wide show a stuck pod as NotReady, with its IP and node', async () => {
      await pod('shown', stuck, /NotReady/);
      const all = await kubectl.output(['get', 'pods', '-A']);
      expect(all).toMatch(/^NAMESPACE +NAME +READY +STATUS +RESTARTS +AGE$/m);
      expect(all).toMatch(/^demo +shown +1\/2 +NotReady +0 +\d+s$/m);
      const wide = await kubectl.output(['get', 'pods', '-o', 'wide']);
      expect(wide).toMatch(/^shown +1\/2 +NotReady +0 +\d+s +10\.88\.\d+\.\d+ +node1 +<none> +<none>$/m);
    });

    it('get -o yaml and -o json print the whole pod', async () => {
      await pod('whole', stuck, /NotReady/);
      expect(await kubectl.output(['get', 'pod', 'whole', '-o', 'yaml'])).toContain('restartPolicy: Never');
      const json: Pod = JSON.parse(await kubectl.output(['get', 'pod', 'whole', '-o', 'json']));
      expect(json.status.containerStatuses?.map(({ name, ready }) => [name, ready])).toEqual([
        ['main', false],
        ['sidecar', true],
      ]);
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

    it('logs --previous prints the log of the previous instance, or that there is none', async () => {
      emulator.world.createPod({
        metadata: { name: 'restarts', namespace: 'demo' },
        spec: {
          restartPolicy: 'Always',
          containers: [
            containerOf('main', {
              ...endsWith(1),
              command: ['sh', '-c', 'cat /proc/sys/kernel/random/uuid; exit 1'],
            }),
          ],
        },
      });
      const none = await kubectl.run(['logs', 'restarts', '--previous']);
      expect(none.stderr).toMatch(
        /previous terminated container "main" in pod "restarts" not found|waiting to start/,
      );
      const watch = kubectl.start(['get', 'pod', 'restarts', '-w']);
      await watch.until(/restarts +0\/1 +(Error|CrashLoopBackOff) +1 /);
      await watch.stop();
      const previous = await kubectl.output(['logs', 'restarts', '--previous']);
      expect(previous).toMatch(/^[0-9a-f-]{36}\n$/);
      expect(await kubectl.output(['logs', 'restarts'])).not.toBe(previous);
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

    it('apply creates and changes pods, Jobs and roles, and refuses unknown fields', async () => {
      const manifests = (label: string) => [
        {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: 'applied', labels: { version: label } },
          spec: { containers: [containerOf('main', withoutHandler)] },
        },
        {
          apiVersion: 'batch/v1',
          kind: 'Job',
          metadata: { name: 'applied' },
          spec: {
            template: { spec: { restartPolicy: 'Never', containers: [containerOf('main', endsWith(0))] } },
          },
        },
        {
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'Role',
          metadata: { name: 'applied' },
          rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
        },
      ];
      const manifest = (label: string) =>
        manifests(label)
          .map((object) => JSON.stringify(object))
          .join('\n');
      const apply = (input: string) => kubectl.run(['apply', '-f', '-'], { input });
      expect((await apply(manifest('one'))).stdout.match(/created/g)).toHaveLength(3);
      expect((await apply(manifest('one'))).stdout.match(/unchanged/g)).toHaveLength(3);
      expect((await apply(manifest('two'))).stdout).toContain('pod/applied configured');
      expect(await kubectl.output(['get', 'pod', 'applied', '--show-labels'])).toContain('version=two');
      const odd = await apply(manifest('two').replace('"metadata"', '"metadatum":1,"metadata"'));
      expect(odd.stderr).toContain('strict decoding error: unknown field "metadatum"');
      await kubectl.output(['wait', '--for=condition=complete', 'job/applied', '--timeout=120s']);
      expect(await kubectl.output(['get', 'jobs'])).toMatch(/^applied +Complete +1\/1 +\d+s +\d+s$/m);
    });

    it('deleting a Job deletes its pods', async () => {
      emulator.world.createJob({
        metadata: { name: 'owner', namespace: 'demo' },
        spec: {
          template: {
            spec: {
              restartPolicy: 'Never',
              terminationGracePeriodSeconds: 1,
              containers: [containerOf('main', untilTerm(0))],
            },
          },
        },
      });
      const watch = kubectl.start(['get', 'pods', '-l', 'job-name=owner', '-w', '--output-watch-events']);
      await watch.until(/1\/1 +Running/);
      expect(await kubectl.output(['delete', 'job', 'owner'])).toContain('deleted');
      await watch.until(/DELETED/);
      await watch.stop();
    });

    it("auth can-i shows an account's permissions, and a forbidden request prints the refusal", async () => {
      const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }];
      const token = emulator.serviceAccount({ namespace: 'demo', name: 'lister', rules });
      const lister = new Kubectl(emulator, { name: 'lister', token });
      try {
        expect((await lister.run(['auth', 'can-i', 'list', 'pods', '-A'])).stdout).toBe('yes\n');
        expect((await lister.run(['auth', 'can-i', 'create', 'pods/exec'])).stdout).toBe('no\n');
        expect(await lister.output(['auth', 'can-i', '--list'])).toMatch(/^pods +\[\] +\[\] +\[list\]$/m);
        const { code, stderr } = await lister.run(['get', 'jobs']);
        expect(code).toBe(1);
        expect(stderr).toContain(
          'User "system:serviceaccount:demo:lister" cannot list resource "jobs" in API group "batch" in the namespace "demo"',
        );
      } finally {
        lister.cleanUp();
      }
    });

    it('create token creates a token for a service account', async () => {
      const token = (await kubectl.output(['create', 'token', 'default'])).trim();
      const bearer = new Kubectl(emulator, { name: 'default', token });
      try {
        expect(await bearer.output(['auth', 'whoami'])).toMatch(
          /Username +system:serviceaccount:demo:default/,
        );
      } finally {
        bearer.cleanUp();
      }
    });
  },
  { concurrent: true },
);
