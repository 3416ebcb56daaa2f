import type { RebaseReport } from '../../crd/types.ts'
import { REBASE_WORDS } from '../words.ts'
import { defined } from './fields.ts'

export function toRebaseRecord(report: RebaseReport | undefined) {
  if (report === undefined) return undefined
  const { result, onto, files, message } = report
  return { result: REBASE_WORDS[result], files: [...(files ?? [])], ...defined({ onto, message }) }
}
