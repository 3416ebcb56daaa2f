import { executionPath, homePath, INBOX_FOLDER, sandboxPath } from '../core/execution/layout.ts'
import type { Action } from './action.ts'
import type { OperatorContext } from './context.ts'
import { writeInboxMessages } from './inbox.ts'
import { copySession } from './sessions.ts'
import { keepSandbox, prepareVolume, removeFolders } from './volume.ts'
import { takeBackCredentials } from './write-back.ts'

type VolumeAction = Extract<
  Action,
  { kind: 'prepareVolume' | 'writeMessages' | 'takeBackCredentials' | 'keepSandbox' | 'removeFolders' }
>

/** Performs a write of a step on the data volume. @throws as {@link OperatorContext.onVolume} does */
export async function applyToVolume(context: OperatorContext, action: VolumeAction): Promise<void> {
  const { onVolume, logger } = context
  const { volumeRoot } = context.settings
  switch (action.kind) {
    case 'prepareVolume': {
      const path = executionPath(action.execution)
      return onVolume({ kind: 'prepare', path }, async (lost) => {
        await prepareVolume(volumeRoot, action, lost)
        lost?.throwIfAborted()
        if (action.continued !== undefined) await copySession(volumeRoot, action.continued, action.execution)
      })
    }
    case 'writeMessages': {
      const path = `${executionPath(action.execution)}/${INBOX_FOLDER}`
      await context.inboxes.writes.run(action.execution, () =>
        onVolume({ kind: 'write', path }, (lost) => writeInboxMessages(volumeRoot, action, lost)),
      )
      return
    }
    case 'takeBackCredentials': {
      const path = homePath(action.sandbox)
      return onVolume({ kind: 'remove', path }, (lost) => takeBackCredentials(context, action, lost))
    }
    case 'keepSandbox': {
      const { sandbox, until } = action
      logger.info({ sandbox, until }, 'a deleted task ran: its clone is kept')
      const path = sandboxPath(sandbox)
      return onVolume({ kind: 'write', path }, (lost) => keepSandbox(volumeRoot, sandbox, until, lost))
    }
    case 'removeFolders': {
      const [path = '', ...others] = action.paths
      return onVolume({ kind: 'remove', path }, (lost) => removeFolders(volumeRoot, [path, ...others], lost))
    }
    default:
      return action satisfies never
  }
}
