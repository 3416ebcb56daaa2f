import type { Task } from '../../../core/rest/client/client.ts'
import { hiddenWords } from '../../../core/sentences/review.ts'
import { ChecksBeside } from '../../components/checks.tsx'
import { CiBeside } from '../../components/ci.tsx'
import { ForeignBadge } from '../../components/review-notes.tsx'
import { StateBadge } from '../../components/state-badge.tsx'
import css from './task.module.css'

/** What speaks for the work or against it, in the bar where it is accepted; nothing where there is nothing to say. */
export function ReviewFacts({ task }: { readonly task: Task }) {
  const hidden = hiddenWords(task)
  const isChecked = task.checks !== undefined || task.checks_waived !== undefined || task.ci !== undefined
  const isQuiet = task.foreign_commit_count === undefined && hidden === undefined && !isChecked
  if (isQuiet && task.protected_changes === undefined) return null
  return (
    // What scrolls can be scrolled by keys alone (WCAG 2.1.1).
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={css['about']} role="region" aria-label="About the work" tabIndex={0}>
      <ChecksBeside task={task} />
      <CiBeside task={task} />
      <ForeignBadge of={task} />
      {hidden !== undefined && <StateBadge words={{ tone: 'ask', icon: 'eye', text: hidden }} />}
    </div>
  )
}
