/** What the template `checks` sees beside a task's values. Documented in values.ts. */
import type { CheckRun, ProjectCheck } from '../crd/types.ts'
import { plainOutput } from '../execution/check-output.ts'
import { toReadCheck, whyRed } from '../sentences/checks.ts'
import { formatCount } from '../sentences/amounts.ts'
import { withoutAbsent } from '../omit.ts'
import { clip } from '../text.ts'

/** The end of what a check has printed. */
export interface CheckOutput {
  readonly tail: string
  /** Lines before it; absent: more than anybody has counted. 0: none. */
  readonly linesBefore?: number | undefined
}

export interface ChecksPromptData {
  readonly red: readonly RedCheckData[]
  readonly isLast?: true
}

interface RedCheckData extends Partial<Record<'output' | 'leftOut', string>> {
  readonly name: string
  readonly why: string
  readonly run: string
  readonly exitCode?: number
}

const MAX_PROGRAM = 4000

/** @param outputs by name of the check */
export function makeChecksPromptData(
  red: readonly CheckRun[],
  checks: readonly ProjectCheck[],
  { outputs, isLast }: { readonly outputs: ReadonlyMap<string, CheckOutput>; readonly isLast: boolean },
): ChecksPromptData {
  return {
    red: red.map((run) => {
      const program = checks.find(({ name }) => name === run.name)?.run ?? ''
      return {
        name: run.name,
        why: whyRed(toReadCheck(run)),
        run: indent(clip(program.trim(), MAX_PROGRAM)),
        ...withoutAbsent({ exitCode: run.exitCode }),
        ...toOutput(outputs.get(run.name)),
      }
    }),
    ...(isLast ? { isLast } : {}),
  }
}

function toOutput(found: CheckOutput | undefined): Partial<Record<'output' | 'leftOut', string>> {
  const text = plainOutput(found?.tail ?? '').trimEnd()
  if (found === undefined || text === '') return {}
  const { linesBefore } = found
  const leftOut = linesBefore === undefined ? 'many lines' : `${formatCount(linesBefore)} lines`
  return { output: indent(text), ...(linesBefore === 0 ? {} : { leftOut }) }
}

/** A block of its own, whatever stands in it. */
function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => `    ${line}`.trimEnd())
    .join('\n')
}
