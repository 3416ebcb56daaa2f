/** The project that says what becomes of accepted work: pure. */
import type { AcceptingProject } from '../../core/sentences/accept.ts'

/** The project whose rule decides what Accept does. */
export type ProjectOf =
  { readonly isKnown: true; readonly project: AcceptingProject } | { readonly isKnown: false; readonly problem: string }

/** The same with what reads it again. */
export type ReadProjectOf = ProjectOf & { readonly readAgain: () => void }

/**
 * Says which project decides, or why that is not known: what Accept does is never guessed.
 *
 * @param id of the project; undefined where there is none
 * @param reading the record: undefined while it is not read, null where there is none of this id
 */
export function projectOf(
  id: string | undefined,
  {
    data,
    error,
  }: {
    readonly data: AcceptingProject | null | undefined
    readonly error: Error | null
  },
): ProjectOf {
  if (id === undefined) return { isKnown: true, project: 'none' }
  // Without its record nothing is delivered (docs/delivery.md).
  if (data !== undefined) return { isKnown: true, project: data ?? 'none' }
  const why =
    error === null ? `the project ${id} is being read` : `the project ${id} could not be read (${error.message})`
  return { isKnown: false, problem: `What Accept does is not known: ${why}.` }
}
