/** What the view of stories shows, as it stands in the URL: a link shows what its sender saw. Pure. */
import { TASK_STATE_VALUES } from '../../../core/crd/enums.ts'
import type { TaskState } from '../../../core/crd/types.ts'
import type { Story, Task } from '../../../core/rest/client/client.ts'
import { isWaiting } from '../../model/attention.ts'
import { formatSort, readSort, readText, readWord, withoutEmpty } from '../../model/search-params.ts'
import { createTextIndex } from '../../model/text-index.ts'

export const SHAPES = ['board', 'list'] as const
export type Shape = (typeof SHAPES)[number]

/** What the list is grouped by; the board has columns and lanes of its own. */
const LIST_GROUPINGS = ['status', 'epic'] as const
export type ListGrouping = (typeof LIST_GROUPINGS)[number]

export interface BoardFilters {
  /** Text in the name, the id or the branch of a story, or in the name of one of its tasks. */
  readonly q?: string | undefined
  readonly project?: string | undefined
  /** An epic's id, or {@link UNASSIGNED}. */
  readonly epic?: string | undefined
  /** An agent that works on the story or has done so. */
  readonly agent?: string | undefined
  /** The state of one of its tasks. */
  readonly state?: TaskState | undefined
  /** Only what waits for a person. */
  readonly waiting?: true | undefined
}

export interface BoardSearch extends BoardFilters {
  /** Left out: as this person had it the last time. */
  readonly view?: Shape | undefined
  /** For the list; default: by status. */
  readonly group?: ListGrouping | undefined
  /** For the list: a column, with `-` before it for descending. */
  readonly sort?: string | undefined
}

/** In place of an epic: the stories without one. No record has it as its id. */
export const UNASSIGNED = '-'

/** What the search part of an address says; what is unknown or empty is left out. */
export function parseBoardSearch(search: Readonly<Record<string, unknown>>): BoardSearch {
  return withoutEmpty({
    q: readText(search, 'q'),
    project: readText(search, 'project'),
    epic: readText(search, 'epic'),
    agent: readText(search, 'agent'),
    state: readWord(search, 'state', TASK_STATE_VALUES),
    waiting: readText(search, 'waiting') === 'true' ? (true as const) : undefined,
    view: readWord(search, 'view', SHAPES),
    group: readWord(search, 'group', LIST_GROUPINGS),
    sort: formatSort(readSort(search)),
  })
}

/** The filters alone: what is shown, without how. */
export function filtersOf({ q, project, epic, agent, state, waiting }: BoardSearch): BoardFilters {
  return withoutEmpty({ q, project, epic, agent, state, waiting })
}

export function isFiltered(search: BoardSearch): boolean {
  return Object.keys(filtersOf(search)).length > 0
}

/** The same shape of the view without its filters. */
export function withoutFilters({ view, group, sort }: BoardSearch): BoardSearch {
  return withoutEmpty({ view, group, sort })
}

/** Whether a story passes the filters. @param tasks those of the story */
export function matches(story: Story, tasks: readonly Task[], search: BoardFilters): boolean {
  const { q, project, epic, agent, state, waiting } = search
  if (project !== undefined && story.project_id !== project) return false
  if (epic !== undefined && (story.epic_id ?? UNASSIGNED) !== epic) return false
  if (agent !== undefined && !tasks.some((task) => task.agent?.type === agent)) return false
  if (state !== undefined && !tasks.some((task) => task.state === state)) return false
  if (waiting === true && !isWaiting(story, tasks)) return false
  return q === undefined || matchesText(story, tasks, q.trim().toLowerCase())
}

const textOfStory = createTextIndex<Story>(({ name, id, branch_name }) => [name, id, branch_name])
const textOfTask = createTextIndex<Task>(({ name }) => [name])

function matchesText(story: Story, tasks: readonly Task[], text: string): boolean {
  return textOfStory(story).includes(text) || tasks.some((task) => textOfTask(task).includes(text))
}
