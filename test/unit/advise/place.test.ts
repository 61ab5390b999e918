import { describe, expect, it } from 'vitest';
import type { Origin } from '../../../src/advise/origin.ts';
import { container, exited, running } from '../../builders/pod-view.ts';
import { cronJob, placedIn, stuck, stuckOnIstio } from '../../builders/stuck.ts';

const placeOf = (...args: Parameters<typeof placedIn>) => placedIn(...args).place;
const job = (reading: Origin['reading']): Origin => ({ ...cronJob(), kind: 'Job', name: 'once', reading });

describe('a sidecar', () => {
  it('is where the template has it', () => {
    expect(placeOf(stuck(), cronJob())).toEqual({ kind: 'Template', index: 1 });
    const cured = cronJob({ containers: ['main'], nativeSidecars: ['sidecar'], initContainers: 1 });
    expect(placeOf(stuck(), cured)).toEqual({ kind: 'Native' });
  });

  it('was injected if the template does not have it', () => {
    expect(placeOf(stuck(), cronJob({ containers: ['main'] }))).toEqual({ kind: 'Injected' });
  });

  it('is where the manifest of a bare pod has it, which is without what was injected', () => {
    const containers = [
      container('istio-proxy', running, { image: 'istio/proxyv2:1.27.0' }),
      container('main', exited()),
      container('sidecar', running),
    ];
    const bare = stuck({ owner: undefined, containers });
    const origin = { ...cronJob(), kind: 'Pod', reading: undefined };
    expect(placeOf(bare, origin)).toEqual({ kind: 'Template', index: 0 });
    const annotations = { ...bare.pod.annotations, 'sidecar.istio.io/status': '{}' };
    const injected = stuck({ owner: undefined, containers, annotations });
    expect(placeOf(injected, origin)).toEqual({ kind: 'Injected' });
  });

  it('may come from anywhere if its template cannot be read', () => {
    const problem = { kind: 'Forbidden', message: 'jobs is forbidden' } as const;
    expect(placeOf(stuck(), job({ kind: 'Unreadable', problem }))).toEqual({
      kind: 'Unknown',
      problem: 'jobs is forbidden',
    });
    expect(placeOf(stuck(), job({ kind: 'Gone' }))).toEqual({ kind: 'Unknown', problem: 'Job once is gone' });
    expect(placeOf(stuck(), { ...job(undefined), kind: 'JobSet' })).toEqual({
      kind: 'Unknown',
      problem: 'the template of a JobSet is not read',
    });
    expect(placeOf(stuckOnIstio('1.27.0'), job({ kind: 'Gone' }))).toEqual({ kind: 'Injected' });
  });
});
