import { CircleHelp } from 'lucide-react'
import type { Execution } from '../../../core/rest/client/client.ts'
import { showUnseen } from '../../model/hostile-text.ts'
import type { GivenAnswer } from '../../model/transcript.ts'
import { SMALL_ICON } from '../icons.tsx'
import { Markdown } from '../markdown.tsx'
import css from './conversation.module.css'

interface QuestionEntryProps {
  readonly questions: NonNullable<Execution['questions']>
  readonly answer: GivenAnswer | undefined
}

/** What the agent asked, and what a person answered. */
export function QuestionEntry({ questions, answer }: QuestionEntryProps) {
  return (
    <div className={css['question']}>
      {questions.map(({ text, header, options }, index) => (
        <div key={index}>
          <p className={css['asked']}>
            <CircleHelp size={SMALL_ICON} aria-hidden />
            {header === undefined ? 'The agent asks' : showUnseen(header)}
          </p>
          <Markdown text={text} />
          {options !== undefined && options.length > 0 && (
            <ul>
              {options.map((option) => (
                <li key={option}>{showUnseen(option)}</li>
              ))}
            </ul>
          )}
        </div>
      ))}
      {answer !== undefined && (
        <div className={css['answer']}>
          <p>{answer.by ?? 'A person'} answered</p>
          <Markdown text={answer.text} />
        </div>
      )}
    </div>
  )
}
