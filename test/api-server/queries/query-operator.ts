/** The operator as far as queries go, played by the tests: it sees one, and ends it as it is told. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Agent, Execution, ExecutionStatus } from '../../../core/crd/types.ts'
import { EXECUTIONS } from '../../../kube/resources.ts'
import { anAgent } from '../../helpers/build.ts'
import { until } from '../../helpers/until.ts'
import type { Answer, Rig } from '../rig.ts'

export interface QueryOperator {
  /** The next execution that was asked for and not yet seen, with its prompt. */
  next(): Promise<{ readonly execution: Execution; readonly name: string; readonly prompt: string }>
  /** Stores an answer and says that it is usable; `answer` as a text is stored as it is. */
  answer(name: string, answer: unknown): Promise<void>
  end(name: string, status: ExecutionStatus): Promise<void>
  /** Waits until somebody asks for the end of the execution. */
  cancelled(name: string): Promise<void>
}

export function playOperator(rig: Rig): QueryOperator {
  const seen = new Set<string>()
  const { namespace } = rig
  const end: QueryOperator['end'] = async (name, status) => {
    await rig.setStatus(EXECUTIONS, name, { finishedAt: '2026-01-01T00:00:09Z', ...status })
  }
  return {
    end,
    async next() {
      let found: Execution | undefined
      await until('somebody asks an agent', async () => {
        const { items } = await rig.client.list(EXECUTIONS, { namespace })
        found = items.find(({ metadata, spec }) => spec.answerSchema !== undefined && !seen.has(metadata.name))
        return found !== undefined
      })
      if (found === undefined) throw new Error('no execution')
      const { name } = found.metadata
      seen.add(name)
      const prompt = readFileSync(join(rig.volumeRoot, 'executions', name, 'prompt.md'), 'utf8')
      return { execution: found, name, prompt }
    },
    async answer(name, answer) {
      const folder = join(rig.volumeRoot, 'executions', name, 'agent')
      mkdirSync(folder)
      writeFileSync(join(folder, 'answer.json'), typeof answer === 'string' ? answer : JSON.stringify(answer))
      await end(name, { state: 'COMPLETED', answer: 'Usable', costUSD: 0.25 })
    },
    async cancelled(name) {
      await until(`${name} is to be cancelled`, async () => {
        const { status } = await rig.client.get(EXECUTIONS, { namespace, name })
        return status?.cancelRequestedAt !== undefined
      })
    },
  }
}

/** Agents that can answer. */
export function aClaude(parts: Parameters<typeof anAgent>[0] = {}): Agent {
  return anAgent({ name: 'claude', ...parts, spec: { adapter: 'claude', ...parts.spec } })
}

let clients = 0

/** Posts as a client that did nothing before, so that no token bucket is empty; the rig must trust 127.0.0.1. */
export function postAfresh(rig: Rig, path: string, body: unknown): Promise<Answer> {
  clients += 1
  return rig.post(path, body, { 'X-Forwarded-For': `10.1.${clients >> 8}.${clients & 255}` })
}
