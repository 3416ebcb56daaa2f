/**
 * The rule of four eyes: who authored work may not accept it. Only a decision whose author and decider are both known
 * for certain passes, so whatever hides one of them refuses it.
 *
 * Source: docs/specification.md §4.33.
 */
import type { Story, Task } from './crd/types.ts'
import { KEPT_OF_LONG_NAME, MAX_NAME_LENGTH, UNPROVEN_NAMES } from './decision.ts'
import type { ApiError } from './errors.ts'
import { apiError } from './errors.ts'
import { ANNOTATIONS } from './names.ts'

/** Why a person may not accept a task, were four eyes asked for; undefined when they may. */
export function findOwnTaskRefusal(task: Task, by: string): ApiError | undefined {
  return findRefusal('task', [task], by)
}

/**
 * The same of a story, which is its authors' and those of all tasks whose work it delivers.
 *
 * @param tasks the story's; those that are CANCELLED do not count
 */
export function findOwnStoryRefusal(story: Story, tasks: readonly Task[], by: string): ApiError | undefined {
  return findRefusal('story', [story, ...tasks.filter(({ status }) => status?.state !== 'CANCELLED')], by)
}

/** The annotations of an object that somebody has just made or changed. */
export function authoredBy(author: string): Readonly<Record<string, string>> {
  return { [ANNOTATIONS.author]: author }
}

function findRefusal(kind: 'task' | 'story', works: readonly (Task | Story)[], by: string): ApiError | undefined {
  if (UNPROVEN_NAMES.includes(by)) return apiError('second_person_needed', kind, `${by} is nobody's own name; ${NAMED}`)
  const own = works.find((work) => isSamePerson(authorOf(work), by))
  if (own !== undefined)
    return apiError('second_person_needed', kind, `${by} authored ${nameOf(own)}; have somebody else accept it`)
  const unknown = works.find((work) => UNPROVEN_NAMES.includes(authorOf(work)))
  if (unknown === undefined) return undefined
  return apiError('second_person_needed', kind, `nobody is known to have authored ${nameOf(unknown)}; ${CLAIMED}`)
}

const NAMED = 'use a token of your own, or add slipway.dev/by'
const CLAIMED = 'have somebody edit it under a name of their own, and somebody else accept it'

/** Empty where nobody has written one: of an object from before the rule, or where nothing asks for one. */
function authorOf({ metadata }: Task | Story): string {
  return metadata.annotations?.[ANNOTATIONS.author] ?? ''
}

function nameOf({ kind, metadata }: Task | Story): string {
  return `${kind === 'Story' ? 'story' : 'task'} ${metadata.name}`
}

/** A decision may hold a long name cut; then who begins alike counts as the same. */
function isSamePerson(author: string, by: string): boolean {
  const isCut = by.length === MAX_NAME_LENGTH && author.length > MAX_NAME_LENGTH
  return author === by || (isCut && author.startsWith(by.slice(0, KEPT_OF_LONG_NAME)))
}
