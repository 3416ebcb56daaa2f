import type { Story } from '../../../core/rest/client/client.ts'
import type { Bulk, BulkStoryDecision } from '../../api/bulk.ts'
import { BulkBar, BulkButton, BulkPriority } from '../../components/bulk-bar.tsx'
import { countAllowed } from '../../model/bulk.ts'

const ACTIONS = ['run', 'accept'] as const
const LABELS = { run: 'Run', accept: 'Accept' } as const
const acceptQuestion = (count: number): string =>
  `Accept ${count} without a look at each? Their work goes where their projects say.`

interface StoryBulkProps {
  readonly selected: readonly Story[]
  readonly bulk: Bulk<Story, BulkStoryDecision>
  readonly onClear: () => void
  /** Those where a decision was done; the others stay selected. */
  readonly onDone: (ids: ReadonlySet<string>) => void
}

/** What can be decided about the selected stories: each decision for as many of them as allow it. */
export function StoryBulk({ selected, bulk: { decide, isRunning }, onClear, onDone }: StoryBulkProps) {
  const allowed = countAllowed(selected, ACTIONS)
  const take = (label: string, stories: readonly Story[], decision: BulkStoryDecision): void =>
    void decide(label, stories, decision).then(onDone)
  return (
    <BulkBar selected={selected.length} onClear={onClear}>
      {ACTIONS.map((action) => (
        <BulkButton
          key={action}
          label={LABELS[action]}
          allowed={allowed.get(action) ?? 0}
          selected={selected.length}
          isBusy={isRunning}
          question={action === 'accept' ? acceptQuestion : undefined}
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
