/** Amounts of resources as Kubernetes writes them (Kubernetes, "Quantity"). */

const QUANTITY = /^([+-]?\d+(?:\.\d*)?|[+-]?\.\d+)([a-zA-Z]{0,2}|[eE][+-]?\d+)$/

const FACTORS: Readonly<Record<string, number>> = {
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
}

/** The number that an amount such as `500m`, `4Gi` or `2` stands for, good enough to compare; undefined for any other text. */
export function parseQuantity(text: string): number | undefined {
  const [, amount = '', suffix = ''] = QUANTITY.exec(text) ?? []
  if (amount === '') return undefined
  if (/\d/.test(suffix)) return Number(amount + suffix)
  const factor = FACTORS[suffix]
  return factor === undefined ? undefined : Number(amount) * factor
}
