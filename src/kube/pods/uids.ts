const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const bytesOfUuid = 16;

/** Many uids in little memory: almost all are UUIDs, which are kept as the 16 bytes that they stand for. */
export class Uids {
  readonly #uuids: Buffer[] = [];
  readonly #others: string[] = [];

  get isEmpty(): boolean {
    return this.#uuids.length + this.#others.length === 0;
  }

  add(uids: readonly string[]): void {
    const digits: string[] = [];
    for (const uid of uids) {
      if (uuid.test(uid)) digits.push(uid.replaceAll('-', ''));
      else this.#others.push(uid);
    }
    if (digits.length > 0) this.#uuids.push(Buffer.from(digits.join(''), 'hex'));
  }

  *[Symbol.iterator](): Generator<string, void, void> {
    for (const bytes of this.#uuids) {
      for (let at = 0; at < bytes.length; at += bytesOfUuid)
        yield written(bytes.subarray(at, at + bytesOfUuid));
    }
    yield* this.#others;
  }
}

function written(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
