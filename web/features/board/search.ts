/** The board's filters, as they stand in the URL: a link shows what its sender saw. */
import type { Story, Task } from '../../../core/rest/client/client.ts'
import { attentionOf } from '../../model/attention.ts'

export interface BoardSearch {
  /** Text in the name, the id or the branch of a story, or in the name of one of its tasks. */
  readonly q?: string
  readonly project?: string
  /** An epic's id, or {@link UNASSIGNED}. */
  readonly epic?: string
  /** An agent that works on the story or has done so. */
  readonly agent?: string
  /** Only what waits for a person. */
  readonly waiting?: true
}

/** In place of an epic: the stories without one. No record has it as its id. */
export const UNASSIGNED = '-'

/** The filters in the search part of an address; what is unknown or empty is left out. */
export function parseBoardSearch(search: Readonly<Record<string, unknown>>): BoardSearch {
  const text = (name: string): string | undefined => {
    const value = search[name]
    // The router reads `?q=12` as a number.
    const given = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
    return typeof given === 'string' && given.trim() !== '' ? given : undefined
  }
  const [q, project, epic, agent] = [text('q'), text('project'), text('epic'), text('agent')]
  return {
    ...(q === undefined ? {} : { q }),
    ...(project === undefined ? {} : { project }),
    ...(epic === undefined ? {} : { epic }),
    ...(agent === undefined ? {} : { agent }),
    ...(text('waiting') === 'true' ? { waiting: true as const } : {}),
  }
}

export function isFiltered(search: BoardSearch): boolean {
  return Object.keys(search).length > 0
}

/** Whether a story passes the filters. @param tasks those of the story */
export function matches(story: Story, tasks: readonly Task[], search: BoardSearch): boolean {
  const { q, project, epic, agent, waiting } = search
  if (project !== undefined && story.project_id !== project) return false
  if (epic !== undefined && (story.epic_id ?? UNASSIGNED) !== epic) return false
  if (agent !== undefined && !tasks.some((task) => task.agent?.type === agent)) return false
  if (waiting === true && !isWaiting(story, tasks)) return false
  return q === undefined || matchesText(story, tasks, q.trim().toLowerCase())
}

/** Whether a story waits for a person: for its acceptance, or with one of its tasks. */
export function isWaiting(story: Story, tasks: readonly Task[]): boolean {
  return story.status === 'REVIEW_READY' || tasks.some((task) => attentionOf(task) !== undefined)
}

function matchesText(story: Story, tasks: readonly Task[], text: string): boolean {
  const texts = [story.name, story.id, story.branch_name, ...tasks.map(({ name }) => name)]
  return texts.some((candidate) => candidate.toLowerCase().includes(text))
}
