type Step<T, R> =
  | { readonly kind: 'Handed'; readonly value: T; readonly taken: () => void }
  | { readonly kind: 'Done'; readonly result: R };

/**
 * What a piece of work hands over, one after the other; the work goes on when the next one is asked for. The
 * work is to end soon after its signal aborts: then nobody wants more.
 */
export async function* handedOver<T, R>(
  work: (hand: (value: T) => Promise<void>, unwanted: AbortSignal) => Promise<R>,
): AsyncGenerator<T, R, void> {
  const unwanted = new AbortController();
  let announce: (step: Step<T, R>) => void = () => undefined;
  const announced = () =>
    new Promise<Step<T, R>>((resolve) => {
      announce = resolve;
    });
  let next = announced();
  const hand = (value: T) => new Promise<void>((taken) => announce({ kind: 'Handed', value, taken }));
  const done = work(hand, unwanted.signal).then((result): Step<T, R> => ({ kind: 'Done', result }));
  for (;;) {
    const step = await Promise.race([next, done]);
    if (step.kind === 'Done') return step.result;
    next = announced();
    let isMoreWanted = false;
    try {
      yield step.value;
      isMoreWanted = true;
    } finally {
      if (!isMoreWanted) unwanted.abort();
      step.taken();
    }
  }
}
