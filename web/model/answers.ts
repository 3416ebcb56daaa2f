/** Questions of a task and the answer that is sent: pure. Source: specification §8.13. */
import { asRecord, parseJson } from '../../core/json.ts'
import type { Task } from '../../core/rest/client/client.ts'

export interface Question {
  readonly text: string
  /** A word or two above it. */
  readonly header?: string | undefined
  readonly options: readonly string[]
  /** Whether several options may be chosen. */
  readonly isMultiple: boolean
}

/** What a person has put down for one question so far. */
export interface Answer {
  readonly chosen: readonly string[]
  /** In their own words; where there are any, they are the answer. */
  readonly own: string
}

/** What has been put down, by the text of the question. */
export type Answers = Readonly<Record<string, Answer>>

const NO_ANSWER: Answer = { chosen: [], own: '' }

/** What the agent asks; a question without items is one text without options. */
export function questionsOf(task: Pick<Task, 'question' | 'question_items' | 'question_options'>): readonly Question[] {
  const items = task.question_items ?? []
  if (items.length > 0)
    return items.map(({ text, header, options = [], multiple = false }) => ({
      text,
      ...(header === undefined ? {} : { header }),
      options,
      isMultiple: multiple,
    }))
  return task.question === undefined
    ? []
    : [{ text: task.question, options: task.question_options ?? [], isMultiple: false }]
}

/** What is put down for a question. */
export function answerOf(answers: Answers, { text }: Question): Answer {
  return Object.hasOwn(answers, text) ? (answers[text] ?? NO_ANSWER) : NO_ANSWER
}

/** The same with an option chosen, or taken back; of a question with one answer the others are taken back. */
export function withOption(answers: Answers, question: Question, option: string): Answers {
  const { chosen, own } = answerOf(answers, question)
  const others = question.isMultiple ? chosen.filter((other) => other !== option) : []
  const next = chosen.includes(option) ? others : [...others, option]
  // In the order of the question, not of the clicks.
  return withAnswer(answers, question, { own, chosen: question.options.filter((known) => next.includes(known)) })
}

/** The same with other words for a question. */
export function withOwnWords(answers: Answers, question: Question, own: string): Answers {
  return withAnswer(answers, question, { ...answerOf(answers, question), own })
}

function withAnswer(answers: Answers, { text }: Question, answer: Answer): Answers {
  return Object.fromEntries([...Object.entries(answers).filter(([known]) => known !== text), [text, answer]])
}

/** One text for one question; with several, an answer for each. */
export function toAnswer(questions: readonly Question[], answers: Answers): string | Readonly<Record<string, string>> {
  const [first] = questions
  if (first === undefined) return ''
  if (questions.length === 1) return textOf(answerOf(answers, first))
  return Object.fromEntries(questions.map((question) => [question.text, textOf(answerOf(answers, question))]))
}

function textOf({ chosen, own }: Answer): string {
  return own.trim() === '' ? chosen.join(', ') : own.trim()
}

/**
 * The options of a question that an answer chose, as {@link toAnswer} sends it and the server puts several into one text
 * (core/task/answer.ts). None where somebody answered in their own words.
 *
 * @param asked all that was asked at once
 */
export function chosenOptions(asked: readonly AskedQuestion[], question: AskedQuestion, answer: string) {
  const said = saidTo(asked, question, answer)
  const { options = [] } = question
  if (options.includes(said)) return [said]
  const chosen = options.filter((option) => `, ${said}, `.includes(`, ${option}, `))
  return chosen.join(', ') === said ? chosen : []
}

/** A question as the record of an execution has it. */
export interface AskedQuestion {
  readonly text: string
  readonly options?: readonly string[]
}

const PARAGRAPH = '\n\n'

/** What of an answer is about this question. */
function saidTo(asked: readonly AskedQuestion[], { text }: AskedQuestion, answer: string): string {
  const paragraphs = `${PARAGRAPH}${answer}`
  const head = (of: string): string => `${PARAGRAPH}${of}: `
  const from = paragraphs.indexOf(head(text))
  if (from === -1) return asked.length === 1 ? answer : ''
  const rest = paragraphs.slice(from + head(text).length)
  const ends = asked.map((other) => rest.indexOf(head(other.text))).filter((end) => end !== -1)
  return rest.slice(0, Math.min(rest.length, ...ends))
}

/** All that has been put down, as a text to be read. */
export function textOfAnswers(answers: Answers): string {
  return Object.values(answers)
    .map(textOf)
    .filter((text) => text !== '')
    .join('\n\n')
}

/** Whether every question has an answer. */
export function isComplete(questions: readonly Question[], answers: Answers): boolean {
  return questions.length > 0 && questions.every((question) => textOf(answerOf(answers, question)) !== '')
}

/** Answers as a draft keeps them; what is not one reads as none. */
export function parseAnswers(draft: string): Answers {
  const isText = (value: unknown): value is string => typeof value === 'string'
  const entries = Object.entries(asRecord(parseJson(draft))).map(([text, value]): [string, Answer] => {
    const { chosen, own } = asRecord(value)
    return [text, { chosen: Array.isArray(chosen) ? chosen.filter(isText) : [], own: isText(own) ? own : '' }]
  })
  return Object.fromEntries(entries)
}

/** The draft of answers; "" where nothing is put down. */
export function printAnswers(answers: Answers): string {
  const isEmpty = Object.values(answers).every(({ chosen, own }) => chosen.length === 0 && own === '')
  return isEmpty ? '' : JSON.stringify(answers)
}
