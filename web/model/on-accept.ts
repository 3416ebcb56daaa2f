/** What becomes of accepted work, in words: pure. Source: docs/delivery.md. */
import type { Project, Story, Task } from '../../core/rest/client/client.ts'
import type { OnAcceptWord } from '../../core/rest/enum-values.ts'

/** What a project can do with accepted work. `does` says it of a branch and the one that it goes to. */
const WORDS: Readonly<
  Record<
    OnAcceptWord,
    { readonly label: string; readonly detail: string; readonly does: (branch: string, base: string) => string }
  >
> = {
  none: {
    label: 'Leave it on its branch',
    detail: 'You merge it yourself.',
    does: (branch) => `leaves the work on ${branch}; nothing is merged`,
  },
  merge: {
    label: 'Merge it',
    detail:
      'As a fast-forward or else with a merge commit. What cannot be merged is ready for review again and says why.',
    does: (branch, base) => `merges ${branch} into ${base}`,
  },
  pull_request: {
    label: 'Open a pull request',
    detail: 'At the host of the repository, with the token of the project’s Secret.',
    does: (branch, base) => `opens a pull request of ${branch} to ${base}`,
  },
}

const ORDER = ['none', 'merge', 'pull_request'] as const satisfies readonly OnAcceptWord[]

/** The choices of a project, each with what Accept then does. */
export const ON_ACCEPT_CHOICES: readonly {
  readonly value: OnAcceptWord
  readonly label: string
  readonly consequence: string
}[] = ORDER.map((value) => {
  const { label, detail, does } = WORDS[value]
  return { value, label, consequence: `Accept ${does('its branch', 'the default branch')}. ${detail}` }
})

type AcceptingProject = Pick<Project, 'on_accept' | 'default_branch'>

/** The project whose rule decides what Accept does; `none` where a task or a story has no project. */
export type ProjectOf =
  | { readonly isKnown: true; readonly project: AcceptingProject | 'none' }
  | { readonly isKnown: false; readonly problem: string }

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
  { data, error }: { readonly data: AcceptingProject | null | undefined; readonly error: Error | null },
): ProjectOf {
  if (id === undefined) return { isKnown: true, project: 'none' }
  // Without its record nothing is delivered (docs/delivery.md).
  if (data !== undefined) return { isKnown: true, project: data ?? 'none' }
  const why =
    error === null ? `the project ${id} is being read` : `the project ${id} could not be read (${error.message})`
  return { isKnown: false, problem: `What Accept does is not known: ${why}.` }
}

function doesWith(branch: string, project: AcceptingProject | 'none'): string {
  return project === 'none'
    ? WORDS.none.does(branch, 'the default branch')
    : WORDS[project.on_accept ?? 'none'].does(branch, project.default_branch ?? 'the default branch')
}

/** What accepting a task does. */
export function acceptConsequence(
  { branch, delivery, story_id }: Pick<Task, 'branch' | 'delivery' | 'story_id'>,
  project: AcceptingProject | 'none',
): string {
  if (branch === undefined) return 'Accept ends the task; it has no branch.'
  const does = doesWith(branch, project)
  if (project === 'none' || (project.on_accept ?? 'none') === 'none') return `Accept ${does}.`
  if (delivery?.state === 'moved' && delivery.reviewed !== undefined)
    return `Accept ${does}, at commit ${delivery.reviewed.slice(0, 7)}.`
  if (story_id !== undefined && delivery === undefined)
    return `Accept leaves the work on ${branch}; it is delivered when the story is accepted.`
  return `Accept ${does}.`
}

/** What accepting a story does, beside closing it. Source: specification §4.10. */
export function storyAcceptConsequence(
  { branch_name }: Pick<Story, 'branch_name'>,
  project: AcceptingProject | 'none',
): string {
  return `Accept closes the story and ${doesWith(branch_name, project)}.`
}
