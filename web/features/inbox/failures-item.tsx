import { type ReactNode, use, useState } from 'react'
import type { Task } from '../../../core/rest/client/client.ts'
import { countOf, listOf, sayAge } from '../../../core/sentences/amounts.ts'
import { CATEGORY_LABELS } from '../../../core/sentences/states.ts'
import { useTaskBulk } from '../../api/bulk.ts'
import { useNameOf } from '../../api/queries.ts'
import { useServerTime } from '../../api/server-clock.ts'
import { Button } from '../../components/button.tsx'
import { failureWords } from '../../model/failure-words.ts'
import { showUnseen } from '../../model/hostile-text.ts'
import { placeWords, runWords } from '../../model/task-words.ts'
import css from './inbox.module.css'
import { RowContext } from './inbox-state.ts'
import { Item } from './item.tsx'

/** As many as the row names; the others are a key away. */
const NAMED = 3

interface FailuresItemProps {
  readonly tasks: readonly Task[]
  readonly sinceMs: number
  /** The row of one of them. */
  readonly renderTask: (task: Task) => ReactNode
}

/** Tasks that failed for one reason, with one decision for all of them: those that are shown, and no later one. */
export function FailuresItem({ tasks, sinceMs, renderTask }: FailuresItemProps) {
  const nowMs = useServerTime()
  const controls = use(RowContext)
  const [isOpen, setOpen] = useState(false)
  const [first] = tasks
  const projectName = useNameOf('projects', first?.project ?? '')
  const names = tasks.map(({ name }) => `“${showUnseen(name)}”`)
  return (
    <RowContext value={{ ...controls, isPeeked: isOpen, onPeek: () => setOpen(!isOpen) }}>
      <Item
        words={{ tone: 'fail', icon: 'failed', text: 'Failed' }}
        title={`${countOf(tasks.length, 'task')} failed for one reason`}
        meta={[
          CATEGORY_LABELS[first?.error_category ?? 'failed'],
          placeWords(first?.agent?.type, projectName),
          `the first failed ${sayAge(nowMs - sinceMs)}`,
          listOf(names.slice(0, NAMED), { total: names.length }),
        ]}
        peek={{ label: 'Show each', render: () => <ul className={css['members']}>{tasks.map(renderTask)}</ul> }}
        actions={<Decisions tasks={tasks} />}
      >
        {first?.error !== undefined && <p className={css['error']}>{failureWords(first.error)}</p>}
      </Item>
    </RowContext>
  )
}

function Decisions({ tasks }: Pick<FailuresItemProps, 'tasks'>) {
  const { decide, isRunning } = useTaskBulk()
  return (['run', 'resume'] as const).map((action) => {
    const allowed = tasks.filter(({ actions }) => actions.includes(action))
    const [first] = allowed
    if (first === undefined) return null
    const label = action === 'resume' ? 'Resume' : runWords(first)
    return (
      <Button key={action} isSmall isBusy={isRunning} onClick={() => void decide(label, allowed, { action })}>
        {label} {allowed.length === tasks.length ? `all ${tasks.length}` : `${allowed.length} of ${tasks.length}`}
      </Button>
    )
  })
}
