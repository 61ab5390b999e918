import { describe, expect, it } from 'vitest';
import { whyStuck } from '../../../src/advise/why.ts';
import { candidate } from '../../builders/plan.ts';
import { container, exited, podView, running } from '../../builders/pod-view.ts';
import { cronJob, placedIn, stuck, stuckOnIstio, versions } from '../../builders/stuck.ts';

const key = 'sidecar.istio.io/nativeSidecar';
const none = versions('v1.34.0', 'v1.34.0');

/** Why an injected istio-proxy is not native, besides that it was injected. */
function whyOfIstio(tag: string, annotations: Readonly<Record<string, string>> = {}, cluster = none) {
  const [first, ...others] = whyStuck(placedIn(stuckOnIstio(tag, annotations)), cluster);
  expect(first).toEqual({ kind: 'NotInTemplate' });
  return others;
}

describe('a sidecar of the template', () => {
  it('is among its containers', () => {
    expect(whyStuck(placedIn(stuck(), cronJob()), none)).toEqual([{ kind: 'InTemplate' }]);
  });

  it('has a restartPolicy that does nothing there', () => {
    const sidecar = container('sidecar', running, { restartPolicy: 'Always' });
    const one = stuck({ containers: [container('main', exited()), sidecar] });
    expect(whyStuck(placedIn(one, cronJob()), none)).toContainEqual({ kind: 'AlwaysOnRegular' });
  });

  it('is a native one by now', () => {
    const cured = cronJob({ containers: ['main'], nativeSidecars: ['sidecar'] });
    expect(whyStuck(placedIn(stuck(), cured), none)).toEqual([{ kind: 'AlreadyNative' }]);
  });
});

describe('a sidecar that was injected', () => {
  it('asks for nothing', () => {
    expect(whyOfIstio('1.27.0')).toEqual([{ kind: 'SwitchUnset', key }]);
    expect(whyOfIstio('1.23.0')).toEqual([]);
  });

  it('has the key that the release notes of Istio print', () => {
    expect(whyOfIstio('1.27.0', { 'sidecar.istio.io/native-side': 'true' })).toEqual([
      { kind: 'SwitchMisspelt', key: 'sidecar.istio.io/native-side', meant: key },
    ]);
  });

  it('is switched off, or on in vain, and then its nodes do not matter', () => {
    const old = versions('v1.34.0', 'v1.32.0');
    expect(whyOfIstio('1.27.0', { [key]: 'false' }, old)).toEqual([
      { kind: 'SwitchOff', key, value: 'false' },
    ]);
    expect(whyOfIstio('1.27.0', { [key]: 'true' }, old)).toEqual([{ kind: 'SwitchInVain', key }]);
  });

  it('is beside one old node, which turns it off for all', () => {
    expect(whyOfIstio('1.27.0', {}, versions('v1.34.0', 'v1.33.0', 'v1.32.9'))).toContainEqual({
      kind: 'OldNodes',
      kubelet: '1.33',
      nodes: [{ name: 'b', kubelet: 'v1.32.9' }],
      more: 0,
    });
    // Before 1.27, istiod does not look at the nodes.
    expect(whyOfIstio('1.26.0', {}, versions('v1.34.0', 'v1.32.9'))).toEqual([{ kind: 'SwitchUnset', key }]);
  });

  it('is asked for by a key that only later versions read', () => {
    const annotations = {
      'linkerd.io/proxy-version': 'edge-25.10.1',
      'config.linkerd.io/proxy-enable-native-sidecar': 'true',
    };
    const image = 'cr.l5d.io/linkerd/proxy:edge-25.10.1';
    const containers = [container('main', exited()), container('linkerd-proxy', running, { image })];
    const one = placedIn(candidate(podView({ containers, annotations })));
    expect(whyStuck(one, none)).toContainEqual({
      kind: 'SwitchMisspelt',
      key: 'config.linkerd.io/proxy-enable-native-sidecar',
      meant: 'config.alpha.linkerd.io/proxy-enable-native-sidecar',
    });
  });

  it('of an unknown version has only what is certain', () => {
    expect(whyOfIstio('latest')).toEqual([]);
    expect(whyOfIstio('', { [key]: 'false' })).toEqual([{ kind: 'SwitchOff', key, value: 'false' }]);
  });
});
