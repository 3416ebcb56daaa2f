import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AgentOutcome, ExecutionResult } from '../../core/execution/result.ts'
import type { Given } from '../../core/execution/given.ts'
import { givenFile } from '../../core/execution/layout.ts'
import type { RunSpec } from '../../core/execution/run-spec.ts'
import type { StepName } from '../../core/execution/steps.ts'
import { type Prompts, makeGiven } from '../../operator/execution/prompts.ts'
import type { Remote } from '../helpers/repository.ts'
import { RUNNER } from '../helpers/slipway.ts'

export interface StepEnd {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

/** One execution on a volume of its own, whose steps are run as the real program. */
export interface TestExecution {
  readonly spec: RunSpec
  readonly volume: string
  readonly clone: string
  readonly folder: string
  /** Runs one step to its end. */
  readonly step: (step: StepName, change?: Partial<RunSpec>) => Promise<StepEnd>
  /** Starts one step and leaves it running, as the child of the program `below` if one is given. */
  readonly start: (step: StepName, change?: Partial<RunSpec>, below?: readonly string[]) => ChildProcess
  /** Runs a check of `checks`, whose programs are in the spec. */
  readonly check: (name: string, change?: Partial<RunSpec>) => Promise<StepEnd>
  /** Starts it and leaves it running. */
  readonly startCheck: (name: string, change?: Partial<RunSpec>) => ChildProcess
  /** Runs all steps with those of the checks; answers the exit code of the last that ran. */
  readonly allChecked: (change?: Partial<RunSpec>) => Promise<StepEnd>
  /** Runs all three; answers the exit code of the last that ran. */
  readonly all: (change?: Partial<RunSpec>) => Promise<StepEnd>
  readonly read: (file: string) => string
  readonly write: (file: string, content: string) => void
  readonly exists: (file: string) => boolean
  /** Writes what the agent is given, with this in the place of parts of it, as the operator does; answers its path. */
  readonly give: (change: Partial<Given>, told?: Prompts) => string
  readonly outcome: () => AgentOutcome
  readonly result: () => ExecutionResult
}

/** A temporary folder that the test removes. */
export function makeFolder(): string {
  return mkdtempSync(join(tmpdir(), 'slipway-test-'))
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}

export function makeExecution(
  root: string,
  remote: Pick<Remote, 'path'>,
  script: string,
  spec: Partial<RunSpec> = {},
  /** More variables of the container. */
  more: Readonly<Record<string, string>> = {},
): TestExecution {
  const volume = join(root, 'volume')
  const folder = join(volume, 'executions', spec.execution ?? 'demo-1')
  const clone = join(volume, 'sandboxes', 'demo', 'repo')
  for (const path of [join(folder, 'agent'), join(volume, 'sandboxes', 'demo'), join(volume, 'drops')])
    mkdirSync(path, { recursive: true })
  const complete = { ...defaults(volume, remote.path), ...spec }
  let given: { readonly given?: string } = {}
  const give: TestExecution['give'] = (change, told = { prompt: script, resume: '' }) => {
    const { digest, text } = makeGiven({ ...told, ...change }, { schemaVersion: 1, mcpServers: [] })
    given = { given: digest }
    writeFileSync(join(folder, givenFile(digest)), text)
    return join(folder, givenFile(digest))
  }
  // As an earlier operator did, which told the answer too.
  if (spec.answer === undefined && spec.hasAnswerFile === undefined) give({})
  else writeFileSync(join(folder, 'prompt.md'), script)
  const start: TestExecution['start'] = (step, change = {}, below = []) => launch([step], change, below)
  const startCheck: TestExecution['startCheck'] = (name, change = {}) => launch(['check', name], change)
  const check: TestExecution['check'] = async (name, change) => finish(startCheck(name, change))
  const allChecked: TestExecution['allChecked'] = async (change) => {
    for (const name of ['prepare', 'agent', 'stage'] as const) {
      const end = await step(name, change)
      if (end.exitCode !== 0) return end
    }
    for (const { name } of complete.checks?.list ?? []) {
      const end = await check(name, change)
      if (end.exitCode !== 0) return end
    }
    return step('deliver', change)
  }
  const launch = (argv: readonly string[], change: Partial<RunSpec>, below: readonly string[] = []): ChildProcess => {
    const [command = '', ...args] = [...below, process.execPath, RUNNER, ...argv]
    return spawn(command, args, {
      env: {
        PATH: process.env['PATH'],
        TMPDIR: root,
        TERMINATION_MESSAGE_PATH: join(root, `termination-${argv.join('-')}`),
        AGENT_TOKEN: 'from the secret',
        ...more,
        SLIPWAY_RUN: JSON.stringify({ ...complete, ...given, ...change }),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  }
  const step = async (name: StepName, change?: Partial<RunSpec>): Promise<StepEnd> => finish(start(name, change))
  const all = async (change?: Partial<RunSpec>): Promise<StepEnd> => {
    for (const name of ['prepare', 'agent'] as const) {
      const end = await step(name, change)
      if (end.exitCode !== 0) return end
    }
    return step('deliver', change)
  }
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8')
  return {
    get spec() {
      return { ...complete, ...given }
    },
    volume,
    clone,
    folder,
    step,
    start,
    check,
    startCheck,
    allChecked,
    all,
    read,
    write: (file, content) => writeFileSync(join(folder, file), content),
    give,
    exists: (file) => existsSync(join(folder, file)),
    outcome: () => JSON.parse(read('agent/outcome.json')) as AgentOutcome,
    result: () => JSON.parse(read('result.json')) as ExecutionResult,
  }
}

function defaults(volumeRoot: string, repositoryUrl: string): RunSpec {
  return {
    schemaVersion: 1,
    task: 'demo',
    execution: 'demo-1',
    jobNumber: 1,
    volumeRoot,
    title: 'Do the demo',
    repositoryUrl,
    branch: 'slipway/demo',
    keepClone: false,
    deliverOnly: false,
    agent: { name: 'script', adapter: 'script' },
    timeoutSeconds: 60,
    maxLogBytes: 10_000_000,
  }
}

/** Waits for the end of a step and collects what it printed. */
export async function finish(child: ChildProcess): Promise<StepEnd> {
  const printed = { stdout: [] as Buffer[], stderr: [] as Buffer[] }
  child.stdout?.on('data', (chunk: Buffer) => printed.stdout.push(chunk))
  child.stderr?.on('data', (chunk: Buffer) => printed.stderr.push(chunk))
  await once(child, 'close')
  const text = (chunks: Buffer[]): string => Buffer.concat(chunks).toString('utf8')
  return { exitCode: child.exitCode, stdout: text(printed.stdout), stderr: text(printed.stderr) }
}
