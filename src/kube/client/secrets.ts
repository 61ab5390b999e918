/** How many are remembered: tokens are renewed while a sweep lasts. */
const most = 16;
/** To redact a shorter password would take ordinary words out of messages. */
const shortest = 6;

/** Takes what was sent to prove who we are out of the texts that servers, proxies and plugins answer with. */
export class Secrets {
  readonly #known = new Set<string>();
  #lastHeaders: object | undefined;

  /** Learns what the Authorization header of a request proves it with. */
  learnHeaders(headers: Readonly<Record<string, string | string[]>>): void {
    // Consecutive requests pass the same object.
    if (headers === this.#lastHeaders) return;
    for (const [name, value] of Object.entries(headers)) {
      const [, scheme = '', proof = ''] = /^(\S+)\s+(.*)$/s.exec(String(value)) ?? [];
      if (name.toLowerCase() !== 'authorization') continue;
      if (scheme.toLowerCase() === 'basic') {
        this.learn(
          Buffer.from(proof, 'base64')
            .toString('utf8')
            .replace(/^[^:]*:/, ''),
        );
      }
      this.learn(proof);
    }
    this.#lastHeaders = headers;
  }

  /** Learns the password in a URL. */
  learnUrl(url: string | undefined): void {
    const password = url !== undefined && URL.canParse(url) ? new URL(url).password : '';
    this.learn(password);
    this.learn(decodeURIComponent(password));
  }

  readonly redact = (text: string): string => {
    let redacted = text;
    for (const secret of this.#known) redacted = redacted.replaceAll(secret, '[redacted]');
    return redacted;
  };

  /** Learns what proves who we are. */
  readonly learn = (secret: string): void => {
    if (secret.length < shortest) return;
    // Others may take the place of what was learned before.
    this.#lastHeaders = undefined;
    // As it is, and as it stands in JSON and in a URL.
    for (const form of [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]) {
      this.#known.delete(form);
      this.#known.add(form);
    }
    for (const oldest of [...this.#known].slice(0, -most)) this.#known.delete(oldest);
  };
}
