/** What takes longest, and is run by `npm run test:slow` so that `npm test` is over in a few minutes. */
export const slow: readonly string[] = [
  'test/integration/changes/method.test.ts',
  'test/integration/connection/kubectl.test.ts',
  'test/integration/finished-jobs/finished-jobs.test.ts',
  'test/integration/guard/random-sweeps.test.ts',
  'test/integration/hostile/one-tenant.test.ts',
  'test/integration/list/heap-limit.test.ts',
  'test/integration/manifests/in-cluster.test.ts',
  'test/integration/manifests/least-privilege.test.ts',
  'test/integration/monitoring/monitoring.test.ts',
  'test/integration/sweep/lock-side-by-side.test.ts',
  'test/integration/sweep/one-pods-fault.test.ts',
  'test/integration/sweep/stuttering-jobs.test.ts',
  'test/integration/sweep/stuttering-server.test.ts',
  'test/size/stubborn.test.ts',
  'test/unit/judge/judge.property.test.ts',
  'test/unit/judge/naive/naive.test.ts',
];
