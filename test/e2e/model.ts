/**
 * A scripted model in a pod: `node model.mjs <file with scripts as JSON> <port>`. A test bundles it and tells it through a
 * ConfigMap what it does in each task, which it knows by the title in the conversation. Its log says what it was told.
 */
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { asRecord } from '../../core/json.ts'
import { secondsAhead, subscriptionUsedUp } from '../agents/refusals.ts'
import { startModelServer } from '../agents/model-server.ts'
import type { Script, Turn } from '../agents/turn.ts'

/** What the model does in a task, turn by turn; when all is done it says `done`. */
export type Scripts = Readonly<Record<string, readonly ScriptedTurn[]>>

export type ScriptedTurn =
  | Extract<Turn, { kind: 'say' | 'use' }>
  /** The usage limit of the subscription, which ends so many seconds after it was met. */
  | { readonly kind: 'limit'; readonly seconds: number }

/** A line of its log: one request of a conversation. */
export interface ModelLogLine {
  readonly title: string | undefined
  readonly authorization: string
  /** The messages of the conversation, as JSON. */
  readonly told: string
}

function toTurn(turn: ScriptedTurn): Turn {
  return turn.kind === 'limit' ? subscriptionUsedUp(secondsAhead(turn.seconds)) : turn
}

async function serve(file: string, port: number): Promise<void> {
  const model = await startModelServer({ host: '0.0.0.0', port })
  const scripts: Scripts = JSON.parse(readFileSync(file, 'utf8'))
  const left = new Map(Object.entries(scripts).map(([title, turns]) => [title, [...turns]]))
  const next: Script = () => {
    const { authorization = '', body } = model.asked.at(-1) ?? {}
    model.forget()
    const text = JSON.stringify(body)
    const title = [...left.keys()].find((each) => text.includes(each))
    const line: ModelLogLine = { title, authorization, told: messagesOf(body) }
    process.stdout.write(`${JSON.stringify(line)}\n`)
    return toTurn(left.get(title ?? '')?.shift() ?? { kind: 'say', text: 'done' })
  }
  model.play([], next)
}

/** By the name that each provider's format has for them. */
function messagesOf(body: unknown): string {
  const { messages, contents, input } = asRecord(body)
  return JSON.stringify(messages ?? contents ?? input)
}

if (process.argv[2] !== undefined) await serve(process.argv[2], Number(process.argv[3]))
