/**
 * PID 1 of each step of an execution: `runner prepare`, `runner agent`, `runner deliver`; where the project has checks, also
 * `runner stage` and `runner check <name>`. SLIPWAY_RUN holds the instructions. Three runners start per task, so a step
 * loads only what it needs.
 */
import { constants } from 'node:fs'
import { cp, copyFile, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type StepName, EXIT_NOT_GIVEN, RUN_SPEC_VARIABLE, STEPS } from '../core/execution/steps.ts'
import { systemClock } from '../lib/clock.ts'
import { hasErrorCode, isOutOfSpace } from '../lib/files.ts'
import { wakeParent } from '../lib/process.ts'
import { removeTree } from '../lib/remove-tree.ts'
import { type StepContext, runPaths } from './context.ts'
import { NotGiven, OUT_OF_SPACE } from './failure.ts'
import { redactUrls } from '../core/redact-urls.ts'
import { readRunSpec } from './run-spec.ts'

/** There is no such step, or there are no instructions: nothing was done and nothing was written. */
const EXIT_USAGE = 2

/** SIGTERM ended it (128 + 15, as in a shell). */
const EXIT_TERMINATED = 143

/** The first argument that asks for {@link copyRunner} instead of a step. */
const COPY_RUNNER = 'copy-runner'

/** @param argument what stands behind the step: the name of a check */
type Perform = (context: StepContext, argument?: string) => Promise<number>

const LOAD = {
  prepare: async () => (await import('./steps/prepare.ts')).prepare,
  agent: async () => (await import('./steps/agent.ts')).agent,
  stage: async () => (await import('./steps/stage.ts')).stage,
  check: async () => (await import('./steps/check.ts')).check,
  deliver: async () => (await import('./steps/deliver.ts')).deliver,
} as const satisfies Record<StepName, () => Promise<Perform>>

/** Loads all that a step can begin with, for the build, which keeps what V8 made of it. */
export async function loadSteps(): Promise<void> {
  await Promise.all(STEPS.map((name) => LOAD[name]()))
}

async function main(folder: string, [argument, second]: readonly string[]): Promise<number> {
  const step = STEPS.find((name) => name === argument)
  const say = (line: string): void => void process.stderr.write(`slipway ${argument}: ${line}\n`)
  if (step === undefined) return withoutStep(folder, argument, second)
  const terminated = terminationSignal()
  const run = readRunSpec(process.env[RUN_SPEC_VARIABLE])
  const tmp = await mkdtemp(join(tmpdir(), `slipway-${step}-`))
  try {
    const perform: Perform = await LOAD[step]()
    const fixed = { run, tmp, say, clock: systemClock, env: process.env }
    return await perform({ ...fixed, paths: runPaths(run), signal: terminated }, second)
  } catch (error) {
    if (error instanceof NotGiven) {
      say(`${error.message}: the operator writes it again`)
      return EXIT_NOT_GIVEN
    }
    if (!terminated.aborted) throw error
    say('ended by SIGTERM')
    return EXIT_TERMINATED
  } finally {
    // A stopped parent would not see our end, and the step would last until its deadline.
    wakeParent()
    await removeTree(tmp)
  }
}

async function withoutStep(folder: string, argument?: string, target?: string): Promise<number> {
  if (argument === COPY_RUNNER && target !== undefined) {
    await copyRunner(folder, target)
    return 0
  }
  process.stderr.write(`usage: runner ${STEPS.join('|')}, or runner ${COPY_RUNNER} <folder>\n`)
  return EXIT_USAGE
}

/** Copies Node and the runner's own folder into one that an agent's image mounts, which has neither. */
async function copyRunner(folder: string, target: string): Promise<void> {
  await copyFile(process.execPath, join(target, 'node'), constants.COPYFILE_FICLONE)
  await cp(folder, target, { recursive: true })
}

function terminationSignal(): AbortSignal {
  const controller = new AbortController()
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, () => controller.abort())
  return controller.signal
}

/**
 * Does what the arguments say, and ends the process.
 *
 * @param folder where the runner's own files are
 * @param args the name of a step, with what stands behind it
 */
export async function run(folder: string, args: readonly string[]): Promise<never> {
  // If nobody reads our lines any more, a push must not stop half-way.
  process.stderr.on('error', (error) => {
    if (!hasErrorCode(error, 'EPIPE')) throw error
  })
  // The timers of a Clock do not keep a process alive, but a step may wait for such a timer alone.
  setInterval(() => undefined, 60_000)
  try {
    // An empty event loop would not do: what an agent left behind may hold our pipes open.
    process.exit(await main(folder, args))
  } catch (error) {
    // What a full volume means is no fault of ours, and our last lines may be all that a person gets to read.
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error)
    const text = isOutOfSpace(error) ? OUT_OF_SPACE : reason
    process.stderr.write(`slipway: ${redactUrls(text)}\n`)
    process.exit(EXIT_USAGE)
  }
}
