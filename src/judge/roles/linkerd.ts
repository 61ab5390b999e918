import type { Source } from './source.ts';

/** The annotations that the injector adds, and the prefix of those that configure the proxy. */
const marks: readonly string[] = ['linkerd.io/proxy-version', 'linkerd.io/created-by'];
const configuration = 'config.linkerd.io/';

/** Linkerd's injector does not record what it added, but its container always has this name. */
export const injectedByLinkerd: Source = ({ annotations }) => {
  const keys = Object.keys(annotations);
  const key =
    keys.find((each) => marks.includes(each)) ?? keys.find((each) => each.startsWith(configuration));
  return ({ name }) =>
    name === 'linkerd-proxy' && key !== undefined
      ? { role: 'Sidecar', because: { kind: 'InjectionStatus', key } }
      : undefined;
};
