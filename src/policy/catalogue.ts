import { alloydbAuthProxy, cloudSqlProxy, cloudSqlProxyV1 } from '../catalogue/cloud-sql-and-alloydb.ts';
import { consulDataplane, istio, kuma, linkerd } from '../catalogue/meshes.ts';
import { dapr, dockerInDocker, gcsfuse, gitSync, kubexit } from '../catalogue/others.ts';
import { proxies } from '../catalogue/proxies.ts';
import { telemetry } from '../catalogue/telemetry.ts';
import { openbaoAgent, vaultAgent } from '../catalogue/vault-and-openbao.ts';
import { type Entry, inTemplates, type Profile, profile } from './profile.ts';

/** The sidecars that are known without configuration. The first one that matches a container counts. */
export const catalogue: readonly Profile[] = [
  ...[istio, linkerd, consulDataplane, dapr, kuma],
  ...[cloudSqlProxy, cloudSqlProxyV1, alloydbAuthProxy, vaultAgent, openbaoAgent],
  ...[...proxies, ...telemetry, gcsfuse, gitSync, dockerInDocker],
  // It matches by a variable, whatever the container's name and image.
  kubexit,
].map(withLazySteps);

/** Parses the steps of an entry when they are first used: parsing all takes longer than judging a hundred pods. */
function withLazySteps({ steps, native = inTemplates, ...entry }: Entry): Profile {
  let read: Profile['steps'] | undefined;
  return {
    ...entry,
    native,
    get steps() {
      read ??= profile.shape.steps.parse(steps);
      return read;
    },
  };
}
