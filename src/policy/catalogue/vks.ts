import type { Entry } from './entry.ts';

export const vks: Entry = {
  name: 'vks',
  containers: ['vks-sidecar'],
  images: ['vks-sidecar'],
  steps: [{ signal: ['INT'] }],
  source: 'nais/hahaha',
};
