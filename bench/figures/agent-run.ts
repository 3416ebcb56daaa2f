/** What Slipway adds to the run of a real agent's CLI, beside the same CLI started by hand; both ask one scripted model. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageFolder } from '../../cli/installation.ts'
import { systemClock } from '../../lib/clock.ts'
import { canUseBwrap } from '../../node/sandbox.ts'
import { agentEnvironment } from '../../runner/agent-environment.ts'
import { getAdapter } from '../../runner/adapters/find.ts'
import { makeCliContext } from '../../test/agents/cli-context.ts'
import type { ModelServer } from '../../test/agents/model-server.ts'
import type { Words } from '../../test/agents/programs.ts'
import { CLAUDE, CODEX, GEMINI } from '../../test/agents/programs.ts'
import type { AgentRig } from '../../test/agents/rig.ts'
import { startAgentRig } from '../../test/agents/rig.ts'
import type { Figure } from '../figure.ts'
import { median } from '../figure.ts'
import type { Effort } from '../measure.ts'

/** Where `npm run test:agents` puts the CLIs. */
const PROGRAMS = join(packageFolder(), 'node_modules', '.cache', 'slipway-agents', 'node_modules', '.bin')

/** No figures where the CLIs are not installed, which takes minutes and the registry, or have no sandbox to run in. */
export async function measure({ size, repeats }: Effort): Promise<Figure[]> {
  if (!existsSync(PROGRAMS) || !(await canUseBwrap(systemClock))) return []
  process.env['SLIPWAY_TEST_AGENTS'] = PROGRAMS
  const figures: Figure[] = []
  for (const words of size === 'full' ? [CLAUDE, CODEX, GEMINI] : [CLAUDE]) figures.push(await compare(words, repeats))
  return figures
}

/** Seconds around the CLI's talk with the model: before its first request and after its last. */
interface Around {
  readonly before: number
  readonly after: number
}

async function compare(words: Words, repeats: number): Promise<Figure> {
  const rig = await startAgentRig(words.program)
  try {
    const runs: { readonly ours: Around; readonly byHand: Around }[] = []
    for (let n = 0; n < repeats; n++) {
      runs.push({ ours: await runTask(rig, words, `run-${n}`), byHand: await runByHand(rig.model, words) })
    }
    const sum = (around: Around): number => around.before + around.after
    return {
      name: `${words.program}: queued → first request, last request → READY`,
      unit: 's',
      ours: median(runs.map(({ ours }) => sum(ours))),
      floor: { what: 'the CLI by hand, start → … → exit', value: median(runs.map(({ byHand }) => sum(byHand))) },
      aim: '≤ 1.5 s more',
    }
  } finally {
    await rig.stop()
  }
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
