import type { Entry } from '../policy/profile.ts';

export const nginx: Entry = {
  name: 'nginx',
  containers: ['nginx-proxy', 'nginx-sidecar'],
  images: ['nginx', 'nginx-unprivileged'],
  steps: [
    { signal: ['QUIT'], exitCode: 0 },
    { signal: ['TERM'], exitCode: 0 },
  ],
  notes:
    'QUIT lets it finish open requests, TERM does not. A container named nginx is often the main, ' +
    'so it needs an annotation or a rule to count as a sidecar.',
  source: 'nginx documentation, Controlling nginx; tried with 1.22',
};
