/** What the list of tasks shows, as it stands in the URL: a link shows what its sender saw. Pure. */
import { TASK_STATE_VALUES } from '../../../core/crd/enums.ts'
import type { TaskState } from '../../../core/crd/types.ts'
import type { Task } from '../../../core/rest/client/client.ts'
import { attentionOf } from '../../model/attention.ts'
import { formatSort, readSort, readText, readWord, withoutEmpty } from '../../model/search-params.ts'
import type { Sort } from '../../model/table-rows.ts'
import { createTextIndex } from '../../model/text-index.ts'

export const GROUPINGS = ['state', 'story', 'project', 'agent', 'none'] as const
export type Grouping = (typeof GROUPINGS)[number]

/** In place of a story, an epic, a project or an agent: the tasks without one. No record has it as its id. */
export const NONE = '-'

export interface TasksView {
  /** Text in the name, the id or the branch of a task. */
  readonly q: string | undefined
  readonly project: string | undefined
  /** An epic's id, or {@link NONE}; the epic of the task's story. */
  readonly epic: string | undefined
  readonly story: string | undefined
  readonly agent: string | undefined
  readonly state: TaskState | undefined
  /** Only what waits for a person. */
  readonly isWaiting: boolean
  readonly group: Grouping
  readonly sort: Sort | undefined
}

/** The view that an address without parameters shows. */
export const WHOLE_VIEW: TasksView = {
  q: undefined,
  project: undefined,
  epic: undefined,
  story: undefined,
  agent: undefined,
  state: undefined,
  isWaiting: false,
  group: 'state',
  sort: undefined,
}

/** The parameters of the address, those that say nothing left out. */
export type TasksSearch = Readonly<
  Partial<Record<'q' | 'project' | 'epic' | 'story' | 'agent' | 'state' | 'group' | 'sort', string | undefined>>
> & { readonly waiting?: true | undefined }

/** The view that an address shows; what is unknown in it is left out. */
export function parseTasksSearch(search: Readonly<Record<string, unknown>>): TasksView {
  return {
    q: readText(search, 'q'),
    project: readText(search, 'project'),
    epic: readText(search, 'epic'),
    story: readText(search, 'story'),
    agent: readText(search, 'agent'),
    state: readWord(search, 'state', TASK_STATE_VALUES),
    isWaiting: readText(search, 'waiting') === 'true',
    group: readWord(search, 'group', GROUPINGS) ?? WHOLE_VIEW.group,
    sort: readSort(search),
  }
}

/** The parameters of the address that shows a view; {@link parseTasksSearch} reads the same view from them. */
export function formatTasksSearch({ isWaiting, group, sort, ...filters }: TasksView): TasksSearch {
  return withoutEmpty({
    ...filters,
    waiting: isWaiting ? (true as const) : undefined,
    group: group === WHOLE_VIEW.group ? undefined : group,
    sort: formatSort(sort),
  })
}

/** Whether the view leaves tasks out. */
export function isFiltered({ group: _group, sort: _sort, isWaiting, ...filters }: TasksView): boolean {
  return isWaiting || Object.values(filters).some((value) => value !== undefined)
}

const textOf = createTextIndex<Task>(({ name, id, branch }) => [name, id, branch])

/** The tasks that pass the filters. @param epicOf the epic of a story, where it has one */
export function filterTasks(
  tasks: readonly Task[],
  view: TasksView,
  epicOf: (story: string) => string | undefined,
): readonly Task[] {
  const text = view.q?.trim().toLowerCase()
  const passes = (wanted: string | undefined, value: string | undefined): boolean =>
    wanted === undefined || wanted === (value ?? NONE)
  return tasks.filter(
    (task) =>
      passes(view.project, task.project) &&
      passes(view.story, task.story_id) &&
      passes(view.agent, task.agent?.type) &&
      passes(view.state, task.state) &&
      (view.epic === undefined || passes(view.epic, task.story_id === undefined ? undefined : epicOf(task.story_id))) &&
      (!view.isWaiting || attentionOf(task) !== undefined) &&
      (text === undefined || textOf(task).includes(text)),
  )
}
