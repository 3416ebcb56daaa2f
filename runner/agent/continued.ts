import { realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  copiedSessionPath,
  isCopyingAdapter,
  isSessionId,
  MAX_COPIED_SESSION_BYTES,
} from '../../core/agent/session-files.ts'
import { EXECUTION_FILES } from '../../core/execution/layout.ts'
import type { RunSpec } from '../../core/execution/run-spec.ts'
import { continuesWords } from '../../core/sentences/continues.ts'
import { ifPlain, readRegularNoFollow } from '../../lib/files.ts'
import type { StepContext } from '../context.ts'
import { writeHomeFile } from './home.ts'

/**
 * Puts the copy of the session that the agent is to begin with where its CLI looks for it. Its content is another agent's:
 * nothing reads it but the CLI. Where it cannot be put there, the CLI says that it has no such session.
 */
export async function placeContinued(context: StepContext): Promise<void> {
  const { run, paths, say } = context
  const { adapter, sessionId } = run.agent
  const isWanted = run.continues !== undefined && run.continues.told === undefined
  if (!isWanted || !isCopyingAdapter(adapter) || sessionId === undefined || !isSessionId(sessionId)) return
  const reading = readRegularNoFollow(paths.execution, EXECUTION_FILES.continued, MAX_COPIED_SESSION_BYTES)
  const bytes = await ifPlain(reading)
  if (bytes === undefined) return say(`the session of task ${run.continues?.task ?? ''} is gone`)
  const path = copiedSessionPath(adapter, sessionId, await realpath(paths.clone))
  await ifPlain(writeHomeFile(context, path, bytes))
  await rm(join(paths.execution, EXECUTION_FILES.continued), { force: true })
}

/** What people read of it at the beginning of the conversation. */
export function continuesNotice({ continues }: Pick<RunSpec, 'continues'>): readonly string[] {
  return continues === undefined ? [] : [continuesWords(continues)]
}
