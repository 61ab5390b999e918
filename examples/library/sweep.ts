// Ends the stuck pods of one namespace, among them those of an agent that only this program knows.
import { type Profile, sweep, UsageError } from 'sidecar-sweeper';

/** The agent ends when its own endpoint is asked to. Whether it has ended is read from the pod afterwards. */
const agent: Profile = {
  name: 'acme-agent',
  containers: ['agent'],
  images: ['acme/agent'],
  steps: [{ http: { port: 15020, path: '/quitquitquit' }, grace: '10s', exitCode: 0 }],
  source: 'https://agent.acme.example/lifecycle',
};

const [namespace = 'default'] = process.argv.slice(2);
try {
  const report = await sweep({
    policy: { namespaces: [namespace], minAge: '5m', profiles: [agent] },
    stop: AbortSignal.timeout(8 * 60_000),
    confirm(plan) {
      for (const { name, containers } of plan.pods) {
        for (const container of containers) {
          if (container.role !== 'Sidecar') continue;
          console.log(
            `${name}: ${container.name}: ${container.steps.map(({ does }) => does).join(', then ')}`,
          );
        }
      }
      return true;
    },
  });
  for (const { name, outcome } of report.pods) console.log(`${name}: ${outcome.kind}`);
  process.exitCode = report.pods.every(({ outcome }) => outcome.kind === 'Ended') ? 0 : 1;
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
