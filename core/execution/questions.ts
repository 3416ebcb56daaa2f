import { type Text, clip } from '../text.ts'
import { RESULT_LIMITS } from './result-limits.ts'
import type { Question } from './result.ts'

/** A question as large as its schema allows passes; all that the schema allows together, 5 MiB, no object can hold. */
const MAX_QUESTIONS_LENGTH = 128 * 1024

/** The questions as a record holds them: those beyond 128 KiB of JSON keep the beginning of their texts alone. */
export function clampQuestions(
  questions: readonly Question[],
): (Question & { text: Text<typeof RESULT_LIMITS.questionLength> })[] {
  let room = MAX_QUESTIONS_LENGTH
  const hasRoom = (question: Question): boolean => (room -= JSON.stringify(question).length) >= 0
  return questions.map((question) => {
    if (!hasRoom(question)) return { text: clip(clip(question.text, 1024), RESULT_LIMITS.questionLength) }
    return { ...question, text: clip(question.text, RESULT_LIMITS.questionLength) }
  })
}

/** All that was asked in several ways, each text once; as many as an outcome holds. */
export function joinQuestions(...lists: readonly (readonly Question[])[]): Question[] {
  const byText = new Map(lists.flat().map((question) => [question.text, question]))
  return [...byText.values()].slice(0, RESULT_LIMITS.questions)
}
