import { describe, expect, it } from 'vitest';
import { describeVersions, switchesFor } from '../../../src/advise/switches.ts';
import { candidate } from '../../builders/plan.ts';
import { container, exited, podView, running } from '../../builders/pod-view.ts';
import { placedIn, stuckOnIstio } from '../../builders/stuck.ts';

const keysFor = (tag: string) =>
  switchesFor(placedIn(stuckOnIstio(tag))).map(({ annotation, does = '' }) => annotation?.key ?? does);

/** The keys that a version of Linkerd reads. */
function linkerdKeys(tag: string): readonly (string | undefined)[] {
  const image = `cr.l5d.io/linkerd/proxy:${tag}`;
  const containers = [container('main', exited()), container('linkerd-proxy', running, { image })];
  const annotations = { 'linkerd.io/proxy-version': tag };
  const switches = switchesFor(placedIn(candidate(podView({ containers, annotations }))));
  return switches.map(({ annotation }) => annotation?.key.replace('proxy-enable-native-sidecar', '…'));
}

it('the switch of Kuma is in its control plane, from 2.7 on', () => {
  const kuma = (tag: string) => {
    const sidecar = container('kuma-sidecar', running, { image: `docker.io/kumahq/kuma-dp:${tag}` });
    const containers = [container('main', exited()), sidecar];
    const annotations = { 'sidecar-sweeper.dev/sidecars': 'kuma-sidecar' };
    return switchesFor(placedIn(candidate(podView({ containers, annotations })))).map(({ does }) => does);
  };
  expect(kuma('2.9.1')).toEqual([expect.stringContaining('KUMA_EXPERIMENTAL_SIDECAR_CONTAINERS=true')]);
  expect(kuma('2.6.3')).toEqual([expect.stringContaining('upgrade Kuma')]);
});

describe('the switch of Istio', () => {
  it('is an annotation from 1.24 on, and from 1.27 on the version of the nodes', () => {
    const [annotation, second, ...others] = keysFor('1.27.1');
    expect([annotation, others]).toEqual(['sidecar.istio.io/nativeSidecar', []]);
    expect(second).toContain('kubelet of 1.33');
    expect(keysFor('1.24.0')).toEqual([
      'sidecar.istio.io/nativeSidecar',
      expect.stringContaining('ENABLE_NATIVE_SIDECARS=true'),
    ]);
  });

  it('is an environment variable before that, and missing before 1.19', () => {
    expect(keysFor('1.23.4')).toEqual([expect.stringContaining('ENABLE_NATIVE_SIDECARS=true')]);
    expect(keysFor('1.18.7')).toEqual([expect.stringContaining('upgrade Istio')]);
  });

  it('is each of them, with its versions, if the version is unknown', () => {
    expect(switchesFor(placedIn(stuckOnIstio('latest'))).map(describeVersions)).toEqual([
      'from 1.24 on',
      'from 1.27 on',
      'from 1.19 on, before 1.27',
      'before 1.19',
    ]);
  });
});

describe('the switch of Linkerd', () => {
  it.each([
    ['stable-2.14.10', [undefined]],
    ['edge-23.11.4', ['config.alpha.linkerd.io/…']],
    ['enterprise-2.18.0', ['config.alpha.linkerd.io/…']],
    ['edge-25.10.2', ['config.beta.linkerd.io/…']],
    ['2.19.1', ['config.beta.linkerd.io/…']],
    ['edge-26.5.2', ['config.linkerd.io/…']],
  ])('of %s is spelt %j', (tag, keys) => {
    expect(linkerdKeys(tag)).toEqual(keys);
  });
});

it('a flag that the proxy has already is not advised again', () => {
  const image = 'gcr.io/cloud-sql-connectors/cloud-sql-proxy:2.20.0';
  const advised = (...args: readonly string[]) => {
    const proxy = container('cloud-sql-proxy', running, { image, args });
    const containers = [container('main', exited()), proxy];
    return switchesFor(placedIn(candidate(podView({ containers })))).map(({ does }) => does?.slice(0, 38));
  };
  expect(advised()).toEqual([
    'start the proxy with --quitquitquit, a',
    'start the proxy with --exit-zero-on-si',
  ]);
  expect(advised('--quitquitquit', '--exit-zero-on-sigterm')).toEqual([]);
});
