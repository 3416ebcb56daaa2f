import type { Task } from '../../core/rest/client/client.ts'
import type { Terminal } from '../command.ts'
import { formatQuestionLines } from './outcome.ts'
import { oneLine } from './text.ts'

type Item = NonNullable<Task['question_items']>[number]

/** Answer of a person to a task: one text, or question → answer. */
export type Answer = string | Record<string, string>

/**
 * Asks the person at the terminal the questions of a task.
 *
 * @returns undefined when there is no person, or when a question stays open
 */
export async function askPerson(terminal: Terminal, task: Task, signal: AbortSignal): Promise<Answer | undefined> {
  const { ask } = terminal
  const items: readonly Item[] = task.question_items ?? [{ text: task.question ?? '' }]
  if (ask === undefined) return undefined
  terminal.err(`\n${task.id} asks:\n`)
  const answers: Record<string, string> = {}
  for (const item of items) {
    terminal.err(`${formatQuestionLines({ ...task, question_items: [item] }).join('\n')}\n`)
    const line = await ask(promptFor(item), signal)
    if (line === undefined) return undefined
    answers[item.text] = toAnswer(item, line)
  }
  const [only, ...others] = Object.values(answers)
  return others.length === 0 ? only : answers
}

function promptFor({ options = [], multiple }: Item): string {
  const how = multiple === true ? 'numbers with commas, or text' : 'number or text'
  return options.length === 0
    ? 'Answer (Enter alone leaves it open): '
    : `Answer (${how}; Enter alone leaves it open): `
}

/** Replaces numbers in the typed line by the options that they stand for. */
export function toAnswer({ options = [], multiple }: Pick<Item, 'options' | 'multiple'>, line: string): string {
  const parts = multiple === true ? line.split(',').map((part) => part.trim()) : [line.trim()]
  const picked = parts.map((part) => (/^\d{1,3}$/.test(part) ? options[Number(part) - 1] : undefined))
  const isChoice = picked.every((option) => option !== undefined)
  return isChoice ? picked.join(', ') : oneLine(line, 64 * 1024)
}
