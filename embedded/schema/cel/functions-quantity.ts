import { EvaluationError } from '@marcbachmann/cel-js'
import type { Environment } from '@marcbachmann/cel-js'

/** Thousandths of a thousandth of a thousandth: the finest that Kubernetes keeps. */
const NANO = 1_000_000_000n

const SUFFIXES: Readonly<Record<string, readonly [factor: bigint, divisor: bigint]>> = {
  n: [1n, NANO],
  u: [1n, 1_000_000n],
  m: [1n, 1000n],
  '': [1n, 1n],
  k: [1000n, 1n],
  M: [1000n ** 2n, 1n],
  G: [1000n ** 3n, 1n],
  T: [1000n ** 4n, 1n],
  P: [1000n ** 5n, 1n],
  E: [1000n ** 6n, 1n],
  Ki: [1024n, 1n],
  Mi: [1024n ** 2n, 1n],
  Gi: [1024n ** 3n, 1n],
  Ti: [1024n ** 4n, 1n],
  Pi: [1024n ** 5n, 1n],
  Ei: [1024n ** 6n, 1n],
}

const QUANTITY = /^([+-]?)(\d*)(?:\.(\d*))?(?:([numkMGTPE]|[KMGTPE]i)?|[eE]([+-]?\d{1,3}))$/

/** A Kubernetes quantity (`100m`, `1.5Gi`, `2e3`) as a whole number of billionths, so that nothing is rounded. */
class Quantity {
  readonly nanos: bigint

  constructor(nanos: bigint) {
    this.nanos = nanos
  }
}

function findQuantity(text: string): Quantity | undefined {
  const parts = QUANTITY.exec(text)
  if (parts === null) return undefined
  const [, sign, whole = '', fraction = '', suffix = '', exponent = '0'] = parts
  const [factor, divisor] = SUFFIXES[suffix] ?? [1n, 1n]
  if (whole === '' && fraction === '') return undefined
  const power = BigInt(exponent)
  const scale = 10n ** (power < 0n ? 0n : power)
  const below = divisor * 10n ** BigInt(fraction.length) * 10n ** (power < 0n ? -power : 0n)
  const size = (BigInt(whole + fraction) * factor * scale * NANO) / below
  return new Quantity(sign === '-' ? -size : size)
}

function parseQuantity(text: string): Quantity {
  const quantity = findQuantity(text)
  if (quantity !== undefined) return quantity
  throw new EvaluationError(
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  )
}

/** Kubernetes' quantity library. */
export function registerQuantities(env: Environment): void {
  const type = 'kubernetes.Quantity'
  env.registerType(type, { ctor: Quantity })
  env.registerFunction('isQuantity(string): bool', (text: string) => findQuantity(text) !== undefined)
  env.registerFunction(`quantity(string): ${type}`, parseQuantity)
  env.registerFunction(`${type}.isLessThan(${type}): bool`, (a: Quantity, b: Quantity) => a.nanos < b.nanos)
  env.registerFunction(`${type}.isGreaterThan(${type}): bool`, (a: Quantity, b: Quantity) => a.nanos > b.nanos)
  env.registerFunction(`${type}.compareTo(${type}): int`, (a: Quantity, b: Quantity) => BigInt(compare(a, b)))
  env.registerFunction(`sign(${type}): int`, (a: Quantity) => BigInt(compare(a, new Quantity(0n))))
  env.registerFunction(`${type}.isInteger(): bool`, (a: Quantity) => a.nanos % NANO === 0n)
  env.registerFunction(`${type}.asInteger(): int`, (a: Quantity) => {
    if (a.nanos % NANO !== 0n) throw new EvaluationError('cannot convert value to integer')
    return a.nanos / NANO
  })
  env.registerFunction(`${type}.asApproximateFloat(): double`, (a: Quantity) => Number(a.nanos) / Number(NANO))
  env.registerFunction(`${type}.add(${type}): ${type}`, (a: Quantity, b: Quantity) => new Quantity(a.nanos + b.nanos))
  env.registerFunction(`${type}.sub(${type}): ${type}`, (a: Quantity, b: Quantity) => new Quantity(a.nanos - b.nanos))
  env.registerOperator(`${type} == ${type}`, (a: Quantity, b: Quantity) => a.nanos === b.nanos)
}

function compare(a: Quantity, b: Quantity): number {
  return a.nanos === b.nanos ? 0 : a.nanos < b.nanos ? -1 : 1
}
