/** To redact a shorter password would take ordinary words out of messages. */
const shortest = 6;

/** Takes what was sent to prove who we are out of the texts that servers, proxies and plugins answer with. */
export class Secrets {
  readonly #known = new Set<string>();

  learnHeaders({ authorization = '' }: Readonly<Record<string, string | string[]>>): void {
    const [, scheme = '', proof = ''] = /^(\S+)\s+(.*)$/s.exec(String(authorization)) ?? [];
    if (scheme === 'Basic')
      this.learn(
        Buffer.from(proof, 'base64')
          .toString()
          .replace(/^[^:]*:/, ''),
      );
    this.learn(proof);
  }

  learnUrl(url: URL | undefined): void {
    if (!url) return;
    this.learn(url.password);
    this.learn(decodeURIComponent(url.password));
  }

  readonly redact = (text: string): string => {
    // One may be part of another.
    const longestFirst = [...this.#known].sort((a, b) => b.length - a.length);
    return longestFirst.reduce((redacted, secret) => redacted.replaceAll(secret, '[redacted]'), text);
  };

  readonly learn = (secret: string): void => {
    if (secret.length < shortest) return;
    // As it is, and as it stands in JSON and in a URL.
    for (const form of [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])
      this.#known.add(form);
  };
}
