import { asksFromElsewhere, type CatalogueCase, clean, endsBySwap, endsOnRequest, sidecar } from './cases.ts';

const istio = 'docker.io/istio/proxyv2:1.27.0';
const linkerd = 'cr.l5d.io/linkerd/proxy:edge-26.1.1';
const consul = 'docker.io/hashicorp/consul-dataplane:1.8.0';
const dapr = 'docker.io/daprio/daprd:1.16.0';
const envoy = 'docker.io/envoyproxy/envoy:distroless-v1.36.0';

/** Service meshes and their proxies. */
export const meshes: readonly CatalogueCase[] = [
  {
    profile: 'istio',
    name: 'agent',
    title: 'POST on 15020 ends the agent, which accepts only the loopback and drains first',
    sidecar: sidecar('istio-proxy', `${istio}-distroless`, { env: { TERMINATION_DRAIN: '3' } }),
    main: asksFromElsewhere('POST', 15_020, '/quitquitquit'),
    methods: ['Http'],
    outcome: clean,
    heard: ['asked POST 15020 /quitquitquit from elsewhere', 'asked POST 15020 /quitquitquit'],
  },
  endsOnRequest('POST 15021 /quitquitquit', {
    profile: 'istio',
    name: 'port',
    title: "uses the agent's port from the pod's annotation",
    sidecar: sidecar('istio-proxy', `${istio}-distroless`, { env: { STATUS_PORT: '15021' } }),
    annotations: { 'status.sidecar.istio.io/port': '15021' },
  }),
  endsOnRequest('POST 15000 /quitquitquit', {
    profile: 'istio',
    name: 'port-off',
    title: 'uses Envoy on 15000 if the annotation disables the port',
    sidecar: sidecar('istio-proxy', `${istio}-distroless`, { env: { STATUS_PORT: '0' } }),
    annotations: { 'status.sidecar.istio.io/port': '0' },
    unfit: [{ method: 'Http', reason: 'Off' }],
  }),
  {
    profile: 'istio',
    name: 'exec',
    title: 'without permission for port-forward, pilot-agent calls Envoy itself',
    sweep: 'exec',
    sidecar: sidecar('istio-proxy', `${istio}-distroless`),
    methods: ['Command'],
    outcome: clean,
    heard: ['asked POST 15000 /quitquitquit'],
  },
  {
    profile: 'linkerd',
    name: 'on',
    title: 'POST /shutdown ends the proxy, which accepts only the loopback and drains first',
    sidecar: sidecar('linkerd-proxy', linkerd, { env: { LINKERD2_PROXY_SHUTDOWN_ENDPOINT_ENABLED: 'true' } }),
    annotations: { 'config.linkerd.io/proxy-admin-shutdown': 'enabled' },
    main: asksFromElsewhere('POST', 4191, '/shutdown'),
    methods: ['Http'],
    outcome: clean,
    heard: ['asked POST 4191 /shutdown from elsewhere', 'asked POST 4191 /shutdown'],
  },
  endsBySwap({
    profile: 'linkerd',
    name: 'off',
    title: 'the injector disables the endpoint by default: it is not called, and the swap ends the proxy',
    sidecar: sidecar('linkerd-proxy', linkerd, {
      env: { LINKERD2_PROXY_SHUTDOWN_ENDPOINT_ENABLED: 'false' },
    }),
    unfit: [
      { method: 'Http', reason: 'ShownOtherwise' },
      { method: 'Command', reason: 'ShownOtherwise' },
    ],
  }),
  {
    profile: 'linkerd',
    name: 'untold',
    title: 'an endpoint of unknown state is called, and its 404 leads to the next step',
    sweep: 'forward',
    sidecar: sidecar('linkerd-proxy', linkerd),
    methods: ['Http'],
    outcome: { kind: 'StillRunning', because: { kind: 'Unsupported', message: 'HTTP 404' } },
    heard: ['asked POST 4191 /shutdown'],
  },
  {
    profile: 'linkerd',
    name: 'exec',
    title: 'without permission for port-forward, linkerd-await calls the proxy',
    sweep: 'exec',
    sidecar: sidecar('linkerd-proxy', linkerd, { env: { LINKERD2_PROXY_SHUTDOWN_ENDPOINT_ENABLED: 'true' } }),
    methods: ['Command'],
    outcome: clean,
    heard: ['asked POST 4191 /shutdown'],
  },
  endsOnRequest('POST 20600 /graceful_shutdown', {
    profile: 'consul-dataplane',
    name: 'consul-k8s',
    title: 'listens on 20600 under consul-k8s',
    sidecar: sidecar('consul-dataplane', consul, { args: ['-graceful-port=20600'] }),
  }),
  endsOnRequest('POST 20700 /graceful_shutdown', {
    profile: 'consul-dataplane',
    name: 'annotation',
    title: "uses the port from the pod's annotation",
    sidecar: sidecar('consul-dataplane', consul, { env: { GRACEFUL_PORT: '20700' } }),
    annotations: { 'consul.hashicorp.com/sidecar-proxy-lifecycle-graceful-port': '20700' },
  }),
  {
    profile: 'consul-dataplane',
    name: 'alone',
    title: 'listens on 20300 by default, which is called if 20600 is closed',
    sidecar: sidecar('consul-dataplane', consul),
    methods: ['Http', 'Http'],
    outcome: clean,
    heard: ['asked POST 20300 /graceful_shutdown'],
  },
  endsOnRequest('POST 3500 /v1.0/shutdown', {
    profile: 'dapr',
    name: 'quit',
    title: 'answers 204 and drains first',
    sidecar: sidecar('daprd', dapr),
  }),
  endsOnRequest('POST 3501 /v1.0/shutdown', {
    profile: 'dapr',
    name: 'port',
    title: 'uses the port from its argument',
    sidecar: sidecar('daprd', dapr, { args: ['--dapr-http-port', '3501'] }),
  }),
  endsBySwap({
    profile: 'dapr',
    name: 'token',
    title: 'is not called if it requires a token: the swap ends it',
    sidecar: sidecar('daprd', dapr, { env: { DAPR_API_TOKEN: 'secret' } }),
    unfit: [{ method: 'Http', reason: 'ShownOtherwise' }],
  }),
  {
    profile: 'kuma',
    name: 'busybox',
    title: 'gets its signal from the shell of its image, which is not /bin/sh',
    sidecar: sidecar('kuma-sidecar', 'docker.io/kumahq/kuma-dp:2.12.0'),
    methods: ['Signal', 'Command'],
    outcome: clean,
    heard: ['signal TERM'],
  },
  endsOnRequest('POST 9901 /quitquitquit', {
    profile: 'envoy',
    name: 'quit',
    title: 'ends on POST to its admin port',
    sidecar: sidecar('envoy', envoy),
  }),
  endsOnRequest('POST 9902 /quitquitquit', {
    profile: 'envoy',
    name: 'silent',
    title: 'uses the port from its variable; a connection closed by its end counts as an answer',
    sidecar: sidecar('envoy', envoy, { env: { ENVOY_ADMIN_PORT: '9902', ENVOY_ANSWERS_NOT: 'yes' } }),
  }),
];
