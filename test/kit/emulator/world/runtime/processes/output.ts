/** A container's output and its listeners. */
export class Output {
  readonly #chunks: Buffer[] = [];
  readonly #listeners = new Set<(chunk: Buffer) => void>();

  readonly write = (chunk: Buffer): void => {
    this.#chunks.push(chunk);
    for (const listener of [...this.#listeners]) listener(chunk);
  };

  text(): string {
    return Buffer.concat(this.#chunks).toString();
  }

  follow(listener: (chunk: Buffer) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
