import type { Task } from '../../../core/rest/client/client.ts'
import type { Bulk, BulkTaskDecision } from '../../api/bulk.ts'
import { BulkBar, BulkButton, BulkPriority } from '../../components/bulk-bar.tsx'
import { countAllowed } from '../../model/bulk.ts'

const ACTIONS = ['run', 'resume', 'accept', 'cancel'] as const
const LABELS = { run: 'Run', resume: 'Resume', accept: 'Accept', cancel: 'Cancel' } as const
const QUESTIONS: Readonly<Partial<Record<(typeof ACTIONS)[number], (count: number) => string>>> = {
  accept: (count) => `Accept ${count} without a look at each? Their work goes where their projects say.`,
  cancel: (count) => `Cancel ${count}? What runs is stopped; its work is kept.`,
}

interface TaskBulkProps {
  readonly selected: readonly Task[]
  readonly bulk: Bulk<Task, BulkTaskDecision>
  readonly onClear: () => void
  /** Those where a decision was done; the others stay selected. */
  readonly onDone: (ids: ReadonlySet<string>) => void
}

/** What can be decided about the selected tasks: each decision for as many of them as allow it. */
export function TaskBulk({ selected, bulk: { decide, isRunning }, onClear, onDone }: TaskBulkProps) {
  const allowed = countAllowed(selected, ACTIONS)
  const take = (label: string, tasks: readonly Task[], decision: BulkTaskDecision): void =>
    void decide(label, tasks, decision).then(onDone)
  return (
    <BulkBar selected={selected.length} onClear={onClear}>
      {ACTIONS.map((action) => (
        <BulkButton
          key={action}
          label={LABELS[action]}
          allowed={allowed.get(action) ?? 0}
          selected={selected.length}
          isBusy={isRunning}
          question={QUESTIONS[action]}
          onClick={() =>
            take(
              LABELS[action],
              selected.filter(({ actions }) => actions.includes(action)),
              { action },
            )
          }
        />
      ))}
      <BulkPriority
        isBusy={isRunning}
        onGive={(priority) => take(`Priority ${priority}`, selected, { action: 'priority', priority })}
      />
    </BulkBar>
  )
}
