import { type ReviewFindings, describeReview, describeUndelivered, foreignWords } from '../../core/sentences/review.ts'
import type { Environment, Execution } from '../../core/rest/client/client.ts'
import { showUnseen } from '../model/hostile-text.ts'
import { capitalised } from '../model/texts.ts'
import css from './review-notes.module.css'
import { StateBadge } from './state-badge.tsx'

/** That commits of others are part of the work; nothing where all are Slipway's. */
export function ForeignBadge({ of }: { readonly of: ReviewFindings }) {
  const text = foreignWords(of)
  return text === undefined ? null : <StateBadge words={{ tone: 'ask', icon: 'eye', text }} />
}

/** What a reviewer has to know beside the diff, each with its commits. */
export function ReviewNotes({ of }: { readonly of: ReviewFindings }) {
  return describeReview(of).map((note) => <Note key={note.title} {...note} />)
}

/** What a run made that is not on its branch; nothing where all of it is. */
export function UndeliveredNote({ execution }: { readonly execution: Execution | undefined }) {
  const words = describeUndelivered(execution?.undelivered, execution?.undelivered_count)
  return words && <Note title={capitalised(words.title)} lines={words.lines} />
}

interface EnvironmentNoteProps {
  readonly execution: Execution | undefined
  /** Of its project: one that has failed says why. */
  readonly environments: readonly Environment[] | undefined
}

/** That an agent began without what the setup of its project prepares, and the setup's last lines; nothing where it has it. */
export function EnvironmentNote({ execution, environments = [] }: EnvironmentNoteProps) {
  const { problem, digest } = execution?.environment ?? {}
  if (problem === undefined) return null
  const failed = environments.find((one) => one.state === 'failed' && digest !== undefined && one.digest === digest)
  const [first = '', ...lines] = [problem, failed?.message ?? ''].flatMap((text) => text.split('\n'))
  return (
    <Note
      title="The agent started without the environment of the project"
      text={showUnseen(first)}
      lines={lines.filter((line) => line.trim() !== '')}
    />
  )
}

interface NoteProps {
  readonly title: string
  readonly text?: string
  readonly lines: readonly string[]
}

/** One thing that a reader has to know, and what it is about. */
export function Note({ title, text, lines }: NoteProps) {
  return (
    <div className={css['note']} role="note" aria-label={title}>
      <p>
        <b>
          {title}
          {text === undefined ? ':' : '.'}
        </b>{' '}
        {text}
      </p>
      <ul>
        {lines.map((line, index) => (
          <li key={index}>{showUnseen(line)}</li>
        ))}
      </ul>
    </div>
  )
}
