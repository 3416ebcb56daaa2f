import { Check, CircleHelp } from 'lucide-react'
import type { Execution } from '../../../core/rest/client/client.ts'
import { chosenOptions } from '../../model/answers.ts'
import { showUnseen } from '../../model/hostile-text.ts'
import type { GivenAnswer } from '../../model/transcript.ts'
import { SMALL_ICON } from '../icons.tsx'
import { Markdown } from '../markdown.tsx'
import css from './conversation.module.css'

export interface QuestionEntryProps {
  readonly questions: NonNullable<Execution['questions']>
  readonly answer: GivenAnswer | undefined
}

/** What the agent asked, and what a person answered. */
export function QuestionEntry({ questions, answer }: QuestionEntryProps) {
  return (
    <div className={css['question']}>
      {questions.map((question, index) => (
        <div key={index}>
          <p className={css['asked']}>
            <CircleHelp size={SMALL_ICON} aria-hidden />
            {question.header === undefined ? 'The agent asks' : showUnseen(question.header)}
          </p>
          <Markdown text={question.text} />
          <Options
            options={question.options ?? []}
            chosen={answer === undefined ? [] : chosenOptions(questions, question, answer.text)}
          />
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

interface OptionsProps {
  readonly options: readonly string[]
  readonly chosen: readonly string[]
}

/** The options as text: nothing is to be chosen here. */
function Options({ options, chosen }: OptionsProps) {
  if (options.length === 0) return null
  return (
    <ul className={css['options']} aria-label="Options">
      {options.map((option) => {
        const isChosen = chosen.includes(option)
        return (
          <li key={option} data-chosen={isChosen || undefined}>
            {isChosen && <Check size={SMALL_ICON} aria-hidden />}
            {showUnseen(option)}
            {isChosen && <span className="unseen">, chosen</span>}
          </li>
        )
      })}
    </ul>
  )
}
