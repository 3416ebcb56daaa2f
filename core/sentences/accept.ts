/**
 * What accepting work does, and how its delivery stands: for whatever offers an accept or reports one. By what
 * decideTask makes of it, and the operator of that (specification §4.10, §4.26).
 */
import { countOf } from './amounts.ts'
import type { OnAcceptWord } from '../enum-values.ts'
import { shortCommit } from '../text.ts'

/** What of a project decides; `none` where a task or a story has no project. */
export type AcceptingProject = ProjectFacts | 'none'

interface ProjectFacts {
  readonly on_accept?: OnAcceptWord | undefined
  readonly default_branch?: string | undefined
}

interface DeliveryFacts {
  readonly kind: Exclude<OnAcceptWord, 'none'>
  readonly state: keyof (typeof DELIVERY_LABELS)['merge']
  /** The commit that was reviewed. */
  readonly reviewed?: string | undefined
}

interface DeliveryEnd {
  readonly url?: string | undefined
  readonly commit?: string | undefined
  readonly message?: string | undefined
  readonly retry_at?: string | undefined
}

interface TaskFacts {
  readonly branch?: string | undefined
  readonly base_branch?: string | undefined
  readonly delivery?: DeliveryFacts | undefined
  readonly story_id?: string | undefined
}

/** What an accept does: the end of a sentence that begins with "Accept" or "Slipway". */
export interface AcceptEffect {
  /** `nothing`: the work stays where it is, and is not to be merged by hand yet. */
  readonly kind: OnAcceptWord | 'nothing'
  readonly words: string
}

const DEFAULT_BRANCH = 'the default branch'

/** What each way of delivery does with a branch and the one that it goes to. */
export const DELIVERY_DOES: Readonly<Record<OnAcceptWord, (branch: string, base?: string) => string>> = {
  none: (branch) => `leaves the work on ${branch}; nothing is merged`,
  merge: (branch, base = DEFAULT_BRANCH) => `merges ${branch} into ${base}`,
  pull_request: (branch, base = DEFAULT_BRANCH) => `opens a pull request of ${branch} to ${base}`,
}

/**
 * What accepting a task does. A story's task is delivered with its story; only what could not be delivered then is
 * delivered by accepting the task that says so.
 */
export function acceptEffect(task: TaskFacts, project: AcceptingProject): AcceptEffect {
  const { branch, delivery, story_id } = task
  if (branch === undefined) return { kind: 'nothing', words: 'ends the task; it has no branch' }
  if (story_id !== undefined && stuckLabel(delivery) === undefined) {
    const until = delivery === undefined ? 'nothing is merged before the story is accepted' : 'it went with the story'
    return { kind: 'nothing', words: `leaves the work on ${branch}; ${until}` }
  }
  const effect = effectOf(branch, project, story_id === undefined ? task.base_branch : undefined)
  const commit = delivery?.state === 'moved' && effect.kind !== 'none' ? delivery.reviewed : undefined
  return commit === undefined ? effect : { ...effect, words: `${effect.words}, at commit ${shortCommit(commit)}` }
}

/** What accepting a story does. Source: specification §4.10. */
export function storyAcceptEffect(
  { branch_name }: { readonly branch_name: string },
  project: AcceptingProject,
): AcceptEffect {
  const { kind, words } = effectOf(branch_name, project, undefined)
  return { kind, words: `closes the story and ${words}` }
}

function effectOf(branch: string, project: AcceptingProject, base: string | undefined): AcceptEffect {
  const { on_accept: kind = 'none', default_branch }: ProjectFacts = project === 'none' ? {} : project
  return { kind, words: DELIVERY_DOES[kind](branch, base ?? default_branch) }
}

/** Whoever is about to delete a task whose accepted work is on its way reads this first. */
export const STILL_TO_BE_DELIVERED = 'Its accepted work is still to be delivered, and would stay on its branch.'

/** What a task that is deleted leaves of accepted work that was still to be delivered. */
export function undeliveredWords(branch: string): string {
  return `its accepted work was still to be delivered and now is not: it stays on branch ${branch}`
}

/** The choices of a project, each with what Accept then does. */
export const ON_ACCEPT_CHOICES: readonly {
  readonly value: OnAcceptWord
  readonly label: string
  readonly consequence: string
}[] = [
  choice('none', 'Leave it on its branch', 'You merge it yourself.'),
  choice(
    'merge',
    'Merge it',
    'As a fast-forward or else with a merge commit. What cannot be merged is ready for review again and says why.',
  ),
  choice(
    'pull_request',
    'Open a pull request',
    'At the host of the repository, with the token of the project’s Secret.',
  ),
]

function choice(value: OnAcceptWord, label: string, detail: string): (typeof ON_ACCEPT_CHOICES)[number] {
  return { value, label, consequence: `Accept ${DELIVERY_DOES[value]('its branch')}. ${detail}` }
}

/**
 * What is asked before many are accepted at once: `Accept 3? It merges the work of 2 and leaves the work of 1 unmerged.`
 *
 * @param effects undefined while the projects are not read
 */
export function acceptQuestion(count: number, effects: readonly AcceptEffect[] | undefined): string {
  const does = effects === undefined ? 'does what their projects say' : sumEffects(effects)
  return `Accept ${count === 1 ? 'it without a look' : `${count} without a look at each`}? It ${does}.`
}

function sumEffects(effects: readonly AcceptEffect[]): string {
  const count = (...kinds: AcceptEffect['kind'][]): number => effects.filter(({ kind }) => kinds.includes(kind)).length
  const [merged, asked, left] = [count('merge'), count('pull_request'), count('none', 'nothing')]
  const parts = [
    ...(merged === 0 ? [] : [`merges the work of ${merged}`]),
    ...(asked === 0 ? [] : [`opens ${countOf(asked, 'pull request')}`]),
    ...(left === 0 ? [] : [`leaves the work of ${left} unmerged`]),
  ]
  return parts.join(', ').replace(/, ([^,]*)$/, ' and $1')
}

const SHARED_LABELS = { conflict: 'Conflicts', moved: 'Branch has moved' } as const
const DELIVERY_LABELS = {
  merge: { ...SHARED_LABELS, pending: 'Being merged', delivered: 'Merged', failed: 'Not merged' },
  pull_request: {
    ...SHARED_LABELS,
    pending: 'Pull request is being opened',
    delivered: 'Pull request is open',
    failed: 'No pull request',
  },
} as const

/** How the delivery of accepted work stands. */
export function deliveryLabel({ kind, state }: DeliveryFacts): string {
  return DELIVERY_LABELS[kind][state]
}

/** The same where accepted work waits for a person again; undefined where it does not. */
export function stuckLabel(delivery: DeliveryFacts | undefined): string | undefined {
  if (delivery === undefined || delivery.state === 'pending' || delivery.state === 'delivered') return undefined
  return deliveryLabel(delivery)
}

/** What {@link deliveryLabel} says, with what it led to, or with why it did not, and when it is tried again. */
export function deliveryWords(delivery: DeliveryFacts & DeliveryEnd): string {
  const { state, url, commit, message, retry_at } = delivery
  const where = url ?? (commit === undefined ? undefined : `at commit ${shortCommit(commit)}`)
  const again = retry_at === undefined ? '' : `, tried again at ${retry_at}`
  const detail = state === 'delivered' ? where : message
  return `${deliveryLabel(delivery)}${again}${detail === undefined ? '' : `: ${detail}`}`
}
