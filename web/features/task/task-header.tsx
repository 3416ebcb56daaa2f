import { countOf, formatSpending, formatTook } from '../../../core/sentences/amounts.ts'
import { Link } from '@tanstack/react-router'
import { ChevronRight, GitBranch } from 'lucide-react'
import type { ReactNode } from 'react'
import { withoutTyped } from '../../../core/typed-commands.ts'
import type { Project, Task } from '../../../core/rest/client/client.ts'
import { useRecord } from '../../api/queries.ts'
import { useServerTime } from '../../api/server-clock.ts'
import { Changes } from '../../components/changes.tsx'
import { ChecksMark, ProtectedBadge } from '../../components/checks.tsx'
import { CiMark } from '../../components/ci.tsx'
import { SMALL_ICON } from '../../components/icons.tsx'
import { StateBadge } from '../../components/state-badge.tsx'
import { attentionOf } from '../../model/attention.ts'
import { findSafeHref, showUnseen } from '../../model/hostile-text.ts'
import { checkedStateWords } from '../../model/state-words.ts'
import css from './task.module.css'

interface TaskHeaderProps {
  readonly task: Task
  readonly project: Project | undefined
  readonly isPanel: boolean
}

/** What the task is, how it stands, and what it waits for, in the server's words. */
export function TaskHeader({ task, project, isPanel }: TaskHeaderProps) {
  const nowMs = useServerTime()
  const Title = isPanel ? 'h2' : 'h1'
  return (
    <header className={css['head']}>
      <Crumbs task={task} />
      <Title className={css['title']}>{showUnseen(task.name)}</Title>
      <div className={css['line']}>
        <StateBadge
          words={checkedStateWords(task, nowMs)}
          isLoud={attentionOf(task) !== undefined || task.state === 'RUNNING'}
        />
        {task.waiting_for !== undefined && task.goes_on?.at === undefined && (
          <span>{showUnseen(withoutTyped(task.waiting_for))}</span>
        )}
        {task.error_category !== 'checks' && <Checks task={task} />}
        <CiMark task={task} />
        <ProtectedBadge of={task} />
        <Facts task={task} project={project} />
      </div>
    </header>
  )
}

/** Alone rendered every second while one runs. */
function Checks({ task }: { readonly task: Task }) {
  const isRunning = task.checks?.some(({ state }) => state === 'running') === true
  return <ChecksMark task={task} nowMs={useServerTime(isRunning ? 1_000 : 60_000)} />
}

function Crumbs({ task: { id, story_id, parent_task_id } }: { readonly task: Task }) {
  const { data: story } = useRecord('stories', story_id ?? '')
  const { data: parent } = useRecord('tasks', parent_task_id ?? '')
  return (
    <nav className={css['crumbs']} aria-label="Where the task belongs">
      <Link to={story_id === undefined ? '/tasks' : '/stories'}>{story_id === undefined ? 'Tasks' : 'Stories'}</Link>
      {story_id !== undefined && (
        <Crumb>
          <Link to="/stories/$storyId" params={{ storyId: story_id }}>
            {showUnseen(story?.name ?? story_id)}
          </Link>
        </Crumb>
      )}
      {parent_task_id !== undefined && (
        <Crumb>
          <Link to="/tasks/$taskId" params={{ taskId: parent_task_id }}>
            {showUnseen(parent?.name ?? parent_task_id)}
          </Link>
        </Crumb>
      )}
      <Crumb>
        <code>{id}</code>
      </Crumb>
    </nav>
  )
}

function Crumb({ children }: { readonly children: ReactNode }) {
  return (
    <>
      <ChevronRight size={12} aria-hidden />
      {children}
    </>
  )
}

function Facts({ task, project }: { readonly task: Task; readonly project: Project | undefined }) {
  const { agent, agent_reason, changes, project: projectId, chosen_by } = task
  const agentText = [agent?.type, agent?.model].filter((part) => part !== undefined).join(' · ')
  const cost = formatSpending(task.cost_usd, task.budget_usd)
  return (
    <>
      {agentText !== '' && (
        <span title={agent_reason && showUnseen(agent_reason)}>
          {showUnseen(chosen_by === undefined ? `for ${agentText}` : agentText)}
        </span>
      )}
      <Elapsed task={task} />
      {changes !== undefined && changes.files > 0 && (
        <span>
          <Changes {...changes} /> in {countOf(changes.files, 'file')}
        </span>
      )}
      {cost !== undefined && <span>{cost}</span>}
      {projectId !== undefined && (
        <Link to="/projects/$projectId" params={{ projectId }}>
          {showUnseen(project?.name ?? projectId)}
        </Link>
      )}
      <Branch task={task} />
    </>
  )
}

/** How long the work takes or took; alone rendered every second. */
function Elapsed({ task: { state, started_at, finished_at } }: { readonly task: Task }) {
  const isRunning = state === 'RUNNING'
  const nowMs = useServerTime(isRunning ? 1_000 : 60_000)
  const took = isRunning ? formatTook({ started_at }, nowMs) : formatTook({ started_at, finished_at })
  return took && <span title="Time of the latest attempt">{took}</span>
}

/** Where the work is; a link where its host is known. */
function Branch({ task: { branch, branch_url, compare_url } }: { readonly task: Task }) {
  if (branch === undefined) return null
  const [page, comparison] = [branch_url, compare_url].map((url) => (url === undefined ? undefined : findSafeHref(url)))
  const name = <code>{showUnseen(branch)}</code>
  return (
    <span className={css['branch']}>
      <GitBranch size={SMALL_ICON} aria-hidden />
      {page === undefined ? name : <Outside href={page}>{name}</Outside>}
      {comparison !== undefined && <Outside href={comparison}>compare</Outside>}
    </span>
  )
}

function Outside({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  )
}
