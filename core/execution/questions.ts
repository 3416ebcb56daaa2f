import type { Question } from './result.ts'

/** A question as large as its schema allows passes; all that the schema allows together, 5 MiB, no object can hold. */
const MAX_QUESTIONS_LENGTH = 128 * 1024

/** The questions as a record holds them: those beyond 128 KiB of JSON keep the beginning of their texts alone. */
export function clampQuestions(questions: readonly Question[]): Question[] {
  let room = MAX_QUESTIONS_LENGTH
  const fits = (question: Question): boolean => (room -= JSON.stringify(question).length) >= 0
  return questions.map((question) => (fits(question) ? question : { text: question.text.slice(0, 1024) }))
}
