import { countOf } from '../../../core/sentences/amounts.ts'
import type { Execution, Task } from '../../../core/rest/client/client.ts'
import { askedForWords } from '../../../core/task/revision.ts'
import { Changes } from '../../components/changes.tsx'
import { Plan } from '../../components/conversation/plan.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { useNarrow } from '../../components/use-narrow.ts'
import { editLines } from '../../model/edit-lines.ts'
import { showUnseen } from '../../model/hostile-text.ts'
import { shortPath } from '../../model/tool-words.ts'
import type { Transcript } from '../../model/transcript.ts'
import css from './execution.module.css'
import { Cost, Part, Where } from './side-parts.tsx'

interface ConversationSideProps {
  readonly execution: Execution
  readonly task: Task | undefined
  readonly transcript: Transcript
}

/** What stays in sight beside the conversation: the plan, what it costs, what was changed, where it runs. */
export function ConversationSide(props: ConversationSideProps) {
  const isNarrow = useNarrow()
  const label = 'Plan, cost and changed files'
  if (!isNarrow)
    return (
      <aside className={css['side']} aria-label={label}>
        <Parts {...props} />
      </aside>
    )
  const { todo } = props.transcript
  const step = todo.find(({ state }) => state === 'in_progress')
  return (
    <details className={css['side']}>
      <summary>
        {todo.length === 0 ? label : `Plan: ${doneOf(todo)}${step === undefined ? '' : `, ${showUnseen(step.text)}`}`}
      </summary>
      <div className={css['parts']}>
        <Parts {...props} />
      </div>
    </details>
  )
}

function doneOf(todo: Transcript['todo']): string {
  return `${todo.filter(({ state }) => state === 'completed').length} of ${todo.length}`
}

function Parts({ execution, task, transcript }: ConversationSideProps) {
  const { todo } = transcript
  const changed = changedFiles(transcript)
  const isLatest = task?.execution_id === execution.id
  const { revision } = execution
  const asked = revision?.text ?? (isLatest ? task.rejection_comment : undefined)
  return (
    <>
      {asked !== undefined && (
        <Part title="What was to be different">
          <p className={css['request']}>{showUnseen(asked)}</p>
          {revision !== undefined && (
            <small>
              {askedForWords(revision.text)} by {showUnseen(revision.by ?? 'a person')} <TimeAgo at={revision.at} />
            </small>
          )}
        </Part>
      )}
      {todo.length > 0 && (
        <Part title="Plan" count={doneOf(todo)}>
          <Plan items={todo} />
        </Part>
      )}
      <Cost {...{ execution, task, transcript }} />
      {changed.length > 0 && (
        <Part title="Edited" count={countOf(changed.length, 'file')}>
          <ul className={css['files']}>
            {changed.map(({ path, added, removed }) => (
              <li key={path}>
                <code title={showUnseen(path)}>{showUnseen(path)}</code>
                <Changes insertions={added} deletions={removed} />
              </li>
            ))}
          </ul>
        </Part>
      )}
      <Where execution={execution} />
    </>
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
