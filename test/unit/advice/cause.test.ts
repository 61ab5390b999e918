import { expect, it } from 'vitest';
import {
  causesOf,
  type Origin,
  type Placed,
  placed,
  switchesFor,
  type WhyStuck,
} from '../../../src/advice/cause.ts';
import { describeVersions } from '../../../src/advice/cure.ts';
import type { Candidate } from '../../../src/model/verdict.ts';
import { catalogue } from '../../../src/policy/catalogue.ts';
import { container, exited, running } from '../../builders/pod-view.ts';
import { cronJob, placedIn, stuck, stuckOn, stuckOnIstio, versions } from '../../builders/stuck.ts';

const origins = {
  job: (reading: Origin['reading']): Origin => ({ ...cronJob(), kind: 'Job', name: 'once', reading }),
  jobSet: { ...cronJob(), kind: 'JobSet', reading: undefined } satisfies Origin,
  bare: { ...cronJob(), kind: 'Pod', reading: undefined } satisfies Origin,
  without: cronJob({ containers: ['main'] }),
  cured: cronJob({ containers: ['main'], nativeSidecars: ['sidecar'], initContainers: 1 }),
};
const forbidden = { kind: 'Forbidden', message: 'jobs is forbidden' } as const;
const proxy = container('istio-proxy', running, { image: 'istio/proxyv2:1.27.0' });
const containers = [proxy, container('main', exited()), container('sidecar', running)];
const manifest = stuck({ owner: undefined, containers });
const istioStatus = { ...manifest.pod.annotations, 'sidecar.istio.io/status': '{}' };
const injected = stuck({ owner: undefined, containers, annotations: istioStatus });

// biome-ignore format: one row a line
it.each<readonly [what: string, candidate: Candidate, origin: Origin, place: Placed['place']]>([
  ['where the template has it', stuck(), cronJob(), { kind: 'Template', index: 1 }],
  ['a native one of the template by now', stuck(), origins.cured, { kind: 'Native' }],
  ['injected if the template does not have it', stuck(), origins.without, { kind: 'Injected' }],
  ['where the manifest of a bare pod has it', manifest, origins.bare, { kind: 'Template', index: 0 }],
  ['from anywhere if its template cannot be read', stuck(), origins.job({ kind: 'Unreadable', problem: forbidden }), { kind: 'Unknown', problem: 'jobs is forbidden' }],
  ['from anywhere if its Job is gone', stuck(), origins.job({ kind: 'Gone' }), { kind: 'Unknown', problem: 'Job once is gone' }],
  ['from anywhere if such a template is not read', stuck(), origins.jobSet, { kind: 'Unknown', problem: 'the template of a JobSet is not read' }],
  ['injected if its pod says so', stuckOnIstio('1.27.0'), origins.job({ kind: 'Gone' }), { kind: 'Injected' }],
])('a sidecar is %s', (_what, candidate, origin, place) => {
  expect(placedIn(candidate, origin).place).toEqual(place);
});

it('what was injected into a bare pod is not among the containers of its manifest', () => {
  const places = placed(injected, origins.bare, catalogue).map(({ container, place }) => [
    container.name,
    place,
  ]);
  expect(places).toEqual([
    ['istio-proxy', { kind: 'Injected' }],
    ['sidecar', { kind: 'Template', index: 1 }],
  ]);
});

const key = 'sidecar.istio.io/nativeSidecar';
const none = versions('v1.34.0', 'v1.34.0');
const old = versions('v1.34.0', 'v1.32.0');
const always = container('sidecar', running, { restartPolicy: 'Always' });
const restarting = stuck({ containers: [container('main', exited()), always] });

// biome-ignore format: one row a line
it.each<readonly [what: string, candidate: Candidate, origin: Origin, causes: readonly WhyStuck[]]>([
  ['is among its containers', stuck(), cronJob(), [{ kind: 'InTemplate' }]],
  ['has a restartPolicy that does nothing there', restarting, cronJob(), [{ kind: 'InTemplate' }, { kind: 'AlwaysOnRegular' }]],
  ['is a native one by now', stuck(), origins.cured, [{ kind: 'AlreadyNative' }]],
])('a sidecar of the template %s', (_what, candidate, origin, causes) => {
  expect(causesOf(placedIn(candidate, origin), none)).toEqual(causes);
});

type Annotations = Readonly<Record<string, string>>;

// biome-ignore format: one row a line
it.each<readonly [what: string, tag: string, annotations: Annotations, cluster: typeof none, causes: readonly WhyStuck[]]>([
  ['asks for nothing', '1.27.0', {}, none, [{ kind: 'SwitchUnset', key }]],
  ['asks for nothing, in a version that reads nothing', '1.23.0', {}, none, []],
  ['is switched off, and then its nodes do not matter', '1.27.0', { [key]: 'false' }, old, [{ kind: 'SwitchOff', key, value: 'false' }]],
  ['is switched on in vain', '1.27.0', { [key]: 'true' }, old, [{ kind: 'SwitchIgnored', key }]],
  ['is beside one old node, which turns it off for all', '1.27.0', {}, versions('v1.34.0', 'v1.33.0', 'v1.32.9'), [{ kind: 'SwitchUnset', key }, { kind: 'OldNodes', kubelet: '1.33', nodes: [{ name: 'b', kubelet: 'v1.32.9' }], more: 0 }]],
  ['is older than 1.27, in which istiod looks at the nodes', '1.26.0', {}, versions('v1.34.0', 'v1.32.9'), [{ kind: 'SwitchUnset', key }]],
  ['is of an unknown version', 'latest', {}, none, []],
  ['is of an unknown version, and switched off', '', { [key]: 'false' }, none, [{ kind: 'SwitchOff', key, value: 'false' }]],
])('a sidecar that was injected %s', (_what, tag, annotations, cluster, causes) => {
  const found = causesOf(placedIn(stuckOnIstio(tag, annotations)), cluster);
  expect(found).toEqual([{ kind: 'NotInTemplate' }, ...causes]);
});

it('a sidecar that was injected is asked for by a key that only later versions read', () => {
  const key = 'config.linkerd.io/proxy-enable-native-sidecar';
  const meant = 'config.alpha.linkerd.io/proxy-enable-native-sidecar';
  const annotations = { 'linkerd.io/proxy-version': 'edge-25.10.1', [key]: 'true' };
  const one = placedIn(stuckOn('linkerd-proxy', 'cr.l5d.io/linkerd/proxy:edge-25.10.1', annotations));
  expect(causesOf(one, none)).toContainEqual({ kind: 'SwitchUnread', key, meant });
});

const ofKuma = (tag: string) => stuckOn('kuma-sidecar', `docker.io/kumahq/kuma-dp:${tag}`);
const ofLinkerd = (tag: string) =>
  stuckOn('linkerd-proxy', `cr.l5d.io/linkerd/proxy:${tag}`, { 'linkerd.io/proxy-version': tag });
const ofCloudSql = (...args: readonly string[]) =>
  stuckOn('cloud-sql-proxy', 'gcr.io/cloud-sql-connectors/cloud-sql-proxy:2.20.0', {}, { args });
const linkerdKey = (line: string) => `${line}linkerd.io/proxy-enable-native-sidecar`;
const inIstiod = /ENABLE_NATIVE_SIDECARS=true/;

// biome-ignore format: one row a line
it.each<readonly [what: string, candidate: Candidate, switches: readonly (string | RegExp)[]]>([
  ['Kuma from 2.7 on, in its control plane', ofKuma('2.9.1'), [/KUMA_EXPERIMENTAL_SIDECAR_CONTAINERS=true/]],
  ['Kuma before', ofKuma('2.6.3'), [/upgrade Kuma/]],
  ['Istio from 1.27 on, also by the version of the nodes', stuckOnIstio('1.27.1'), [key, /kubelet of 1\.33/]],
  ['Istio from 1.24 on', stuckOnIstio('1.24.0'), [key, inIstiod]],
  ['Istio from 1.19 on', stuckOnIstio('1.23.4'), [inIstiod]],
  ['Istio before', stuckOnIstio('1.18.7'), [/upgrade Istio/]],
  ['Linkerd stable-2.14.10', ofLinkerd('stable-2.14.10'), [/^upgrade Linkerd/]],
  ['Linkerd edge-23.11.4', ofLinkerd('edge-23.11.4'), [linkerdKey('config.alpha.')]],
  ['Linkerd enterprise-2.18.0', ofLinkerd('enterprise-2.18.0'), [linkerdKey('config.alpha.')]],
  ['Linkerd edge-25.10.2', ofLinkerd('edge-25.10.2'), [linkerdKey('config.beta.')]],
  ['Linkerd 2.19.1', ofLinkerd('2.19.1'), [linkerdKey('config.beta.')]],
  ['Linkerd edge-26.5.2', ofLinkerd('edge-26.5.2'), [linkerdKey('config.')]],
  ['the Cloud SQL proxy', ofCloudSql(), [/--quitquitquit/, /--exit-zero-on-sigterm/]],
  ['the Cloud SQL proxy that has its flags already', ofCloudSql('--quitquitquit', '--exit-zero-on-sigterm'), []],
])('the switches of %s', (_what, candidate, switches) => {
  const found = switchesFor(placedIn(candidate)).map(({ annotation, does = '' }) => annotation?.key ?? does);
  expect(found).toEqual(switches.map((one) => (typeof one === 'string' ? one : expect.stringMatching(one))));
});

it('the switches of an unknown version are all of them, with their versions', () => {
  const expected = ['from 1.24 on', 'from 1.27 on', 'from 1.19 on, before 1.27', 'before 1.19'];
  expect(switchesFor(placedIn(stuckOnIstio('latest'))).map(describeVersions)).toEqual(expected);
});
