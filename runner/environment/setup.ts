import { join } from 'node:path'
import type { Given } from '../../core/execution/given.ts'
import { ENVIRONMENT_FILE } from '../../core/execution/layout.ts'
import type { ExitInterpretation } from '../../core/transcript/exit.ts'
import { offerAuthorities } from '../../lib/authorities.ts'
import { scriptAdapter } from '../adapters/script.ts'
import { supervise } from '../agent/supervise.ts'
import type { StepContext } from '../context.ts'
import { OUT_OF_SPACE, StepFailed } from '../failure.ts'
import { isVolumeFull } from '../full-volume.ts'
import { offerIdentity } from '../git/identity.ts'
import { readRecipeFile } from './recipe-file.ts'

/** How a setup ended. */
export type SetupEnd = Pick<ExitInterpretation, 'error'> & {
  readonly outcome: 'succeeded' | 'failed' | 'timed_out' | 'cancelled'
  readonly exitCode?: number
}

/**
 * Runs the setup as a script at the top of the clone. It gets the variables of its recipe and of the container that are
 * its own, and no credentials of a model or of git.
 *
 * @param context with what the operator gave; without a program the clone's own file says it
 * @throws StepFailed, UntrustedClone, GitFailed
 */
export async function performSetup(context: StepContext & { readonly given: Given }): Promise<SetupEnd> {
  const { setup, timeoutSeconds, env } = await findSetup(context)
  await offerIdentity(context)
  await offerAuthorities(context)
  const run = { ...context.run, timeoutSeconds }
  const given = { ...context.given, prompt: setup }
  const step = { ...context, run, given }
  const command = await scriptAdapter.start(step, { prompt: setup })
  const own = Object.fromEntries(env.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])))
  const ended = await supervise(step, { ...command, env: { ...own, ...command.env } })
  switch (ended.kind) {
    case 'timed_out':
    case 'over_budget': {
      const message = `the setup did not finish within ${timeoutSeconds} seconds: give it longer (environment.timeout), or let it do less`
      return { outcome: 'timed_out', error: { category: 'timeout', message } }
    }
    case 'cancelled':
      return { outcome: 'cancelled', error: { category: 'cancelled', message: 'the setup was ended' } }
    case 'exited': {
      const { error } = scriptAdapter.interpretExit(ended.exit, ended.facts)
      const exit = ended.exit.exitCode === null ? {} : { exitCode: ended.exit.exitCode }
      if (error === undefined) return { outcome: 'succeeded', ...exit }
      const message = (await isVolumeFull(context)) ? `${OUT_OF_SPACE} (${error.message})` : error.message
      return { outcome: 'failed', error: { ...error, message }, ...exit }
    }
    default:
      return ended satisfies never
  }
}

type Setup = Pick<
  NonNullable<NonNullable<StepContext['run']['environment']>['recipe']>,
  'setup' | 'timeoutSeconds' | 'env'
>

/** Nothing has run in the clone yet, so what HEAD names is what prepare has read. */
async function findSetup({ run, paths, tmp, signal, given }: StepContext & { readonly given: Given }): Promise<Setup> {
  const { prompt: setup = '' } = given
  if (setup !== '') return { setup, timeoutSeconds: run.timeoutSeconds, env: run.environment?.recipe?.env ?? [] }
  const options = { cwd: paths.clone, gitDir: join(paths.clone, '.git'), signal }
  const found = await readRecipeFile({ options, commit: 'HEAD', tmp })
  if (found === undefined) throw new StepFailed('failed', `there is no setup: the clone has no ${ENVIRONMENT_FILE}`)
  if ('problem' in found) throw new StepFailed('failed', found.problem)
  return found.recipe
}
