import type { Entry } from '../policy/profile.ts';

export const stunnel: Entry = {
  name: 'stunnel',
  containers: ['stunnel', 'stunnel-*'],
  images: ['stunnel'],
  steps: [{ signal: ['TERM'], exitCode: 0 }],
  notes: 'It must run with `foreground = yes`, as it does in containers.',
  source: 'stunnel(8), SIGNALS; tried with 5.68',
};
