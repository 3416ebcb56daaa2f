import { formatCost, formatSpan } from '../../../core/sentences/amounts.ts'
import type { Task } from '../../../core/rest/client/client.ts'
import { withoutTyped } from '../../../core/typed-commands.ts'
import { useServerTime } from '../../api/server-clock.ts'
import { Changes } from '../../components/changes.tsx'
import type { Column } from '../../components/data-table-column.ts'
import { ChecksMark } from '../../components/checks.tsx'
import { CiMark } from '../../components/ci.tsx'
import { OpenLink } from '../../components/open-link.tsx'
import { StateBadge } from '../../components/state-badge.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { attentionOf } from '../../model/attention.ts'
import { failureWords } from '../../model/failure-words.ts'
import { showUnseen } from '../../model/hostile-text.ts'
import { checkedStateWords } from '../../model/state-words.ts'
import { type NameOf, STATE_ORDER } from './groups.ts'
import css from './tasks.module.css'

interface ColumnFacts {
  readonly story: NameOf
  readonly project: NameOf
  /** Where no task has one, its column would only take room from the names. */
  readonly hasPriority: boolean
  /** Of how many letters the longest names are. */
  readonly longest: { readonly project: number; readonly agent: number }
}

/** As wide as the longest name of a column, as far as that leaves the names of tasks and stories room. */
function widthOf(letters: number, leastPx: number): string {
  return `clamp(${leastPx}px, ${letters} * 0.6 * var(--t13), 10%)`
}

/** The columns of the list of tasks. */
export function taskColumns(names: ColumnFacts): readonly Column<Task>[] {
  const all: readonly Column<Task>[] = [
    {
      id: 'name',
      label: 'Task',
      width: 'minmax(170px, 3fr)',
      phone: 1,
      cell: (task) => <Name task={task} />,
      compare: by(({ name }) => name.toLowerCase()),
    },
    {
      id: 'state',
      label: 'State',
      width: '172px',
      phone: 1,
      cell: (task) => <State task={task} />,
      compare: by(({ state }) => STATE_ORDER.indexOf(state)),
    },
    {
      id: 'project',
      label: 'Project',
      width: widthOf(names.longest.project, 60),
      cell: ({ project }) => project !== undefined && names.project(project),
      compare: by(({ project }) => (project === undefined ? undefined : names.project(project))),
    },
    {
      id: 'story',
      label: 'Story',
      width: 'minmax(112px, 2fr)',
      phone: 'hidden',
      cell: ({ story_id }) => story_id !== undefined && <StoryName name={names.story(story_id)} />,
      compare: by(({ story_id }) => (story_id === undefined ? undefined : names.story(story_id))),
    },
    {
      id: 'agent',
      label: 'Agent',
      width: widthOf(names.longest.agent, 72),
      cell: ({ agent }) => agent?.type,
      compare: by(({ agent }) => agent?.type),
    },
    {
      id: 'priority',
      label: 'Priority',
      width: '56px',
      align: 'end',
      phone: 'hidden',
      cell: ({ priority }) => priority,
      compare: by(({ priority }) => priority ?? 0),
    },
    {
      id: 'age',
      label: 'Time',
      width: '72px',
      align: 'end',
      cell: (task) => <Age task={task} />,
      compare: by(sinceOf),
    },
    {
      id: 'changes',
      label: 'Changes',
      width: '92px',
      align: 'end',
      cell: ({ changes }) => changes !== undefined && <Changes {...changes} />,
      compare: by(({ changes }) => (changes?.insertions ?? 0) + (changes?.deletions ?? 0)),
    },
    {
      id: 'cost',
      label: 'Cost',
      width: '64px',
      align: 'end',
      cell: ({ cost_usd }) => formatCost(cost_usd),
      compare: by(({ cost_usd }) => cost_usd ?? 0),
    },
  ]
  return names.hasPriority ? all : all.filter(({ id }) => id !== 'priority')
}

/** Compares by a value; what has none comes last. */
function by(valueOf: (task: Task) => string | number | undefined): (a: Task, b: Task) => number {
  return (a, b) => {
    const [left, right] = [valueOf(a), valueOf(b)]
    if (left === right) return 0
    if (left === undefined) return 1
    return right === undefined || left < right ? -1 : 1
  }
}

function Name({ task: { id, name } }: { readonly task: Task }) {
  return (
    <OpenLink what={{ kind: 'task', id }} title={`${name} (${id})`}>
      {name}
    </OpenLink>
  )
}

/** What has no room is read by pointing at it. */
function StoryName({ name }: { readonly name: string }) {
  return <span title={name}>{name}</span>
}

function State({ task }: { readonly task: Task }) {
  const nowMs = useServerTime()
  return (
    <span title={showUnseen(withoutTyped(task.waiting_for ?? '')) || (task.error && failureWords(task.error))}>
      <StateBadge words={checkedStateWords(task, nowMs)} isLoud={attentionOf(task) !== undefined} />{' '}
      {task.error_category !== 'checks' && <Checks task={task} />} <CiMark task={task} isIconOnly />
    </span>
  )
}

/** How its checks stand, as long as somebody decides by them; alone rendered every second while one runs. */
function Checks({ task }: { readonly task: Task }) {
  const isRunning = task.checks?.some(({ state }) => state === 'running') === true
  const nowMs = useServerTime(isRunning ? 1_000 : 60_000)
  return task.state === 'COMPLETED' ? null : <ChecksMark task={task} nowMs={nowMs} isIconOnly />
}

/** Since when a task is in its state, as far as it says so. */
function sinceOf({ state, started_at, finished_at, queued_at, created_at, updated_at }: Task): string {
  if (state === 'RUNNING') return started_at ?? updated_at
  if (state === 'QUEUED') return queued_at ?? updated_at
  return state === 'PENDING' ? created_at : (finished_at ?? updated_at)
}

/** How long a running task has taken by now; of others, how long ago they came to their state. */
function Age({ task }: { readonly task: Task }) {
  return task.state === 'RUNNING' ? <Elapsed since={sinceOf(task)} /> : <TimeAgo at={sinceOf(task)} />
}

function Elapsed({ since }: { readonly since: string }) {
  const nowMs = useServerTime(1_000)
  return <span className={css['elapsed']}>{formatSpan(nowMs - Date.parse(since))}</span>
}
