/**
 * The rule of four eyes: who authored work may not accept it. Only a decision whose author and decider are both known
 * for certain passes, so whatever hides one of them refuses it.
 *
 * Source: docs/specification.md §4.33.
 */
import type { Story, Task } from './crd/types.ts'
import { KEPT_OF_LONG_NAME, MAX_DECISIONS, MAX_NAME_LENGTH, UNPROVEN_NAMES } from './decision.ts'
import { type ApiError, apiError } from './errors.ts'
import { MAX_SENDERS } from './task/messaged-by.ts'
import { MAX_PEOPLE } from './task/by-hand.ts'
import { isDeliveryStuck } from './task/delivery.ts'
import { ANNOTATIONS } from './names.ts'
import { isSame } from './json.ts'
import { clip } from './text.ts'

/**
 * Why a person may not accept a task, were four eyes asked for; undefined when they may. Where the delivery of its story is
 * stuck, an accept delivers all that the story's branch has: then the story's authors may not.
 */
export function findOwnTaskRefusal(task: Task, by: string, story?: Story): ApiError | undefined {
  const { delivery } = task.status ?? {}
  const isOfStory = story !== undefined && delivery !== undefined && isDeliveryStuck(delivery)
  return findRefusal('task', isOfStory ? [story, task] : [task], by)
}

/**
 * The same of a story, which is its authors' and those of all tasks whose work it delivers.
 *
 * @param tasks the story's; those that are CANCELLED do not count
 */
export function findOwnStoryRefusal(story: Story, tasks: readonly Task[], by: string): ApiError | undefined {
  return findRefusal('story', [story, ...tasks.filter(({ status }) => status?.state !== 'CANCELLED')], by)
}

/** Those of earlier work on a story's branch, and of the work of these tasks: as many as its status holds. */
export function findWorkAuthors({ status }: Story, tasks: readonly Task[]): string[] {
  const names = tasks.flatMap((task) => [...authorsOf(task), ...advisersOf(task)]).filter(isProven)
  return [...new Set([...(status?.authors ?? []), ...names.map((name) => clip(name, MAX_NAME_LENGTH))])].slice(0, 200)
}

/** Fields of a spec that say when work is done, and not what: a change of them makes nobody its author. */
export const NOT_AUTHORED: readonly string[] = ['priority', 'runPolicy', 'suspend']

/** Whether a change of a spec changes what is asked for. */
export function changesWork(before: object, after: object): boolean {
  const asked = (spec: object): object =>
    Object.fromEntries(Object.entries(spec).filter(([name]) => !NOT_AUTHORED.includes(name)))
  return !isSame(asked(before), asked(after))
}

/**
 * The annotations of an object that somebody has just made or changed: nobody who authored it before is forgotten.
 *
 * @param before its annotations until then; absent: it is new
 */
export function authoredBy(
  author: string,
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const names = [...new Set([...namesIn(before).filter(isProven), author])]
  return { [ANNOTATIONS.author]: author, ...(names.length > 1 && { [ANNOTATIONS.authors]: names.join('\n') }) }
}

function findRefusal(kind: 'task' | 'story', works: readonly (Task | Story)[], by: string): ApiError | undefined {
  if (UNPROVEN_NAMES.includes(by)) return apiError('second_person_needed', kind, `${by} is nobody's own name; ${NAMED}`)
  const own = works.find((work) => authorsOf(work).some((author) => isSamePerson(author, by)))
  if (own !== undefined)
    return apiError('second_person_needed', kind, `${by} authored ${nameOf(own)}; have somebody else accept it`)
  const advised = works.find((work) => advisersOf(work).some((adviser) => isSamePerson(adviser, by)))
  if (advised !== undefined)
    return apiError('second_person_needed', kind, `${by} told the agent of ${nameOf(advised)} what to do; ${ADVISED}`)
  const unknown = works.find((work) => !authorsOf(work).every(isProven))
  if (unknown !== undefined)
    return apiError('second_person_needed', kind, `nobody is known to have authored ${nameOf(unknown)}; ${CLAIMED}`)
  const unsigned = works.find((work) => !advisersOf(work).every(isProven))
  if (unsigned === undefined) return undefined
  return apiError(
    'second_person_needed',
    kind,
    `nobody is known to have told the agent of ${nameOf(unsigned)} what to do; ${REMADE}`,
  )
}

const NAMED = 'use a token of your own, or add slipway.dev/by'
const ADVISED = 'a comment of a reject, an answer and a message are instructions; have somebody accept it who gave none'
const REMADE = 'make another task of it, whose rejects, answers and messages have names'
const CLAIMED = 'have somebody edit it under a name of their own, and somebody else accept it'

/** One empty name where nobody has written one: of an object from before the rule, or where nothing asks for one. */
function authorsOf(work: Task | Story): string[] {
  const names = namesIn(work.metadata.annotations ?? {})
  const ofWork = work.kind === 'Story' ? (work.status?.authors ?? []) : handedBackBy(work)
  return names.length === 0 ? ['', ...ofWork] : [...names, ...ofWork]
}

/** With one empty name where some may be forgotten. */
function handedBackBy({ status }: Task): readonly string[] {
  const people = status?.handedBackBy ?? []
  return people.length < MAX_PEOPLE ? people : [...people, '']
}

function namesIn(annotations: Readonly<Record<string, string>>): string[] {
  const { [ANNOTATIONS.author]: author = '', [ANNOTATIONS.authors]: authors = '' } = annotations
  return [author, ...authors.split('\n')].filter((name) => name !== '')
}

/** Who gave the agent instructions: by the comment of a reject, an answer, a message while it worked. Only tasks have such. */
function advisersOf(work: Task | Story): string[] {
  if (work.kind !== 'Task') return []
  const { decisions = [], messagedBy = [] } = work.status ?? {}
  const said = decisions.filter(
    ({ action, comment }) => action === 'answer' || (action === 'reject' && comment !== undefined),
  )
  // Beyond its limits a task forgets the oldest.
  const forgotten = decisions.length < MAX_DECISIONS && messagedBy.length < MAX_SENDERS ? [] : ['']
  return [...said.map(({ by = '' }) => by), ...messagedBy, ...forgotten]
}

function isProven(name: string): boolean {
  return !UNPROVEN_NAMES.includes(name)
}

function nameOf({ kind, metadata }: Task | Story): string {
  return `${kind === 'Story' ? 'story' : 'task'} ${metadata.name}`
}

/** A decision may hold a long name cut; then who begins alike counts as the same. */
function isSamePerson(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  const isCut = short.length === MAX_NAME_LENGTH && long.length > MAX_NAME_LENGTH
  return one === other || (isCut && long.startsWith(short.slice(0, KEPT_OF_LONG_NAME)))
}
