/** In characters. Few workloads have stuck pods at a time. */
const mostRemembered = 256 * 1024;
/** What is longer is rare, and would take the place of too much else. */
const longest = 16 * 1024;

/**
 * Gives equal values the same memory. Thousands of stuck pods come from a few workloads and differ in little
 * but names, times and ids; kept one by one, they take twice as much, all of which the garbage collector
 * looks through again and again.
 */
export class Interned<T extends string | object> {
  readonly #known = new Map<string, T>();
  #remembered = 0;

  /** An earlier equal value, or this one, which must not change afterwards. Values with the same JSON are equal. */
  of(value: T): T {
    const key = typeof value === 'string' ? value : JSON.stringify(value);
    if (key.length > longest) return value;
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
