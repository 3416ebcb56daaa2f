import { Link } from '@tanstack/react-router'
import { countOf } from '../../core/sentences/amounts.ts'
import { taskStateLabel } from '../../core/sentences/states.ts'
import type { Execution, Task } from '../../core/rest/client/client.ts'
import { type Workspace, doneWords, hasAgentBegun } from '../model/failed-run.ts'
import { failureWords } from '../model/failure-words.ts'
import { Changes } from './changes.tsx'
import { CopyButton } from './copy-button.tsx'
import css from './failed-run.module.css'

interface FailedRunProps {
  /** A run that failed, or a task whose last one did. */
  readonly of: Pick<Task, 'state' | 'error' | 'error_category'>
  /** Undefined: nothing was run. */
  readonly execution: Execution | undefined
  /** True: the execution is being read. */
  readonly isPending?: boolean
  readonly agent: string | undefined
  /** Undefined where none is kept. */
  readonly workspace: Workspace | undefined
}

/** What is mended on the page of the agent. */
const ABOUT_AGENT: readonly Execution['error_category'][] = ['auth', 'credentials', 'unavailable', 'quota']

/** Why a run failed, before all else, in the server's words, which end with what to do; what it had done, and where. */
export function FailedRun({ of, execution, isPending = false, agent, workspace }: FailedRunProps) {
  const { state, error, error_category } = of
  const hasBegun = isPending || (execution !== undefined && hasAgentBegun(execution))
  const done = isPending ? '' : doneWords(execution)
  return (
    <div className={css['failed']} role="note" aria-label="Why it failed">
      <p className={css['cause']}>
        <b>{taskStateLabel({ state, error_category }, String)}</b>
        {!hasBegun && `, before the ${execution?.purpose === 'prepare' ? 'setup' : 'agent'} began`}{' '}
        {agent !== undefined && ABOUT_AGENT.includes(error_category) && (
          <Link to="/agents/$agentId" params={{ agentId: agent }}>
            To the agent {agent}
          </Link>
        )}
      </p>
      {/* What scrolls can be scrolled by keys alone (WCAG 2.1.1). */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre role="region" aria-label="Error" tabIndex={0}>
        {failureWords(error ?? 'It ended without a word.')}
      </pre>
      <dl>
        <dt>What it had done</dt>
        <dd>
          {done ?? (
            <>
              {countOf(execution?.changes?.files ?? 0, 'file')} changed{' '}
              {execution?.changes && <Changes {...execution.changes} />}
            </>
          )}
        </dd>
        {workspace !== undefined && (
          <>
            <dt>What it had begun</dt>
            <dd className={css['command']}>
              <code>{workspace.command}</code>
              <CopyButton text={workspace.command} label="Copy the command to the workspace" isIconOnly />
            </dd>
            <dt>Where it is</dt>
            <dd className={css['folder']}>
              <code>{workspace.folder}</code>
            </dd>
          </>
        )}
      </dl>
    </div>
  )
}
