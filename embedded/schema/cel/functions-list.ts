import { EvaluationError } from '@marcbachmann/cel-js'
import type { Environment } from '@marcbachmann/cel-js'

type Ordered = bigint | number | string | boolean | Date

/** Kubernetes' list library: order, sums and positions. Lists of type set arrive as Set. */
export function registerListFunctions(env: Environment): void {
  env.registerFunction('list.isSorted(): bool', (list: Iterable<Ordered>) => {
    const items = [...list]
    return items.every((item, i) => i === 0 || !isLess(item, items[i - 1]))
  })
  env.registerFunction('list<int>.sum(): int', (list: Iterable<bigint>) =>
    [...list].reduce((sum, item) => sum + item, 0n),
  )
  env.registerFunction('list<double>.sum(): double', (list: Iterable<number>) =>
    [...list].reduce((sum, item) => sum + item, 0),
  )
  env.registerFunction('list<A>.min(): A', (list: Iterable<Ordered>) => extreme(list, 'min', isLess))
  env.registerFunction('list<A>.max(): A', (list: Iterable<Ordered>) => extreme(list, 'max', (a, b) => isLess(b, a)))
  env.registerFunction('list<A>.indexOf(A): int', (list: Iterable<unknown>, item: unknown) =>
    BigInt([...list].indexOf(item)),
  )
  env.registerFunction('list<A>.lastIndexOf(A): int', (list: Iterable<unknown>, item: unknown) =>
    BigInt([...list].lastIndexOf(item)),
  )
}

function isLess(a: Ordered, b: Ordered | undefined): boolean {
  return b !== undefined && a < b
}

function extreme(list: Iterable<Ordered>, name: string, isBetter: (a: Ordered, b: Ordered) => boolean): Ordered {
  const [first, ...rest] = list
  if (first === undefined) throw new EvaluationError(`${name} called on empty list`)
  return rest.reduce((best, item) => (isBetter(item, best) ? item : best), first)
}
