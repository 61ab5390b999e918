import type { Emulator, Pod } from '../../emulator/index.ts';

/** Remembers when the pods of a namespace showed that their containers had ended. */
export class Ends {
  readonly #shownAt = new Map<string, number>();
  readonly leave: () => void;

  constructor(
    private readonly emulator: Emulator,
    namespace: string,
  ) {
    this.leave = emulator.world.store.subscribe(({ resource, object }) => {
      if (resource === 'pods' && object.metadata.namespace === namespace) this.#see(object as Pod);
    });
  }

  /** Whether an instance of the container was shown to have ended in this time. */
  hasAny(uid: string, container: string, from: number, to: number): boolean {
    return [...this.#shownAt].some(
      ([key, at]) => key.startsWith(`${uid} ${container} `) && from < at && at <= to,
    );
  }

  #see({ metadata, status }: Pod): void {
    for (const { name, state, lastState } of status.containerStatuses ?? []) {
      for (const end of [state.terminated, lastState.terminated]) {
        const key = `${metadata.uid} ${name} ${end?.containerID}`;
        if (end && !this.#shownAt.has(key)) this.#shownAt.set(key, this.emulator.clock.now().getTime());
      }
    }
  }
}
