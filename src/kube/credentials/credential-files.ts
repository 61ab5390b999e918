import { createSecureContext } from 'node:tls';
import type { Millis } from '../../duration.ts';
import type { Clock } from '../../ports.ts';
import type { Connection, Source } from '../kubeconfig/connection.ts';
import { readSource } from './source.ts';

/** What the kubeconfig says itself or by way of files. */
export interface Contents {
  readonly ca: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
  readonly token: string | undefined;
}

/** How long files are not read again: short, because a rotated credential must be used before the old one ends. */
const fresh: Millis = 10_000;

/** The files of a connection, read again and again. */
export class CredentialFiles {
  #last: { readonly contents: Contents; readonly readAt: Millis } | undefined;

  constructor(
    private readonly connection: Connection,
    private readonly clock: Clock,
  ) {}

  /** Rejects if they cannot be used; but while they are being replaced, their last contents are. */
  async read(): Promise<Contents> {
    const last = this.#last;
    const now = this.clock.now();
    if (last && now < last.readAt + fresh) return last.contents;
    try {
      const contents = await readAll(this.connection);
      // Throws if the certificate has been replaced, and its key has not been yet.
      if (contents.cert !== last?.contents.cert || contents.key !== last?.contents.key)
        createSecureContext(contents);
      this.#last = { contents, readAt: now };
      return contents;
    } catch (error) {
      if (last) return last.contents;
      throw error;
    }
  }

  /** The server has refused them, so they may have changed. */
  forget(): void {
    if (this.#last) this.#last = { ...this.#last, readAt: Number.NEGATIVE_INFINITY };
  }
}

async function readAll({ tls, user }: Connection): Promise<Contents> {
  const [ca, cert, key, token] = await Promise.all(
    [tls.ca, user.certificate?.cert, user.certificate?.key, user.token].map(readSource),
  );
  return { ca, cert, key, token: user.token?.kind === 'File' ? trimmed(token, user.token) : token };
}

function trimmed(token: string | undefined, { path }: Extract<Source, { readonly kind: 'File' }>): string {
  const text = token?.trim();
  if (!text) throw new Error(`the token file ${path} is empty`);
  return text;
}
