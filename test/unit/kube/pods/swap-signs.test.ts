import { expect, it } from 'vitest';
import { swapSigns } from '../../../../src/kube/pods/swap-signs.ts';

const probe = { exec: { command: ['true'] } };
const asked = { resources: { requests: { cpu: '500m', memory: '64Mi' } } };

it.each<readonly [title: string, of: Parameters<typeof swapSigns>, signs: readonly string[]]>([
  ['nothing', [{}, {}, {}], []],
  ['no status', [asked, undefined, {}], []],
  ['a postStart hook', [{ lifecycle: { postStart: probe } }, {}, {}], ['PostStart']],
  ['a preStop hook, which is recorded', [{ lifecycle: { preStop: probe } }, {}, {}], []],
  ['a startup probe', [{ startupProbe: probe }, {}, {}], ['Probes']],
  ['a liveness probe', [{ livenessProbe: probe }, {}, {}], ['Probes']],
  ['a readiness probe, which ends nothing', [{ readinessProbe: probe }, {}, {}], []],
  [
    'all of them',
    [{ lifecycle: { postStart: probe }, livenessProbe: probe }, {}, { resize: 'Proposed' }],
    ['PostStart', 'Probes', 'Resize'],
  ],
  ['a resize before Kubernetes 1.33', [{}, {}, { resize: 'InProgress' }], ['Resize']],
  ['no resize', [{}, {}, { resize: '', conditions: [] }], []],
  ...['PodResizePending', 'PodResizeInProgress'].map(
    (type): readonly [string, Parameters<typeof swapSigns>, readonly string[]] => [
      `the condition ${type}`,
      [{}, {}, { conditions: [{ type, status: 'True' }] }],
      ['Resize'],
    ],
  ),
  [
    'other conditions',
    [
      {},
      {},
      {
        conditions: [
          { type: 'PodResizePending', status: 'False' },
          { type: 'Ready', status: 'True' },
        ],
      },
    ],
    [],
  ],
  ['as much as it asks for', [asked, { allocatedResources: { cpu: '0.5', memory: '64Mi' } }, {}], []],
  ['less than it asks for', [asked, { allocatedResources: { cpu: '250m', memory: '64Mi' } }, {}], ['Resize']],
  ['what it does not ask for', [asked, { allocatedResources: { 'hugepages-2Mi': '2Mi' } }, {}], []],
])('a container with %s', (_title, of, signs) => {
  expect(swapSigns(...of)).toEqual(signs);
});
