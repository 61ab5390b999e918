import { expect, it } from 'vitest';
import { meantKey } from '../../../src/advise/near-miss.ts';

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
