import { BEHAVIOUR_ANNOTATION, type Container, type JobManifest } from '../../kit/emulator/index.ts';
import { sidecars } from '../../kit/stuck-pods.ts';

/** A finished Job whose sidecar runs on, in a namespace of its own or among others of the tenant. */
export interface TenantJob {
  readonly namespace: string;
  readonly name: string;
  readonly sidecar: Partial<Container>;
  readonly behaviour?: (typeof sidecars)[keyof typeof sidecars];
  readonly annotations?: Readonly<Record<string, string>>;
  readonly grace?: number;
}

export const images = ['agent', 'proxy', 'shipper', 'exporter'].map((name) => `docker.io/acme/${name}:1`);
const commands: readonly Pick<Container, 'command' | 'args'>[] = [
  { command: ['agent'] },
  { command: ['agent'], args: ['--quiet'] },
  { args: ['--config', '/etc/agent.yaml'] },
];

/** Tenants with one clean pod each. Between them, they start each image with each command. */
export function cleanTenants(count: number): readonly JobManifest[] {
  return Array.from({ length: count }, (_, number) => {
    const namespace = `tenant-${String(number).padStart(3, '0')}`;
    const image = images[number % images.length] ?? '';
    const start = commands[Math.floor(number / images.length) % commands.length] ?? {};
    return jobOf({ namespace, name: 'job', sidecar: { image, ...start } });
  });
}

export function jobOf(job: TenantJob): JobManifest {
  const behaviours = { main: { ends: { exitCode: 0 } }, sidecar: job.behaviour ?? sidecars.clean };
  const annotations = {
    'sidecar-sweeper.dev/sidecars': 'sidecar',
    [BEHAVIOUR_ANNOTATION]: JSON.stringify(behaviours),
    ...job.annotations,
  };
  const containers = [
    { name: 'main', image: 'docker.io/acme/work:1' },
    { name: 'sidecar', image: 'docker.io/acme/own:1', ...job.sidecar },
  ];
  const grace = { terminationGracePeriodSeconds: job.grace ?? 30 };
  const spec = { restartPolicy: 'Never', ...grace, containers } as const;
  return {
    metadata: { name: job.name, namespace: job.namespace },
    spec: { backoffLimit: 3, template: { metadata: { annotations }, spec } },
  };
}
