import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { EXECUTION_FILES, executionPath, givenFile } from '../../core/execution/layout.ts'
import type { Given } from '../../core/execution/given.ts'
import { parseJson } from '../../core/json.ts'
import { withoutAbsent } from '../../core/omit.ts'
import { ifPlain, ifThere, readRegularNoFollow } from '../../lib/files.ts'
import type { StepContext } from '../context.ts'
import { NotGiven } from '../failure.ts'
import { requireValid } from '../validate.ts'
import { isGiven } from '../validators.ts'

/** More than the limits of the CRDs allow together. */
const MAX_GIVEN_BYTES = 128 * 1024 * 1024

/**
 * Reads what the operator wrote for the agent.
 *
 * @throws NotGiven if it is not there as it was written; BadRunSpec naming the field
 */
export async function readGiven(context: Pick<StepContext, 'run' | 'paths'>): Promise<Given> {
  const { given: digest } = context.run
  if (digest === undefined) return readOlder(context)
  const name = givenFile(digest)
  const bytes = await ifPlain(readRegularNoFollow(context.paths.execution, name, MAX_GIVEN_BYTES))
  if (bytes === undefined) throw new NotGiven(`${name} is missing`)
  if (createHash('sha256').update(bytes).digest('hex') !== digest) throw new NotGiven(`${name} was changed or is torn`)
  const given = requireValid(isGiven, parseJson(bytes.toString('utf8')), name)
  return given.prompt === undefined ? { ...given, prompt: await readText(context, 'prompt') } : given
}

/** As an earlier operator wrote it: a Job of its may begin a step with this runner where both are on one machine. */
async function readOlder(context: Pick<StepContext, 'run' | 'paths'>): Promise<Given> {
  const { run } = context
  const config = await readText(context, 'agentConfig')
  const given = {
    schemaVersion: 1,
    prompt: await readText(context, 'prompt'),
    resume: await readText(context, 'resume'),
    ...withoutAbsent({ answer: run.hasAnswerFile === true ? await readText(context, 'answerGiven') : run.answer }),
    agentConfig: config === '' ? { schemaVersion: 1, mcpServers: [] } : parseJson(config),
  }
  return requireValid(isGiven, given, executionPath(run.execution))
}

type OlderFile = 'prompt' | 'resume' | 'answerGiven' | 'agentConfig'

/** Empty when there is none. */
async function readText({ paths }: Pick<StepContext, 'paths'>, file: OlderFile): Promise<string> {
  const bytes = await ifThere(readRegularNoFollow(paths.execution, EXECUTION_FILES[file], MAX_GIVEN_BYTES))
  return bytes?.toString('utf8') ?? ''
}

/** Where a script finds the answer. */
export function answerPath({ tmp }: Pick<StepContext, 'tmp'>): string {
  return join(tmp, 'answer.txt')
}
