const suffixes: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/**
 * Reads a quantity of Kubernetes (`250m`, `1.5`, `64Mi`, `1e3`) as a number; 0 for anything else.
 * https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/
 */
export function parseQuantity(value: unknown): number {
  // The API writes quantities as strings; older objects may have plain numbers.
  if (typeof value !== 'string' && typeof value !== 'number') return 0;
  const [, number, suffix] =
    /^(\d+(?:\.\d*)?(?:[eE][+-]?\d{1,2})?)([A-Za-z]{0,2})$/.exec(String(value)) ?? [];
  const factor = suffix !== undefined && Object.hasOwn(suffixes, suffix) ? suffixes[suffix] : undefined;
  return number === undefined || factor === undefined ? 0 : Number(number) * factor;
}
