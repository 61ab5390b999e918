// `npm run demo:cron-job`: installs the sweeper in an emulated cluster and shows its first run.
import { UsageError } from '../../src/util/usage-error.ts';
import { members } from '../../test/kit/emulator/index.ts';
import { demonstrate, orEnd } from './demonstrate.ts';
import { InstalledCluster, whyNotInCluster } from './installed-cluster.ts';

orEnd(() => {
  const why = whyNotInCluster();
  if (why !== undefined) throw new UsageError(`this machine cannot run it: ${why}`);
});

const stuck = ['invoice-mail', 'report-daily', 'workflow-step'];
const cluster = await InstalledCluster.start(members.filter(({ name }) => stuck.includes(name)));
await demonstrate(
  async () => {
    await show('kubectl get pods -A');
    await show('kubectl apply -k manifests/overlays/default');
    await show(
      'kubectl -n sidecar-sweeper create job first --from=cronjob/sidecar-sweeper --dry-run=client -o yaml | kubectl apply -f -',
    );
    await show('kubectl -n sidecar-sweeper wait --for=condition=complete job/first');
    await show(
      `kubectl -n sidecar-sweeper get pods -l job-name=first -o jsonpath='{..state.terminated.message}{"\\n"}'`,
    );
    await show('kubectl get pods -A');
    await show(
      'kubectl get events -A -o custom-columns=NAMESPACE:.metadata.namespace,REASON:.reason,MESSAGE:.message',
    );
  },
  () => cluster.stop(),
);

async function show(command: string): Promise<void> {
  console.log(`$ ${command}\n\n${await cluster.shell(command)}`);
}
