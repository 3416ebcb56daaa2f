/** The diff of an execution, as far as the page has it. */
import type { GitDiff } from './git-diff.ts'

export interface LoadedDiff {
  readonly diff: GitDiff
  /** Where the whole of it can be downloaded. */
  readonly address: string
  /** The whole diff's size. */
  readonly sizeBytes: number
  /** The server has more than was read. */
  readonly isPartial: boolean
  /** Paths of files that are shown before the others. */
  readonly first?: readonly string[]
  /** What a reader must know of it beside that. */
  readonly note?: string
}

/** `absent`: there is none (yet). */
export type DiffState =
  | { readonly kind: 'loading' | 'absent' }
  | { readonly kind: 'failed'; readonly error: Error; readonly retry: () => void }
  | ({ readonly kind: 'loaded' } & LoadedDiff)

/** The same with these files before the others. */
export function withFirst(state: DiffState, first: readonly string[] | undefined): DiffState {
  return state.kind === 'loaded' && first !== undefined ? { ...state, first } : state
}
