type Step<T, R> =
  | { readonly kind: 'Handed'; readonly value: T; readonly taken: () => void }
  | { readonly kind: 'Done'; readonly result: R };

/**
 * What a piece of work hands over, one after the other; the work goes on when the next one is asked for. The
 * work is to end soon after its signal aborts: then no more values are read.
 */
export async function* handedOver<T, R>(
  work: (hand: (value: T) => Promise<void>, unwanted: AbortSignal) => Promise<R>,
): AsyncGenerator<T, R, void> {
  const unwanted = new AbortController();
  let announce: (step: Step<T, R>) => void = () => undefined;
  let fail: (error: unknown) => void = () => undefined;
  const announced = () => {
    const next = new Promise<Step<T, R>>((resolve, reject) => {
      announce = resolve;
      fail = reject;
    });
    // A consumer that has stopped reading does not hear of an error either.
    next.catch(() => undefined);
    return next;
  };
  let next = announced();
  const hand = (value: T) => new Promise<void>((taken) => announce({ kind: 'Handed', value, taken }));
  // A race of each step with the end of the work would keep every step until then.
  void work(hand, unwanted.signal).then(
    (result) => announce({ kind: 'Done', result }),
    (error: unknown) => fail(error),
  );
  for (;;) {
    const step = await next;
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
