/** The sum of a number of each item; those that have none count as 0. */
export function sumOf<T>(items: readonly T[], valueOf: (item: T) => number | undefined): number {
  return items.reduce((total, item) => total + (valueOf(item) ?? 0), 0)
}
