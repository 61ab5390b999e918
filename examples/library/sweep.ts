// Ends the stuck pods of one namespace, among them those of an agent that needs a method of its own.
import { applySweep, defineMethod, defineProfile, planSweep, UsageError } from 'sidecar-sweeper';

/** The agent ends when it is told to drain. Whether it has ended is read from the pod afterwards. */
const drain = defineMethod({
  name: 'drain',
  does: 'tell the agent to drain',
  rbac: [{ apiGroups: [''], resources: ['pods/portforward'], verbs: ['get', 'create'] }],
  async send({ request }) {
    const answer = await request({
      method: 'POST',
      port: 15020,
      path: '/quitquitquit',
      headers: {},
      statuses: [],
    });
    switch (answer.kind) {
      case 'Answered':
        return answer.status < 300
          ? { kind: 'Accepted' }
          : { kind: 'Failed', message: `the agent answered ${answer.status}` };
      case 'Closed':
        return { kind: 'Unconfirmed', message: 'the agent closed the connection' };
      case 'NotListening':
        return { kind: 'Unsupported', message: answer.message };
      case 'NotThere':
      case 'Refused':
      case 'Undelivered':
      case 'Unconfirmed':
      case 'Busy':
        return { kind: answer.kind, message: answer.message };
    }
  },
});

const agent = defineProfile({
  name: 'acme-agent',
  containers: ['agent'],
  images: ['acme/agent'],
  steps: [drain.step({ grace: '10s', exitCode: 0 })],
  source: 'https://agent.acme.example/lifecycle',
});

const [namespace = 'default'] = process.argv.slice(2);
try {
  const plan = await planSweep({ policy: { namespaces: [namespace], minAge: '5m', profiles: [agent] } });
  for (const { name, containers } of plan.report.pods) {
    for (const container of containers) {
      if (container.role !== 'Sidecar') continue;
      console.log(`${name}: ${container.name}: ${container.steps.map(({ does }) => does).join(', then ')}`);
    }
  }
  const report = await applySweep(plan, {
    methods: [drain],
    stop: AbortSignal.timeout(8 * 60_000),
    onEvent(event) {
      if (event.kind === 'PodConcluded') console.log(`${event.pod.name}: ${event.outcome.kind}`);
    },
  });
  process.exitCode = report.pods.every(({ outcome }) => outcome.kind === 'Ended') ? 0 : 1;
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
