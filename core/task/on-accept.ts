/**
 * What accepting work does, in words: the one place that words it for whatever offers an accept or reports one. By what
 * decideTask makes of it, and the operator of that (specification §4.10, §4.26).
 */
import { countOf } from '../sentences/amounts.ts'
import type { Project, Story, Task } from '../rest/client/client.ts'
import type { OnAcceptWord } from '../rest/enum-values.ts'

/** What of a project decides; `none` where a task or a story has no project. */
export type AcceptingProject = Pick<Project, 'on_accept' | 'default_branch'> | 'none'

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
export function acceptEffect(
  task: Pick<Task, 'branch' | 'base_branch' | 'delivery' | 'story_id'>,
  project: AcceptingProject,
): AcceptEffect {
  const { branch, delivery, story_id } = task
  if (branch === undefined) return { kind: 'nothing', words: 'ends the task; it has no branch' }
  const isStuck = delivery !== undefined && delivery.state !== 'pending' && delivery.state !== 'delivered'
  if (story_id !== undefined && !isStuck) {
    const until = delivery === undefined ? 'nothing is merged before the story is accepted' : 'it went with the story'
    return { kind: 'nothing', words: `leaves the work on ${branch}; ${until}` }
  }
  const effect = effectOf(branch, project, story_id === undefined ? task.base_branch : undefined)
  const commit = delivery?.state === 'moved' && effect.kind !== 'none' ? delivery.reviewed : undefined
  return commit === undefined ? effect : { ...effect, words: `${effect.words}, at commit ${commit.slice(0, 7)}` }
}

/** What accepting a story does. Source: specification §4.10. */
export function storyAcceptEffect(
  { branch_name }: Pick<Story, 'branch_name'>,
  project: AcceptingProject,
): AcceptEffect {
  const { kind, words } = effectOf(branch_name, project, undefined)
  return { kind, words: `closes the story and ${words}` }
}

function effectOf(branch: string, project: AcceptingProject, base: string | undefined): AcceptEffect {
  const { on_accept: kind = 'none', default_branch }: Exclude<AcceptingProject, 'none'> =
    project === 'none' ? {} : project
  return { kind, words: DELIVERY_DOES[kind](branch, base ?? default_branch) }
}

/** What accepting many at once does: `merges the work of 2 and leaves the work of 1 unmerged`. */
export function sumEffects(effects: readonly AcceptEffect[]): string {
  const count = (...kinds: AcceptEffect['kind'][]): number => effects.filter(({ kind }) => kinds.includes(kind)).length
  const [merged, asked, left] = [count('merge'), count('pull_request'), count('none', 'nothing')]
  const parts = [
    ...(merged === 0 ? [] : [`merges the work of ${merged}`]),
    ...(asked === 0 ? [] : [`opens ${countOf(asked, 'pull request')}`]),
    ...(left === 0 ? [] : [`leaves the work of ${left} unmerged`]),
  ]
  return parts.join(', ').replace(/, ([^,]*)$/, ' and $1')
}
