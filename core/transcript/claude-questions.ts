/** The tool by which Claude Code asks a person, on stdout and stdin (`--permission-prompt-tool stdio`). */
import type { Question } from '../execution/result.ts'
import type { Fields } from './fields.ts'
import { eventText, optionalField, listIn, textIn } from './fields.ts'
import { clampText } from './summary.ts'

export const QUESTION_TOOL = 'AskUserQuestion'

/** What an outcome can hold (core/execution/result.ts). */
const [MAX_QUESTIONS, MAX_OPTIONS, MAX_OPTION, MAX_HEADER] = [20, 50, 4096, 200]

/** The questions in the input of a call of the tool. */
export function readQuestions(input: Fields): Question[] {
  return listIn(input, 'questions').slice(0, MAX_QUESTIONS).flatMap(toQuestion)
}

function toQuestion(question: Fields): Question[] {
  const text = textIn(question, 'question')
  if (text === undefined || text.trim() === '') return []
  const labels = listIn(question, 'options').flatMap((option) => textIn(option, 'label') ?? [])
  const options = labels.slice(0, MAX_OPTIONS).map((label) => clampText(label, MAX_OPTION))
  const header = textIn(question, 'header')
  const multiple = question['multiSelect'] === true
  return [
    {
      text: eventText(text),
      ...optionalField('header', header && clampText(header, MAX_HEADER)),
      ...(options.length === 0 ? {} : { options }),
      ...(multiple ? { multiple } : {}),
    },
  ]
}
