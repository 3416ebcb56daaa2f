import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Execution } from '../../core/crd/types.ts'
import { isWork } from '../../core/execution/state.ts'
import { ifThere } from '../../lib/files.ts'
import type { OperatorContext } from '../context.ts'
import { type GitSource, type WantedRepository, findGitSource } from './git-source.ts'

/**
 * Where an execution clones from. Who plans or looks is given the folder that the person works in, where there is
 * one; a question that needs no repository is answered in an empty folder (specification §5.11).
 */
export async function findSourceOf(
  context: OperatorContext,
  { spec }: Execution,
  wanted: WantedRepository,
): Promise<GitSource> {
  if (isWork({ spec }) || spec.purpose === 'Deliver' || spec.purpose === 'Prepare')
    return findGitSource(context, wanted)
  if (spec.purpose === 'Classify') return NOTHING
  const looks = spec.purpose === 'Elaborate' || spec.purpose === 'Validate'
  const folder = spec.localPath ?? (looks ? wanted.project?.spec.localPath : undefined)
  if (folder !== undefined && context.settings.embedded && (await isRepository(folder))) {
    return findGitSource(context, { ...wanted, url: folder })
  }
  const hasUrl = wanted.url !== undefined || wanted.project !== undefined
  return hasUrl && spec.localPath === undefined ? findGitSource(context, wanted) : NOTHING
}

const NOTHING: GitSource = { kind: 'usable', url: '' }

/** A clone, or a bare repository. */
async function isRepository(folder: string): Promise<boolean> {
  return (
    (await exists(join(folder, '.git'))) || ((await exists(join(folder, 'HEAD'))) && exists(join(folder, 'objects')))
  )
}

async function exists(path: string): Promise<boolean> {
  return (await ifThere(lstat(path), 'ENOENT', 'ENOTDIR', 'EACCES')) !== undefined
}
