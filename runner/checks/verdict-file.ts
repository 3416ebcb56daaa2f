import { join } from 'node:path'
import type { CheckVerdict, CheckVerdictFile } from '../../core/execution/checks.ts'
import { OUTPUT_TAIL_BYTES, outputTail, plainOutput } from '../../core/execution/check-output.ts'
import { CHECK_FILES, checkResultPath } from '../../core/execution/layout.ts'
import { isGreen } from '../../core/execution/red.ts'
import type { Staged } from '../../core/execution/staged.ts'
import { parseJson } from '../../core/json.ts'
import { withoutAbsent } from '../../core/omit.ts'
import { shortCommit } from '../../core/text.ts'
import { isTimestamp } from '../../core/time.ts'
import { ifPlain, readRegularNoFollow, readTailNoFollow, writeFileAtomic } from '../../lib/files.ts'
import type { StepContext } from '../context.ts'
import { isCheckVerdictFile } from '../validators.ts'
import type { Checks } from './staged-file.ts'

const MAX_VERDICT_BYTES = 64 * 1024

/** What a check that ran can say of itself; that it had nothing to do is for stage to say. */
const ENDS = ['Passed', 'Failed', 'TimedOut']

/** The folder that a check's own container alone writes. */
export function resultFolder({ paths }: Pick<StepContext, 'paths'>, round: number, check: string): string {
  return join(paths.execution, checkResultPath(round, check))
}

/** The verdict that this very Job's check has left; undefined: none that can be used. */
export async function findVerdict(
  context: StepContext,
  round: number,
  check: string,
): Promise<CheckVerdictFile | undefined> {
  const folder = resultFolder(context, round, check)
  const bytes = await ifPlain(readRegularNoFollow(folder, CHECK_FILES.verdict, MAX_VERDICT_BYTES))
  const found = bytes && parseJson(bytes.toString('utf8'))
  if (!isCheckVerdictFile(found)) return undefined
  const { execution, jobNumber } = context.run
  return found.execution === execution && found.jobNumber === jobNumber && found.name === check ? found : undefined
}

export function writeVerdict(context: StepContext, round: number, verdict: CheckVerdict): Promise<void> {
  const { execution, jobNumber } = context.run
  const file: CheckVerdictFile = { schemaVersion: 1, execution, jobNumber, ...verdict }
  const path = join(resultFolder(context, round, verdict.name), CHECK_FILES.verdict)
  return writeFileAtomic(path, `${JSON.stringify(file)}\n`)
}

/** How all checks ended. A check is red unless it left a verdict on exactly the staged head that says otherwise. */
export function readVerdicts(
  context: StepContext,
  checks: Checks,
  { head }: Pick<Staged, 'head'>,
): Promise<CheckVerdict[]> {
  return Promise.all(
    checks.list.map(async ({ name, required }): Promise<CheckVerdict> => {
      if (head === undefined) return { name, state: 'Skipped', required }
      const verdict = judge(head, await findVerdict(context, checks.round, name))
      const told = { ...verdict, name, required, commit: head }
      return isGreen(verdict) ? told : { ...told, ...(await readTail(context, checks.round, name)) }
    }),
  )
}

type Judgement = Pick<CheckVerdict, 'state' | 'startedAt' | 'seconds' | 'exitCode' | 'reason'>

function judge(head: string, found: CheckVerdictFile | undefined): Judgement {
  if (found === undefined) return { state: 'Failed', reason: 'it left no verdict' }
  if (found.commit !== head) return { state: 'Failed', reason: `its verdict is not about ${shortCommit(head)}` }
  if (!ENDS.includes(found.state)) return { state: 'Failed', reason: 'its verdict says that it did not run' }
  const { state, startedAt, seconds, exitCode, reason } = found
  return {
    state,
    ...withoutAbsent({
      // Whoever forged the verdict must not have the record of all checks refused.
      startedAt: startedAt !== undefined && isTimestamp(startedAt) ? startedAt : undefined,
      seconds,
      exitCode: exitCode !== undefined && exitCode >= 0 && exitCode <= 255 ? exitCode : undefined,
      reason: reason === undefined ? undefined : plainOutput(reason),
    }),
  }
}

async function readTail(context: StepContext, round: number, check: string): Promise<Pick<CheckVerdict, 'tail'>> {
  const folder = resultFolder(context, round, check)
  const bytes = await ifPlain(readTailNoFollow(folder, CHECK_FILES.output, OUTPUT_TAIL_BYTES))
  const tail = outputTail(bytes?.toString('utf8') ?? '')
  return tail === '' ? {} : { tail }
}
