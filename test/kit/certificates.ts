import { generate } from 'selfsigned';

export interface Pair {
  readonly cert: string;
  readonly key: string;
}

export const day = 24 * 60 * 60 * 1_000;

interface Wanted {
  /** From when and until when it is valid, in milliseconds from now on. */
  readonly from?: number;
  readonly until?: number;
  /** It vouches for itself without one. */
  readonly signer?: Pair;
  readonly isAuthority?: boolean;
  /** What it is for besides its own name. */
  readonly names?: readonly string[];
  readonly addresses?: readonly string[];
}

/** A certificate of this name: a client's, or that of a server with this name. */
export async function createPair(
  name: string,
  {
    from = -day,
    until = day,
    signer,
    isAuthority = true,
    names = [],
    addresses = ['127.0.0.1'],
  }: Wanted = {},
): Promise<Pair> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(Date.now() + from),
    notAfterDate: new Date(Date.now() + until),
    extensions: [
      { name: 'basicConstraints', cA: isAuthority, critical: true },
      { name: 'keyUsage', digitalSignature: true, keyCertSign: isAuthority, critical: true },
      { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          ...[name, ...names].map((value) => ({ type: 2 as const, value })),
          ...addresses.map((ip) => ({ type: 7 as const, ip })),
        ],
      },
    ],
    ...(signer && { ca: signer }),
  });
  return { cert, key };
}
