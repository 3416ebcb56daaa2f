/** Suggests the known word that an unknown word most likely stands for. */

/**
 * The known word that needs the fewest changes of one letter (inserted, left out, replaced, or two neighbours swapped);
 * undefined when even that one needs changes to more than a third of its letters.
 */
export function suggest(typed: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((word) => ({ word, changes: changesBetween(typed, word) }))
    .filter(({ word, changes }) => changes <= Math.max(1, Math.floor(word.length / 3)))
    .toSorted((a, b) => a.changes - b.changes)
  return best?.word
}

/** Optimal string alignment distance: that of Damerau and Levenshtein, but no letter is changed twice. */
function changesBetween(a: string, b: string): number {
  let [before, row]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, j) => j)]
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      const isSwap = j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      next[j] = Math.min(
        at(row, j) + 1,
        at(next, j - 1) + 1,
        at(row, j - 1) + (isSame ? 0 : 1),
        isSwap ? at(before, j - 2) + 1 : Infinity,
      )
    }
    ;[before, row] = [row, next]
  }
  return at(row, b.length)
}

function at(row: readonly number[], j: number): number {
  return row[j] ?? Infinity
}
