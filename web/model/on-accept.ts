/** What becomes of accepted work, in words: pure. Source: docs/delivery.md. */
import type { Project } from '../../core/rest/client/client.ts'
import type { OnAcceptWord } from '../../core/rest/enum-values.ts'
import type { AcceptEffect, AcceptingProject } from '../../core/task/on-accept.ts'
import { DELIVERY_DOES, sumEffects } from '../../core/task/on-accept.ts'

/** What a project can do with accepted work. */
const WORDS: Readonly<Record<OnAcceptWord, { readonly label: string; readonly detail: string }>> = {
  none: { label: 'Leave it on its branch', detail: 'You merge it yourself.' },
  merge: {
    label: 'Merge it',
    detail:
      'As a fast-forward or else with a merge commit. What cannot be merged is ready for review again and says why.',
  },
  pull_request: {
    label: 'Open a pull request',
    detail: 'At the host of the repository, with the token of the project’s Secret.',
  },
}

const ORDER = ['none', 'merge', 'pull_request'] as const satisfies readonly OnAcceptWord[]

/** The choices of a project, each with what Accept then does. */
export const ON_ACCEPT_CHOICES: readonly {
  readonly value: OnAcceptWord
  readonly label: string
  readonly consequence: string
}[] = ORDER.map((value) => {
  const { label, detail } = WORDS[value]
  return { value, label, consequence: `Accept ${DELIVERY_DOES[value]('its branch')}. ${detail}` }
})

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
    readonly data: Pick<Project, 'on_accept' | 'default_branch'> | null | undefined
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

/** As a sentence. */
export function acceptSentence({ words }: AcceptEffect): string {
  return `Accept ${words}.`
}

/**
 * What is asked before work is accepted that nobody has looked at.
 *
 * @param effects undefined while the projects are not read
 */
export function acceptQuestion(count: number, effects: readonly AcceptEffect[] | undefined): string {
  const does = effects === undefined ? 'does what their projects say' : sumEffects(effects)
  return `Accept ${count} without a look at each? It ${does}.`
}
