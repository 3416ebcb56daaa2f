import { useState } from 'react'
import type { Task } from '../../../core/rest/client/client.ts'
import { useDraft } from '../../api/drafts.ts'
import { Button } from '../../components/button.tsx'
import type { Answers } from './answers.ts'
import { isComplete, questionsOf, toAnswer } from './answers.ts'
import css from './inbox.module.css'

interface AnswerFormProps {
  readonly task: Task
  readonly canAnswer: boolean
  readonly isPending: boolean
  readonly onAnswer: (answer: string | Readonly<Record<string, string>>) => void
}

/** An agent's questions with their options, and room for an answer in one's own words. */
export function AnswerForm({ task, canAnswer, isPending, onAnswer }: AnswerFormProps) {
  const questions = questionsOf(task)
  const [chosen, setChosen] = useState<Answers>({})
  const [draft, setDraft] = useDraft(`answer.${task.id}`)
  const isOne = questions.length === 1
  const send = (answers: Answers): void => {
    onAnswer(toAnswer(questions, answers, draft))
    setDraft('')
  }
  const choose = (text: string, option: string): void => {
    const answers = { ...chosen, [text]: option }
    // With one question, its option is the whole answer.
    if (isOne) send(answers)
    else setChosen(answers)
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        send(chosen)
      }}
    >
      {questions.map(({ text, options }) => (
        <fieldset key={text} className={css['question']}>
          <legend>{text}</legend>
          {canAnswer && (
            <div className={css['options']}>
              {options.map((option, index) => (
                <Button
                  key={option}
                  isBusy={isPending}
                  data-key={isOne ? index + 1 : undefined}
                  aria-pressed={isOne ? undefined : chosen[text] === option}
                  onClick={() => choose(text, option)}
                >
                  {option}
                  {isOne && <kbd aria-hidden>{index + 1}</kbd>}
                </Button>
              ))}
            </div>
          )}
        </fieldset>
      ))}
      {canAnswer && (
        <>
          <textarea
            className={css['text']}
            aria-label="Answer in your own words"
            placeholder={
              isOne
                ? 'Or answer in your own words. The agent goes on in the same session.'
                : 'Answer to what is still open, in your own words.'
            }
            value={draft}
            onChange={({ target }) => setDraft(target.value)}
          />
          {(draft !== '' || !isOne) && (
            <p className={css['formActions']}>
              <Button
                isSmall
                type="submit"
                look="primary"
                isBusy={isPending}
                disabled={!isComplete(questions, chosen, draft)}
              >
                Send the answer
              </Button>
            </p>
          )}
        </>
      )}
    </form>
  )
}
