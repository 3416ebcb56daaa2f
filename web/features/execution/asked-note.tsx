import type { ReactNode } from 'react'
import type { Execution } from '../../../core/rest/client/client.ts'
import { type QuestionEntryProps, QuestionEntry } from '../../components/conversation/question-entry.tsx'
import { Markdown } from '../../components/markdown.tsx'
import { showUnseen } from '../../model/hostile-text.ts'
import { formatInstant } from '../../model/time.ts'
import css from './execution.module.css'

/** The answer that the execution resumed with. */
export function AnswerNote({ execution: { answer } }: { readonly execution: Execution }) {
  if (answer === undefined) return null
  const { at, by, text } = answer
  return (
    <Note label="Answer to the agent">
      <p>
        <b>{showUnseen(by ?? 'A person')} answered</b> <time dateTime={at}>{formatInstant(at)}</time>
      </p>
      <Markdown text={text} />
    </Note>
  )
}

/** What the agent asked at the end, once it is answered or given up. */
export function AskedNote(asked: QuestionEntryProps) {
  return (
    <Note label="What the agent asked">
      <QuestionEntry {...asked} />
    </Note>
  )
}

function Note({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    // What scrolls can be scrolled by keys alone (WCAG 2.1.1).
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={`${css['question']} ${css['asked']}`} aria-label={label} tabIndex={0}>
      {children}
    </section>
  )
}
