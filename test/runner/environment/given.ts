import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Recipe } from '../../../core/environment/recipe.ts'
import type { Seal } from '../../../core/environment/seal.ts'
import type { Prepared } from '../../../core/execution/prepared.ts'
import type { RunSpec } from '../../../core/execution/run-spec.ts'
import type { Remote } from '../../helpers/repository.ts'
import { makeExecution, type TestExecution } from '../execution.ts'

export const FOLDER = 'environments/0f3c/demo-e1'

/** With defaults for all that the test does not name. */
export function aRecipe(change: Partial<Recipe> = {}): Recipe {
  const cache = [{ path: 'node_modules', mode: 'Copy' as const }]
  const defaults = { setup: 'mkdir node_modules; echo installed > node_modules/a.js', env: [], cache, keys: [] }
  return { ...defaults, timeoutSeconds: 60, required: false, ...change }
}

export type Told = Partial<NonNullable<RunSpec['environment']>>

/** A Prepare; with a recipe of the project, or of the repository's own file where `recipe` is null. */
export function aPrepare(
  root: string,
  remote: Pick<Remote, 'path'>,
  recipe: Recipe | null,
  { secrets = {}, ...change }: Partial<RunSpec> & { readonly secrets?: Readonly<Record<string, string>> } = {},
): TestExecution {
  const names = Object.keys(secrets)
  const spec = {
    task: 'demo-e1',
    execution: 'demo-e1',
    sandbox: 'aside.prepare',
    branch: 'slipway/demo-e1',
    agent: { name: '', adapter: '' },
    environment: { image: '', ...(recipe === null ? {} : { recipe }) },
    seal: { folder: FOLDER, secrets: names },
    passEnv: names,
    ...change,
  }
  return makeExecution(root, remote, recipe?.setup ?? '', spec, secrets)
}

/** A task whose operator says this of its environment. */
export function aTask(
  root: string,
  remote: Pick<Remote, 'path'>,
  script: string,
  environment: Told,
  change: Partial<RunSpec> = {},
): TestExecution {
  return makeExecution(root, remote, script, { environment: { image: '', ...environment }, ...change })
}

/** What is told of an environment that a Prepare has sealed. */
export function mountedOf(prepare: TestExecution): { readonly folder: string; readonly digest: string } {
  return { folder: FOLDER, digest: readSeal(prepare).digest }
}

/** Starts a step and ends it with all that it has started, as the end of a container does, once something is reached. */
export async function killWhen(
  execution: TestExecution,
  step: 'prepare' | 'stage' | 'deliver',
  isReached: () => boolean,
): Promise<void> {
  const child = execution.start(step, {}, ['setsid'])
  const ended = once(child, 'close')
  while (!isReached() && child.exitCode === null) await new Promise((resolve) => setImmediate(resolve))
  try {
    process.kill(-(child.pid ?? 0), 'SIGKILL')
  } catch {
    // It has just ended.
  }
  await ended
}

/** How many names a folder has that a step may be making or removing just now. */
export function countIn(folder: string): number {
  try {
    return readdirSync(folder).length
  } catch {
    // It is not there.
    return 0
  }
}

export function readSeal({ volume }: Pick<TestExecution, 'volume'>): Seal {
  return JSON.parse(readFileSync(join(volume, FOLDER, 'seal.json'), 'utf8')) as Seal
}

export function readPrepared(execution: TestExecution): Prepared {
  return JSON.parse(execution.read('prepared.json')) as Prepared
}

/** What prepare tells the operator. */
export function readTold(root: string): Record<string, unknown> {
  const text = readFileSync(join(root, 'termination-prepare'), 'utf8')
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
}
