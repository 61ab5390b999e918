import { describe, expect, it } from 'vitest';
import { startupLimit, swapSigns } from '../../../../src/kube/pods/container.ts';

describe('How long a startup probe may take:', () => {
  it.each<readonly [what: string, probe: unknown, limit: number | undefined]>([
    ['no probe', undefined, undefined],
    ['nothing that is one', 'soon', undefined],
    ["Kubernetes' defaults: three tries and one late, ten seconds apart", {}, 70_000],
    ['a delay', { initialDelaySeconds: 5 }, 75_000],
    ['many tries', { failureThreshold: 600, periodSeconds: 1 }, 631_000],
    ['tries that take longer than a period', { timeoutSeconds: 20, periodSeconds: 10 }, 110_000],
    ['a grace period of its own', { terminationGracePeriodSeconds: 60 }, 100_000],
    ['fields that are not numbers', { failureThreshold: 'often' }, 70_000],
  ])('the time that a startup probe may take with %s', (_what, probe, limit) => {
    expect(startupLimit(probe, 30_000)).toBe(limit);
  });
});

describe('Signs that an image swap may go otherwise than recorded:', () => {
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
    [
      'less than it asks for',
      [asked, { allocatedResources: { cpu: '250m', memory: '64Mi' } }, {}],
      ['Resize'],
    ],
    ['what it does not ask for', [asked, { allocatedResources: { 'hugepages-2Mi': '2Mi' } }, {}], []],
  ])('a container with %s', (_title, of, signs) => {
    expect(swapSigns(...of)).toEqual(signs);
  });
});
