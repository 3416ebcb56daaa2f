import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback, useDeferredValue, useMemo, useState } from 'react'
import type { Story, Task } from '../../../core/rest/client/client.ts'
import { acceptEffect } from '../../../core/sentences/accept.ts'
import { useTaskBulk } from '../../api/bulk.ts'
import { useAcceptQuestion } from '../../api/project-of.ts'
import { useCount, useFacts, useRecords } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { BulkBar, BulkOutcomes } from '../../components/bulk-bar.tsx'
import { Button, LinkButton } from '../../components/button.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { ViewHeader } from '../../components/view-header.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/view-states.tsx'
import { nameFacts } from '../../model/facts.ts'
import { parseOpenSearch } from '../../model/open.ts'
import { taskColumns } from './columns.tsx'
import { FilterBar } from './filter-bar.tsx'
import { groupTasks } from './groups.ts'
import { type TasksView, filterTasks, formatTasksSearch, isFiltered, parseTasksSearch, WHOLE_VIEW } from './search.ts'

const route = getRouteApi('/tasks')
const idOf = ({ id }: Task): string => id
const nameOf = ({ name }: Task): string => name
const projectIdOf = ({ project }: Task): string | undefined => project
const cancelQuestion = ({ length }: readonly Task[]): string =>
  `Cancel ${length}? What runs is stopped; its work is kept.`

/** The view at /tasks: all tasks, grouped and filtered as the URL says. */
export function TasksPage() {
  const canDecide = useSession().may('decide')
  const view = route.useSearch({ select: parseTasksSearch, structuralSharing: true })
  const navigate = route.useNavigate()
  const setView = useCallback(
    (next: TasksView) =>
      void navigate({
        search: (now) => ({ ...formatTasksSearch(next), ...parseOpenSearch({ ...now }) }),
        replace: true,
      }),
    [navigate],
  )
  return (
    <>
      <ViewHeader title="Tasks">
        <TaskCount />
        {canDecide && (
          <span data-end>
            <LinkButton to="/tasks/new">New task</LinkButton>
          </span>
        )}
      </ViewHeader>
      <FilterBar view={view} onChange={setView} />
      <Tasks view={view} onChange={setView} />
    </>
  )
}

const isAny = (): boolean => true

function TaskCount() {
  const count = useCount('tasks', isAny)
  return count > 0 && <span>{count}</span>
}

interface TasksProps {
  readonly view: TasksView
  readonly onChange: (view: TasksView) => void
}

/** Rendered with each task's news; what surrounds it is not. */
function Tasks(props: TasksProps) {
  const { data, error, isPending, refetch } = useRecords('tasks')
  if (isPending) return <Skeleton rows={8} label="The tasks are being read" />
  if (data === undefined)
    return <ErrorState title="The tasks could not be read" error={error} onRetry={() => void refetch()} />
  return data.length === 0 ? <NoTask /> : <TaskList {...props} tasks={data} />
}

function NoTask() {
  const canDecide = useSession().may('decide')
  return (
    <EmptyState title="There is no task yet" action={canDecide && <Link to="/tasks/new">Make the first task</Link>}>
      A task is a piece of work that an agent does on a branch of its own. It appears here as soon as it is made, with
      its state, its time and its cost.
    </EmptyState>
  )
}

function TaskList({ tasks, view, onChange }: TasksProps & { readonly tasks: readonly Task[] }) {
  const names = useNames()
  // Typing in the filter goes on while a long list is still being drawn.
  const filters = useDeferredValue(view)
  const shown = useMemo(() => filterTasks(tasks, filters, names.epicOf), [tasks, filters, names])
  const groups = useMemo(() => groupTasks(shown, filters.group, names), [shown, filters.group, names])
  const hasPriority = tasks.some(({ priority }) => priority !== undefined)
  const project = longestOf(tasks, (task) => task.project && names.project(task.project))
  const agent = longestOf(tasks, (task) => task.agent?.type)
  const columns = useMemo(
    () => taskColumns({ ...names, hasPriority, longest: { project, agent } }),
    [names, hasPriority, project, agent],
  )
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const bulk = useTaskBulk()
  const acceptQuestion = useAcceptQuestion(projectIdOf, acceptEffect)
  const canDecide = useSession().may('decide')
  // What a filter hides is not decided about.
  const selected = useMemo(() => shown.filter(({ id }) => chosen.has(id)), [shown, chosen])
  const selection = useMemo(() => ({ ids: new Set(selected.map(idOf)), onChange: setChosen }), [selected])
  return (
    <>
      <BulkOutcomes run={bulk.run} onPutAway={bulk.putAway} />
      {canDecide && (
        <BulkBar
          actions={[
            { action: 'run', label: 'Run' },
            { action: 'resume', label: 'Resume' },
            { action: 'accept', label: 'Accept', question: acceptQuestion },
            { action: 'cancel', label: 'Cancel', question: cancelQuestion },
          ]}
          selected={selected}
          isBusy={bulk.isRunning}
          decide={bulk.decide}
          onClear={() => setChosen(new Set())}
          onDone={(done) => setChosen((now) => new Set([...now].filter((id) => !done.has(id))))}
        />
      )}
      {shown.length === 0 && isFiltered(view) ? (
        <EmptyState
          title="No task matches the filters"
          action={<Button onClick={() => onChange({ ...WHOLE_VIEW, group: view.group })}>Clear the filters</Button>}
        />
      ) : (
        <DataTable
          label="Tasks"
          columns={columns}
          groups={groups}
          idOf={idOf}
          nameOf={nameOf}
          sort={filters.sort}
          onSort={(sort) => onChange({ ...view, sort })}
          selection={canDecide ? selection : undefined}
        />
      )}
    </>
  )
}

const storyFacts = ({ id, name, epic_id }: Story) => ({ id, name, epic_id })

/** Of how many letters the longest name is. */
function longestOf(tasks: readonly Task[], nameOfTask: (task: Task) => string | undefined): number {
  return tasks.reduce((longest, task) => Math.max(longest, nameOfTask(task)?.length ?? 0), 0)
}

/** What stories and projects are called, and the epic of a story. */
function useNames() {
  const stories = useFacts('stories', storyFacts)
  const projects = useFacts('projects', nameFacts)
  return useMemo(() => {
    const byStory = new Map(stories.map((story) => [story.id, story]))
    const byProject = new Map(projects.map(({ id, name }) => [id, name]))
    return {
      story: (id: string) => byStory.get(id)?.name ?? id,
      project: (id: string) => byProject.get(id) ?? id,
      epicOf: (id: string) => byStory.get(id)?.epic_id,
    }
  }, [stories, projects])
}
