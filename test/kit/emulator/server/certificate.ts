import { generate } from 'selfsigned';
import { apiServiceIP } from '../world/in-cluster.ts';

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** Creates a self-signed certificate for the loopback address that is valid for a day. */
export async function createCertificate(): Promise<Certificate> {
  const now = Date.now();
  const day = 24 * 60 * 60 * 1000;
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'kube-apiserver' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    // A test's clock may lag behind by minutes; clients use their own.
    notBeforeDate: new Date(now - day),
    notAfterDate: new Date(now + day),
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', digitalSignature: true, keyCertSign: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 2, value: 'kubernetes.default.svc' },
          { type: 7, ip: '127.0.0.1' },
          { type: 7, ip: apiServiceIP },
        ],
      },
    ],
  });
  return { key, cert };
}
