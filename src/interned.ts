/** In characters. The workloads that have stuck pods at one time are few. */
const mostRemembered = 256 * 1024;

/**
 * Gives equal values the same memory. Thousands of stuck pods come from a few workloads and differ in little but names, times and
 * ids; kept one by one, they take twice as much, all of which the garbage collector looks through again and again.
 */
export class Interned<T extends string | object> {
  readonly #known = new Map<string, T>();
  #remembered = 0;

  /** An equal value that was given before, or this one, which then is not to be changed any more. Values are equal if their JSON is. */
  of(value: T): T {
    const key = typeof value === 'string' ? value : JSON.stringify(value);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.#remembered + key.length > mostRemembered) this.#forget();
    this.#known.set(key, value);
    this.#remembered += key.length;
    return value;
  }

  /** What was given stays good; later values are shared among themselves. */
  #forget(): void {
    this.#known.clear();
    this.#remembered = 0;
  }
}
