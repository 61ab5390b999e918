import type { Source } from './source.ts';

/** What the injector leaves on a pod, and how a pod configures the proxy that it gets. */
const marks: readonly string[] = ['linkerd.io/proxy-version', 'linkerd.io/created-by'];
const configuration = 'config.linkerd.io/';

/** Linkerd's injector does not list what it added: it is always the container of this name. */
export const injectedByLinkerd: Source = ({ name }, pod) => {
  if (name !== 'linkerd-proxy') return undefined;
  const keys = Object.keys(pod.annotations);
  const key =
    keys.find((each) => marks.includes(each)) ?? keys.find((each) => each.startsWith(configuration));
  return key === undefined ? undefined : { role: 'Sidecar', because: { kind: 'InjectionStatus', key } };
};
