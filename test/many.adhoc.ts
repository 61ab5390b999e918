import { writeFileSync } from 'node:fs';
import { sidecars, stuckPod, TestCluster } from './kit/stuck-pods.ts';

const behaviours = [sidecars.clean, sidecars.unclean, sidecars.immune, sidecars.shellLess];
const make = (pods: number, kinds: number, namespace: string, withJob: boolean) =>
  Array.from({ length: pods }, (_, n) => {
    const kind = n % kinds,
      name = `sidecar-${kind}`;
    const { manifest, states } = stuckPod({ namespace, name: `nightly-import-${n}-x7k2p` });
    const annotations = {
      'sidecar-sweeper.dev/sidecars': name,
      'emulator.sidecar-sweeper.dev/behaviour': JSON.stringify({ [name]: behaviours[kind % 4] }),
    };
    const [main] = manifest.spec.containers;
    const requests = { cpu: '100m', memory: '64Mi' };
    return {
      manifest: {
        metadata: { ...manifest.metadata, annotations },
        spec: {
          ...manifest.spec,
          containers: [
            { ...main!, resources: { requests } },
            { name, image: `registry.example/platform/sidecar-${kind}:1.${kind}` },
          ],
        },
      },
      states: { main: states['main']!, [name]: states['sidecar']! },
    };
  });
const cluster = await TestCluster.start([
  ...make(2000, 10, 'many', false),
  ...make(60, 60, 'kinds', false),
  ...make(79, 3, 'three', false),
]);
console.log(await cluster.kubeconfig());
writeFileSync('/tmp/kc2', await cluster.kubeconfig());
setInterval(() => {}, 1000);
