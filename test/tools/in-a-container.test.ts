import { expect, it } from 'vitest';
import { BUSYBOX, processSandbox, startIn } from '../cluster/emulator/world/support/process-sandbox.ts';
import { until } from '../cluster/emulator/world/support/until.ts';
import {
  ensureNamespace,
  inClusterApiAvailable,
  processesAvailable,
  startEmulator,
} from '../kit/emulator/index.ts';
import { describeUnless, itUnless, missingPrograms } from '../kit/needs.ts';

const cannotAsk = inClusterApiAvailable() ?? missingPrograms('openssl');

describeUnless(processesAvailable(), 'The termination message of a container of real processes', () => {
  const words = async (script: string, policy?: string) => {
    const container = { script, ...(policy && { terminationMessagePolicy: policy }) };
    return (await (await startIn(await processSandbox(), container)).exited).message;
  };

  it('is its termination log, as any user, of at most 4 KiB', async () => {
    expect(await words('echo done > /dev/termination-log')).toBe('done\n');
    expect(await words('echo no > /dev/termination-log; exit 3')).toBe('no\n');
    expect((await words('head -c 9000 /dev/zero | tr "\\0" x > /dev/termination-log'))?.length).toBe(4096);
    const user = { securityContext: { runAsUser: 65532, runAsGroup: 65532 } };
    const script = 'echo done > /dev/termination-log';
    const started = await startIn(await processSandbox(), { script, ...user });
    expect((await started.exited).message).toBe('done\n');
  });

  it('is the end of a failed container’s output with FallbackToLogsOnError', async () => {
    expect(await words('echo why; exit 3', 'FallbackToLogsOnError')).toBe('why\n');
    expect(await words('echo why; exit 3')).toBeUndefined();
    expect(await words('echo why', 'FallbackToLogsOnError')).toBeUndefined();
  });
});

describeUnless(processesAvailable(), 'A container of real processes', () => {
  it('can write to its termination log even with a read-only root file system', async () => {
    const script = 'touch /tmp/a && exit 3; touch /a && exit 4; echo kept > /dev/termination-log';
    const securityContext = { readOnlyRootFilesystem: true };
    const started = await startIn(await processSandbox(), { script, securityContext });
    expect(await started.exited).toEqual({ exitCode: 0, message: 'kept\n' });
  });

  itUnless(cannotAsk, 'has its ConfigMap, and reaches the API server as its service account', async () => {
    const emulator = await startEmulator({ runtime: 'processes' });
    try {
      ensureNamespace(emulator.world, 'demo');
      emulator.serviceAccount({ namespace: 'demo', name: 'worker', rules: [] });
      emulator.world.store.create('configmaps', {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { namespace: 'demo', name: 'settings' },
        data: { greeting: 'hello' },
      });
      const request = `GET /api/v1/namespaces/demo/pods HTTP/1.0\\r\\nAuthorization: Bearer $(cat /var/run/secrets/kubernetes.io/serviceaccount/token)\\r\\n\\r\\n`;
      const connect = `openssl s_client -quiet -connect $KUBERNETES_SERVICE_HOST:443 -verify_ip $KUBERNETES_SERVICE_HOST -verify_return_error -CAfile /var/run/secrets/kubernetes.io/serviceaccount/ca.crt`;
      const pod = emulator.world.createPod({
        metadata: { namespace: 'demo', name: 'asks' },
        spec: {
          restartPolicy: 'Never',
          serviceAccountName: 'worker',
          volumes: [{ name: 'settings', configMap: { name: 'settings' } }],
          containers: [
            {
              name: 'main',
              image: BUSYBOX,
              command: [
                'sh',
                '-c',
                `cat /etc/settings/greeting; printf "${request}" | ${connect} 2>&1; sleep 1`,
              ],
              volumeMounts: [{ name: 'settings', mountPath: '/etc/settings' }],
            },
          ],
        },
      });
      const logs = () => emulator.world.kubelet.logs(pod.metadata.uid, 'main', false)?.text() ?? '';
      await until(() => logs().includes('cannot list'));
      expect(logs()).toMatch(/^hello/);
      expect(logs()).toContain(
        'User \\"system:serviceaccount:demo:worker\\" cannot list resource \\"pods\\"',
      );
    } finally {
      await emulator.stop();
    }
  });
});
