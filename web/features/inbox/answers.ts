/** Questions of a task and the answer that is sent: pure. Source: specification §8.13. */
import type { Task } from '../../../core/rest/client/client.ts'

export interface Question {
  readonly text: string
  readonly options: readonly string[]
}

/** What was chosen for each question, by its text. */
export type Answers = Readonly<Record<string, string>>

/** What the agent asks; a question without items is one text without options. */
export function questionsOf(task: Pick<Task, 'question' | 'question_items' | 'question_options'>): readonly Question[] {
  const items = task.question_items ?? []
  if (items.length > 0) return items.map(({ text, options = [] }) => ({ text, options }))
  return task.question === undefined ? [] : [{ text: task.question, options: task.question_options ?? [] }]
}

/** One text for one question; with several, an answer for each. @param own in one's own words, for what is still open */
export function toAnswer(questions: readonly Question[], chosen: Answers, own: string): string | Answers {
  const text = own.trim()
  const [first] = questions
  if (questions.length <= 1) return text === '' ? (chosen[first?.text ?? ''] ?? '') : text
  return Object.fromEntries(questions.map((question) => [question.text, chosen[question.text] ?? text]))
}

/** Whether every question has an answer. */
export function isComplete(questions: readonly Question[], chosen: Answers, own: string): boolean {
  return own.trim() !== '' || questions.every(({ text }) => (chosen[text] ?? '') !== '')
}
