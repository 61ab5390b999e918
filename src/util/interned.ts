/** In characters. Few workloads have stuck pods at a time. */
const capacity = 256 * 1024;
/** Longer values are rare, and would displace too many others. */
const longest = 16 * 1024;

/** Thousands of stuck pods come from a few workloads: without sharing, they take twice the memory, which is scanned again and again. */
export class Interned<T extends string | object> {
  readonly #known = new Map<string, T>();
  #size = 0;

  /** An earlier equal value, or this one, which must not change afterwards. Values with the same JSON are equal. */
  of(value: T): T {
    const key = typeof value === 'string' ? value : JSON.stringify(value);
    if (key.length > longest) return value;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.#size + key.length > capacity) {
      this.#known.clear();
      this.#size = 0;
    }
    this.#known.set(key, value);
    this.#size += key.length;
    return value;
  }
}
