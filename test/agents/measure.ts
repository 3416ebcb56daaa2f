// Prints what Slipway adds to the run of a real agent's CLI, beside the same CLI started by hand; both ask one scripted
// model. A stage of .ci/nightly; alone: node tools/test-agents.mjs --run dist/test/agents/measure.js
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { agentEnvironment } from '../../runner/agent/environment.ts'
import { getAdapter } from '../../runner/adapters/registry.ts'
import { makeCliContext } from './cli-context.ts'
import type { ModelServer } from './model-server.ts'
import { type Words, CLAUDE, CODEX, GEMINI } from './programs.ts'
import { type AgentRig, startAgentRig } from './rig.ts'

const REPEATS = 3
/** What we mean to hold on a quiet machine; printed, never asserted. */
const AIM = '≤ 1.5 s'

for (const words of [CLAUDE, CODEX, GEMINI]) process.stdout.write(`${await compare(words)}\n`)
process.exit()

/** Seconds around the CLI's talk with the model: before its first request and after its last. */
interface Around {
  readonly before: number
  readonly after: number
}

async function compare(words: Words): Promise<string> {
  const rig = await startAgentRig(words.program)
  try {
    const runs: { readonly task: Around; readonly byHand: Around }[] = []
    for (let n = 0; n < REPEATS; n++) {
      runs.push({ task: await runTask(rig, words, `run-${n}`), byHand: await runByHand(rig.model, words) })
    }
    const added = (part: keyof Around): string =>
      middle(runs.map(({ task, byHand }) => task[part] - byHand[part])).toFixed(2)
    const whole = middle(runs.map(({ task, byHand }) => task.before + task.after - byHand.before - byHand.after))
    const parts = `${added('before')} s from queued to its start, ${added('after')} s from its end to READY`
    return `Slipway adds ${whole.toFixed(2)} s to a run of ${words.program} (${parts}; aim ${AIM}, median of ${REPEATS})`
  } finally {
    await rig.stop()
  }
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

async function runTask(rig: AgentRig, words: Words, id: string): Promise<Around> {
  play(rig.model, words)
  const startedAt = performance.now()
  await rig.submit(id, { agent: { type: words.program, ...words.agent } })
  await rig.reaches(id, 'READY')
  return around(rig.model, startedAt)
}

async function runByHand(model: ModelServer, words: Words): Promise<Around> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-by-hand-'))
  try {
    const context = makeCliContext({ words, name: 'by-hand' }, folder, model.url)
    const { command, args, env, stdin } = await getAdapter(words.program).start(context, { prompt: 'Do it.\n' })
    play(model, words)
    const startedAt = performance.now()
    const options = { cwd: context.paths.clone, env: { ...agentEnvironment(context), ...env } }
    const child = spawn(command, args, { ...options, stdio: ['pipe', 'ignore', 'ignore'] })
    child.stdin.end(stdin)
    await once(child, 'exit')
    return around(model, startedAt)
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

function play(model: ModelServer, words: Words): void {
  model.play([words.writes, { kind: 'say', text: 'Done' }])
}

/** @throws Error when the model was not asked, so that the run was none */
function around({ asked }: ModelServer, startedAt: number): Around {
  const [first, last] = [asked[0], asked.at(-1)]
  if (first === undefined || last === undefined) throw new Error('the CLI did not ask the model')
  return { before: (first.at - startedAt) / 1000, after: (performance.now() - last.at) / 1000 }
}
