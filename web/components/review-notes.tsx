import type { ReviewFindings } from '../../core/review/words.ts'
import { describeForeign, describeHidden, foreignWords } from '../../core/review/words.ts'
import { showUnseen } from '../model/hostile-text.ts'
import { Finding } from './finding.tsx'
import { StateBadge } from './state-badge.tsx'

/** That commits of others are part of the work; nothing where all are Slipway's. */
export function ForeignBadge({ of }: { readonly of: ReviewFindings }) {
  const text = foreignWords(of)
  return text === undefined ? null : <StateBadge words={{ tone: 'ask', icon: 'eye', text }} />
}

/** What a reviewer has to know beside the diff, each with its commits. */
export function ReviewNotes({ of }: { readonly of: ReviewFindings }) {
  return [describeForeign(of), describeHidden(of)].map(
    (note) =>
      note !== undefined && (
        <Finding key={note.text} verdict="unsure" title={note.text}>
          <ul>
            {note.commits.map((commit) => (
              <li key={commit}>{showUnseen(commit)}</li>
            ))}
          </ul>
        </Finding>
      ),
  )
}
