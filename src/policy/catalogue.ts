import { appMesh } from './catalogue/app-mesh.ts';
import { alloydbAuthProxy, cloudSqlProxy, cloudSqlProxyV1 } from './catalogue/cloud-sql-and-alloydb.ts';
import { consulDataplane } from './catalogue/consul-dataplane.ts';
import { dapr } from './catalogue/dapr.ts';
import { datadogAgent } from './catalogue/datadog-agent.ts';
import type { Entry } from './catalogue/entry.ts';
import { envoy } from './catalogue/envoy.ts';
import { fluentBit } from './catalogue/fluent-bit.ts';
import { gcsfuse } from './catalogue/gcsfuse.ts';
import { haproxy } from './catalogue/haproxy.ts';
import { istio } from './catalogue/istio.ts';
import { kubexit } from './catalogue/kubexit.ts';
import { kuma } from './catalogue/kuma.ts';
import { linkerd } from './catalogue/linkerd.ts';
import { nginx } from './catalogue/nginx.ts';
import { opentelemetryCollector } from './catalogue/opentelemetry-collector.ts';
import { pgbouncer } from './catalogue/pgbouncer.ts';
import { stunnel } from './catalogue/stunnel.ts';
import { openbaoAgent, vaultAgent } from './catalogue/vault-and-openbao.ts';
import { vks } from './catalogue/vks.ts';
import { type Profile, writtenSteps } from './profile.ts';

/** The sidecars that are known without configuration. The first one that matches a container counts. */
export const catalogue: readonly Profile[] = [
  istio,
  linkerd,
  cloudSqlProxy,
  cloudSqlProxyV1,
  alloydbAuthProxy,
  vaultAgent,
  openbaoAgent,
  consulDataplane,
  dapr,
  kuma,
  envoy,
  opentelemetryCollector,
  fluentBit,
  datadogAgent,
  appMesh,
  gcsfuse,
  pgbouncer,
  nginx,
  haproxy,
  stunnel,
  vks,
  // It matches by a variable, whatever the container's name and image.
  kubexit,
].map(readWhenWanted);

/** Names that only earlier versions have: a policy that removes one must not break a CronJob when the image is upgraded. */
export const formerProfiles: readonly string[] = [];

/** Few of the entries are met in a run, and to read the steps of all takes longer than to judge a hundred pods. */
function readWhenWanted({ steps, ...entry }: Entry): Profile {
  let read: Profile['steps'] | undefined;
  return {
    ...entry,
    get steps() {
      read ??= writtenSteps.parse(steps);
      return read;
    },
  };
}
