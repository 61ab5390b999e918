import { describe, expect, it } from 'vitest';
import { causesOf, meantKey, type Origin, switchesFor } from '../../../src/advice/cause.ts';
import { describeVersions } from '../../../src/advice/cure.ts';
import { container, exited, running } from '../../builders/pod-view.ts';
import { cronJob, placedIn, stuck, stuckOn, stuckOnIstio, versions } from '../../builders/stuck.ts';

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
    const expected = { kind: 'Unknown', problem: 'jobs is forbidden' };
    expect(placeOf(stuck(), job({ kind: 'Unreadable', problem }))).toEqual(expected);
    expect(placeOf(stuck(), job({ kind: 'Gone' }))).toEqual({ kind: 'Unknown', problem: 'Job once is gone' });
    expect(placeOf(stuck(), { ...job(undefined), kind: 'JobSet' })).toEqual({
      kind: 'Unknown',
      problem: 'the template of a JobSet is not read',
    });
    expect(placeOf(stuckOnIstio('1.27.0'), job({ kind: 'Gone' }))).toEqual({ kind: 'Injected' });
  });
});

const key = 'sidecar.istio.io/nativeSidecar';
const none = versions('v1.34.0', 'v1.34.0');

/** Why an injected istio-proxy is not native, besides that it was injected. */
function whyOfIstio(tag: string, annotations: Readonly<Record<string, string>> = {}, cluster = none) {
  const [first, ...others] = causesOf(placedIn(stuckOnIstio(tag, annotations)), cluster);
  expect(first).toEqual({ kind: 'NotInTemplate' });
  return others;
}

describe('a sidecar of the template', () => {
  it('is among its containers', () => {
    expect(causesOf(placedIn(stuck(), cronJob()), none)).toEqual([{ kind: 'InTemplate' }]);
  });

  it('has a restartPolicy that does nothing there', () => {
    const sidecar = container('sidecar', running, { restartPolicy: 'Always' });
    const one = stuck({ containers: [container('main', exited()), sidecar] });
    expect(causesOf(placedIn(one, cronJob()), none)).toContainEqual({ kind: 'AlwaysOnRegular' });
  });

  it('is a native one by now', () => {
    const cured = cronJob({ containers: ['main'], nativeSidecars: ['sidecar'] });
    expect(causesOf(placedIn(stuck(), cured), none)).toEqual([{ kind: 'AlreadyNative' }]);
  });
});

describe('a sidecar that was injected', () => {
  it('asks for nothing', () => {
    expect(whyOfIstio('1.27.0')).toEqual([{ kind: 'SwitchUnset', key }]);
    expect(whyOfIstio('1.23.0')).toEqual([]);
  });

  it('has the key that the release notes of Istio print', () => {
    const expected = [{ kind: 'SwitchMisspelt', key: 'sidecar.istio.io/native-side', meant: key }];
    expect(whyOfIstio('1.27.0', { 'sidecar.istio.io/native-side': 'true' })).toEqual(expected);
  });

  it('is switched off, or on in vain, and then its nodes do not matter', () => {
    const old = versions('v1.34.0', 'v1.32.0');
    const expected = [{ kind: 'SwitchOff', key, value: 'false' }];
    expect(whyOfIstio('1.27.0', { [key]: 'false' }, old)).toEqual(expected);
    expect(whyOfIstio('1.27.0', { [key]: 'true' }, old)).toEqual([{ kind: 'SwitchIgnored', key }]);
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
    const key = 'config.linkerd.io/proxy-enable-native-sidecar';
    const meant = 'config.alpha.linkerd.io/proxy-enable-native-sidecar';
    const annotations = { 'linkerd.io/proxy-version': 'edge-25.10.1', [key]: 'true' };
    const one = placedIn(stuckOn('linkerd-proxy', 'cr.l5d.io/linkerd/proxy:edge-25.10.1', annotations));
    expect(causesOf(one, none)).toContainEqual({ kind: 'SwitchMisspelt', key, meant });
  });

  it('of an unknown version has only what is certain', () => {
    expect(whyOfIstio('latest')).toEqual([]);
    expect(whyOfIstio('', { [key]: 'false' })).toEqual([{ kind: 'SwitchOff', key, value: 'false' }]);
  });
});

const keysFor = (tag: string) =>
  switchesFor(placedIn(stuckOnIstio(tag))).map(({ annotation, does = '' }) => annotation?.key ?? does);

function linkerdKeys(tag: string): readonly (string | undefined)[] {
  const annotations = { 'linkerd.io/proxy-version': tag };
  const one = stuckOn('linkerd-proxy', `cr.l5d.io/linkerd/proxy:${tag}`, annotations);
  const switches = switchesFor(placedIn(one));
  return switches.map(({ annotation }) => annotation?.key.replace('proxy-enable-native-sidecar', '…'));
}

it('the switch of Kuma is in its control plane, from 2.7 on', () => {
  const kuma = (tag: string) => {
    const one = stuckOn('kuma-sidecar', `docker.io/kumahq/kuma-dp:${tag}`);
    return switchesFor(placedIn(one)).map(({ does }) => does);
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
    const expected = ['from 1.24 on', 'from 1.27 on', 'from 1.19 on, before 1.27', 'before 1.19'];
    expect(switchesFor(placedIn(stuckOnIstio('latest'))).map(describeVersions)).toEqual(expected);
  });
});

it.each([
  ['stable-2.14.10', [undefined]],
  ['edge-23.11.4', ['config.alpha.linkerd.io/…']],
  ['enterprise-2.18.0', ['config.alpha.linkerd.io/…']],
  ['edge-25.10.2', ['config.beta.linkerd.io/…']],
  ['2.19.1', ['config.beta.linkerd.io/…']],
  ['edge-26.5.2', ['config.linkerd.io/…']],
])('the switch of Linkerd of %s is spelt %j', (tag, keys) => {
  expect(linkerdKeys(tag)).toEqual(keys);
});

it('a flag that the proxy has already is not advised again', () => {
  const image = 'gcr.io/cloud-sql-connectors/cloud-sql-proxy:2.20.0';
  const advised = (...args: readonly string[]) => {
    const one = stuckOn('cloud-sql-proxy', image, {}, { args });
    return switchesFor(placedIn(one)).map(({ does }) => /--[a-z-]+/.exec(does ?? '')?.[0]);
  };
  expect(advised()).toEqual(['--quitquitquit', '--exit-zero-on-sigterm']);
  expect(advised('--quitquitquit', '--exit-zero-on-sigterm')).toEqual([]);
});

const istio = 'sidecar.istio.io/nativeSidecar';
const linkerd = 'config.linkerd.io/proxy-enable-native-sidecar';

it.each([
  ['sidecar.istio.io/native-side', istio],
  ['sidecar.istio.io/native-sidecar', istio],
  ['sidecar.istio.io/NATIVESIDECAR', istio],
  ['sidecars.istio.io/nativeSidecar', istio],
  ['config.linkerd.io/proxy-enable-native-sidecars', linkerd],
  ['config.linkerd.io/proxy-enabled-native-sidecar', linkerd],
  ['sidecar.istio.io/inject', undefined],
  ['config.linkerd.io/proxy-cpu-limit', undefined],
  ['', undefined],
])('%s may mean %s', (key, meant) => {
  expect(meantKey(key, [istio, linkerd])).toBe(meant);
});
