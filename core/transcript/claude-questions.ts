/** The tool by which Claude Code asks a person, on stdout and stdin (`--permission-prompt-tool stdio`). */
import { RESULT_LIMITS } from '../execution/result-limits.ts'
import type { Question } from '../execution/result.ts'
import { type Fields, eventText, optionalField, listIn, textIn } from './fields.ts'
import { clip } from '../text.ts'

export const QUESTION_TOOL = 'AskUserQuestion'

/** The questions in the input of a call of the tool. */
export function readQuestions(input: Fields): Question[] {
  return listIn(input, 'questions').slice(0, RESULT_LIMITS.questions).flatMap(toQuestion)
}

function toQuestion(question: Fields): Question[] {
  const text = textIn(question, 'question')
  if (text === undefined || text.trim() === '') return []
  const labels = listIn(question, 'options').flatMap((option) => textIn(option, 'label') ?? [])
  const options = labels
    .slice(0, RESULT_LIMITS.questionOptions)
    .map((label) => clip(label, RESULT_LIMITS.questionOptionLength))
  const header = textIn(question, 'header')
  const multiple = question['multiSelect'] === true
  return [
    {
      text: eventText(text),
      ...optionalField('header', header && clip(header, RESULT_LIMITS.questionHeaderLength)),
      ...(options.length === 0 ? {} : { options }),
      ...(multiple ? { multiple } : {}),
    },
  ]
}
