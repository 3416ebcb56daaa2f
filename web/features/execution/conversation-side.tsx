import type { ReactNode } from 'react'
import type { Execution, Task } from '../../../core/rest/client/client.ts'
import { Plan } from '../../components/conversation/plan.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { Meter } from '../../components/meter.tsx'
import { showUnseen } from '../../model/hostile-text.ts'
import { formatCost } from '../../model/money.ts'
import { editLines } from '../../model/edit-lines.ts'
import { shortPath } from '../../model/tool-words.ts'
import type { Transcript } from '../../model/transcript.ts'
import css from './execution.module.css'
import { formatTokens, spendingOf } from './spending.ts'

interface ConversationSideProps {
  readonly execution: Execution
  readonly task: Task | undefined
  readonly transcript: Transcript
}

/** What stays in sight beside the conversation: the plan, what it costs, what was changed, where it runs. */
export function ConversationSide({ execution, task, transcript }: ConversationSideProps) {
  const { todo } = transcript
  const done = todo.filter(({ state }) => state === 'completed').length
  const changed = changedFiles(transcript)
  const { pod, session_id } = execution
  return (
    <aside className={css['side']} aria-label="Plan, cost and changed files">
      {todo.length > 0 && (
        <Part title="Plan" count={`${done} of ${todo.length}`}>
          <Plan items={todo} />
        </Part>
      )}
      <Cost {...{ execution, task, transcript }} />
      {changed.length > 0 && (
        <Part title="Edited" count={changed.length === 1 ? '1 file' : `${changed.length} files`}>
          <ul className={css['files']}>
            {changed.map(({ path, added, removed }) => (
              <li key={path}>
                <code title={showUnseen(path)}>{showUnseen(path)}</code>
                <span className={css['plus']}>+{added}</span>
                <span className={css['minus']}>−{removed}</span>
              </li>
            ))}
          </ul>
        </Part>
      )}
      {(pod?.name !== undefined || session_id !== undefined) && (
        <Part title="Where">
          <dl>
            {pod?.name !== undefined && <Named name="Pod" value={pod.name} />}
            {session_id !== undefined && <Named name="Session" value={session_id} />}
          </dl>
          {pod?.name !== undefined && <CopyCommand pod={pod.name} />}
        </Part>
      )}
    </aside>
  )
}

interface PartProps {
  readonly title: string
  readonly count?: string
  readonly children: ReactNode
}

function Part({ title, count, children }: PartProps) {
  return (
    <section>
      <h2>
        {title} {count !== undefined && <span>{count}</span>}
      </h2>
      {children}
    </section>
  )
}

function Named({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <code>{value}</code>
      </dd>
    </>
  )
}

function CopyCommand({ pod }: { readonly pod: string }) {
  const command = `kubectl logs -f ${pod} -c agent`
  return (
    <p className={css['command']}>
      <code>{command}</code>
      <CopyButton text={command} label="Copy the command" isIconOnly />
    </p>
  )
}

function Cost({ execution, task, transcript }: ConversationSideProps) {
  const { costUSD, tokensIn, tokensOut, cached, turns } = spendingOf(execution, transcript)
  const [cost, budget] = [formatCost(costUSD), formatCost(task?.budget_usd)]
  if (cost === undefined && tokensIn + tokensOut === 0) return null
  return (
    <Part title="Cost" count={[cost, budget].filter((part) => part !== undefined).join(' of ')}>
      {task?.budget_usd !== undefined && costUSD !== undefined && (
        <Meter done={Math.min(costUSD, task.budget_usd)} total={task.budget_usd} label="Share of the budget" />
      )}
      <dl>
        <dt>Tokens</dt>
        <dd>
          {formatTokens(tokensIn)} in · {formatTokens(tokensOut)} out
        </dd>
        {turns !== undefined && (
          <>
            <dt>Turns</dt>
            <dd>{turns}</dd>
          </>
        )}
        <dt>Cached</dt>
        <dd>{Math.round(cached * 100)} %</dd>
      </dl>
    </Part>
  )
}

interface ChangedFile {
  readonly path: string
  readonly added: number
  readonly removed: number
}

/** As the agent's edits say it; what its commands changed is in the diff alone. */
function changedFiles({ entries }: Transcript): readonly ChangedFile[] {
  const files = new Map<string, ChangedFile>()
  for (const entry of entries) {
    if (entry.kind !== 'tool' || entry.result?.isError === true) continue
    for (const { path, before, after } of entry.edits) {
      const short = shortPath(path)
      const { added, removed } = files.get(short) ?? { added: 0, removed: 0 }
      const lines = editLines(before, after)
      const count = (kind: string): number => lines.filter((line) => line.kind === kind).length
      files.set(short, { path: short, added: added + count('added'), removed: removed + count('removed') })
    }
  }
  return [...files.values()]
}
