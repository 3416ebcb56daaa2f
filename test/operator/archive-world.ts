import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DEFAULT_RETENTION } from '../../core/task/retention.ts'
import { type Archive, openArchive } from '../../lib/archive/archive.ts'
import type { ArchivingContext } from '../../operator/archiving.ts'
import { NAMESPACE } from '../helpers/build.ts'
import { type World, openWorld } from './world.ts'

/** A world with an archive on its volume. */
export interface ArchiveWorld {
  readonly world: World
  readonly archive: Archive
  readonly warnings: readonly object[]
  context(client?: ArchivingContext['client']): World['context'] & ArchivingContext
  /** The folder of an execution, marked as one of a task, with its log. */
  givenFolder(execution: string, task: string): Promise<void>
}

export async function openArchiveWorld(): Promise<ArchiveWorld> {
  const world = await openWorld()
  const archive = openArchive(world.volumeRoot)
  const warnings: object[] = []
  return {
    world,
    archive,
    warnings,
    context: (client = world.context.client) => ({
      ...world.context,
      client,
      archive,
      retention: DEFAULT_RETENTION,
      judgedAt: world.clock.now(),
      logger: { ...world.context.logger, warn: (details: object) => void warnings.push(details) },
    }),
    async givenFolder(execution, task) {
      const folder = join(world.volumeRoot, 'executions', execution)
      await mkdir(join(folder, 'agent'), { recursive: true })
      const mark = { uid: `uid-${execution}`, namespace: NAMESPACE, name: execution, task }
      await writeFile(join(folder, 'owner'), JSON.stringify(mark))
      await writeFile(join(folder, 'agent', 'stdout.log'), 'x'.repeat(1000))
    },
  }
}
