/**
 * Asks an agent for an answer in a given form. The prompt ends with the JSON schema, and the answer is looked for in the
 * last text of the CLI. If it does not fit the schema, the agent is asked once more, in the same session, and is told what
 * is wrong.
 *
 * The agent can write the file of the answer too, so every reader checks it again.
 */
import { formatSize } from '../../core/sentences/amounts.ts'
import { join } from 'node:path'
import { findJson } from '../../core/answer/find-json.ts'
import { ANSWER_SCHEMAS } from '../../core/answer/schemas.ts'
import type { AgentOutcome } from '../../core/execution/result.ts'
import type { AnswerSchema } from '../../core/crd/types.ts'
import { EXECUTION_FILES, MAX_FILE_BYTES } from '../../core/execution/layout.ts'
import { addSpending } from '../../core/execution/spending.ts'
import { clip } from '../../core/text.ts'
import { writeFileAtomic } from '../../lib/files.ts'
import { compileCheck, formatProblemsMessage } from '../../lib/validate.ts'
import type { Beginning } from './adapter.ts'
import type { StepContext } from '../context.ts'

/** What a run of the CLI came to. */
export type Found = Pick<AgentOutcome, 'outcome'> & Partial<AgentOutcome>

/** How one run of the CLI ended. */
export interface FinishedRun {
  readonly found: Found
  readonly isSessionLost: boolean
  /** The CLI's final text, whole. */
  readonly said?: string | undefined
}

type Ask = (beginning: Beginning) => Promise<FinishedRun>

/** @returns how the agent ended; if its answer is usable, agent/answer.json holds it */
export async function askForAnswer(context: StepContext, name: AnswerSchema, prompt: string, ask: Ask): Promise<Found> {
  const read = makeReader(name)
  const first = await ask({ prompt: `${prompt}\n${formPrompt(name)}` })
  if (first.found.outcome !== 'succeeded') return refuseQuestion(first.found)
  const answer = read(first.said)
  if (answer.ok) return keepAnswer(context, first.found, answer.json)
  context.say(`the answer is unusable, asking once more: ${answer.problem}`)
  const { sessionId } = first.found
  const again = `${REPAIR}\n\n${answer.problem}\n${formPrompt(name)}`
  const second = await ask(sessionId === undefined ? { prompt: `${prompt}\n\n${again}` } : { prompt: again, sessionId })
  const found = { ...second.found, ...addSpending(first.found, second.found) }
  if (found.outcome !== 'succeeded') return refuseQuestion(found)
  const repaired = read(second.said)
  return repaired.ok ? keepAnswer(context, found, repaired.json) : unusable(found, repaired.problem)
}

const REPAIR = 'Your last answer could not be used. What is wrong with it:'

/** The end of the prompt, which shows the agent the form. */
function formPrompt(name: AnswerSchema): string {
  const schema = JSON.stringify(ANSWER_SCHEMAS[name])
  return `\n## Form of your answer\n\nEnd with one JSON object and nothing after it. It must fit this JSON schema:\n\n\`\`\`json\n${schema}\n\`\`\`\n`
}

type Read = { readonly ok: true; readonly json: string } | { readonly ok: false; readonly problem: string }

function makeReader(name: AnswerSchema): (said: string | undefined) => Read {
  const check = compileCheck(ANSWER_SCHEMAS[name])
  return (said = '') => {
    const found = findJson(said)
    if (found === undefined) return { ok: false, problem: 'it has no JSON object' }
    const checked = check(found)
    if (!checked.ok) return { ok: false, problem: formatProblemsMessage(checked.problems) }
    const json = JSON.stringify(checked.value)
    if (Buffer.byteLength(json) < MAX_FILE_BYTES.answer) return { ok: true, json }
    return { ok: false, problem: `it must be shorter than ${formatSize(MAX_FILE_BYTES.answer)}` }
  }
}

async function keepAnswer(context: StepContext, found: Found, json: string): Promise<Found> {
  await writeFileAtomic(join(context.paths.execution, EXECUTION_FILES.answer), `${json}\n`)
  return { ...found, answer: 'Usable' }
}

function unusable(found: Found, problem: string): Found {
  const message = clip(`the agent's answer cannot be used, asked twice: ${problem}`, 4000)
  return { ...found, outcome: 'failed', answer: 'Unusable', error: { category: 'failed', message } }
}

/** A question is no answer, because nobody could reply. */
function refuseQuestion(found: Found): Found {
  if (found.outcome !== 'blocked') return found
  const { questions: _, ...rest } = found
  return unusable(rest, 'it asked a question instead')
}
