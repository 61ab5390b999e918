import { setTimeout as sleep } from 'node:timers/promises';
import { ApiException, type CoreV1Api } from '@kubernetes/client-node';

/** A namespace that exists while the work is done, and is removed after it: on Ctrl-C, too. */
export async function withOwnNamespace<T>(core: CoreV1Api, name: string, work: () => Promise<T>): Promise<T> {
  const creation = core.createNamespace({ body: { metadata: { name } } });
  let removal: Promise<unknown> | undefined;
  const remove = () => {
    removal ??= creation.then(() => core.deleteNamespace({ name }));
    return removal;
  };
  const stop = () => void remove().finally(() => process.exit(130));
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.on(signal, stop);
  try {
    await creation.catch((error: unknown) => {
      // One that was there before is not ours to remove.
      const exists = error instanceof ApiException && error.code === 409;
      throw exists ? new Error(`the namespace ${name} exists already`) : error;
    });
    const result = await work().finally(remove);
    await untilGone(core, name);
    return result;
  } finally {
    for (const signal of signals) process.off(signal, stop);
  }
}

/** The next part may want the name. */
async function untilGone(core: CoreV1Api, name: string): Promise<void> {
  const isThere = async () => {
    const { items } = await core.listNamespace({ fieldSelector: `metadata.name=${name}` });
    return items.length > 0;
  };
  while (await isThere()) await sleep(500);
}
