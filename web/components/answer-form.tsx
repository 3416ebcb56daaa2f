import type { ComponentProps } from 'react'
import {
  type Answers,
  type Question,
  answerOf,
  isComplete,
  toAnswer,
  withOption,
  withOwnWords,
} from '../model/answers.ts'
import { showUnseen } from '../model/hostile-text.ts'
import css from './answer-form.module.css'
import area from './text-area.module.css'
import { Button } from './button.tsx'
import { DecidingNote } from './deciding-note.tsx'

interface AnswerFormProps {
  readonly questions: readonly Question[]
  readonly answers: Answers
  readonly canAnswer: boolean
  readonly isPending: boolean
  /** The answer that waits to be taken back stands in the place of the form. */
  readonly held?: ComponentProps<typeof DecidingNote> | undefined
  readonly onAnswers: (answers: Answers) => void
  readonly onSend: (answer: string | Readonly<Record<string, string>>) => void
}

/** An agent's questions with their options, and room for an answer in one's own words. */
export function AnswerForm({
  questions,
  answers,
  canAnswer: mayAnswer,
  isPending,
  held,
  onAnswers,
  onSend,
}: AnswerFormProps) {
  const canAnswer = mayAnswer && held === undefined
  const [first] = questions
  // The only question's option is the whole answer, so choosing it sends it.
  const isDirect = questions.length === 1 && first?.isMultiple === false
  const choose = (question: Question, option: string): void => {
    const next = withOption(answers, question, option)
    if (isDirect) onSend(option)
    else onAnswers(next)
  }
  const isBegun = questions.some((question) => answerOf(answers, question).own !== '')
  return (
    <form
      className={css['form']}
      onSubmit={(event) => {
        event.preventDefault()
        onSend(toAnswer(questions, answers))
      }}
    >
      {questions.map((question) => (
        <fieldset key={question.text} className={css['question']}>
          <legend>
            {question.header !== undefined && <span className={css['header']}>{showUnseen(question.header)}</span>}
            {showUnseen(question.text)}
          </legend>
          {canAnswer && (
            <>
              <Options
                question={question}
                chosen={isDirect ? undefined : answerOf(answers, question).chosen}
                isPending={isPending}
                onChoose={(option) => choose(question, option)}
              />
              <textarea
                className={`${area['text']} ${css['text']}`}
                aria-label={
                  questions.length === 1 ? 'Answer in your own words' : `Answer in your own words: ${question.text}`
                }
                placeholder={
                  question.options.length > 0
                    ? 'Or answer in your own words. The agent goes on in the same session.'
                    : 'Answer in your own words. The agent goes on in the same session.'
                }
                value={answerOf(answers, question).own}
                onChange={({ target }) => onAnswers(withOwnWords(answers, question, target.value))}
              />
            </>
          )}
        </fieldset>
      ))}
      {canAnswer && (!isDirect || isBegun) && (
        <p className={css['actions']}>
          <Button isSmall type="submit" look="primary" isBusy={isPending} disabled={!isComplete(questions, answers)}>
            Send the answer
          </Button>
        </p>
      )}
      {held !== undefined && <DecidingNote {...held} />}
    </form>
  )
}

interface OptionsProps {
  readonly question: Question
  /** Undefined where an option is sent at once. */
  readonly chosen: readonly string[] | undefined
  readonly isPending: boolean
  readonly onChoose: (option: string) => void
}

function Options({ question: { options, isMultiple }, chosen, isPending, onChoose }: OptionsProps) {
  if (options.length === 0) return null
  return (
    <div className={css['options']}>
      {options.map((option, index) => (
        <Button
          key={option}
          isBusy={isPending}
          data-key={chosen === undefined ? index + 1 : undefined}
          aria-pressed={chosen?.includes(option)}
          onClick={() => onChoose(option)}
        >
          {showUnseen(option)}
          {chosen === undefined && <kbd aria-hidden>{index + 1}</kbd>}
        </Button>
      ))}
      {isMultiple && <span className={css['hint']}>any number of these</span>}
    </div>
  )
}
