/**
 * Seals what a setup has left: copies each cache out of the sandbox into a folder that nobody but this step can write, looks at every
 * file of the copy, and writes what it holds last.
 *
 * The sandbox is whatever the repository's code made of it. So links are copied as links and never followed, and no git runs. A
 * folder without its seal is none: whoever is killed before, begins anew.
 */
import { mkdir, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Seal } from '../../core/environment/seal.ts'
import { SEAL_FILE } from '../../core/execution/layout.ts'
import type { Prepared } from '../../core/execution/prepared.ts'
import type { ExecutionResult } from '../../core/execution/result.ts'
import { countOf, formatSize } from '../../core/sentences/amounts.ts'
import { copyTree, CopyFailed, syncFileSystem } from '../../lib/copy-tree.ts'
import { measureFolders } from '../../lib/disk-usage.ts'
import { hasErrorCode, isOutOfSpace, readNames, syncFolder, UnsafePath, writeFileAtomic } from '../../lib/files.ts'
import { removeTree } from '../../lib/remove-tree.ts'
import type { StepContext } from '../context.ts'
import { StepFailed } from '../failure.ts'
import { inspectTree, makeInspection, type Inspection } from './inspect.ts'
import { findSetupSecrets } from './setup-secrets.ts'
import { wayTo } from './way.ts'

type Sealed = NonNullable<ExecutionResult['sealed']>
type Cache = Sealed['cache'][number]

/**
 * Seals the caches that prepare has noted.
 *
 * @throws StepFailed for what cannot be sealed, in words for people; nothing of it is left then. The system's error on a full disk.
 */
export async function sealCaches(
  context: StepContext,
  folder: string,
  prepared: Prepared | undefined,
): Promise<Sealed> {
  const { environment, cache } = prepared ?? {}
  if (environment === undefined || cache === undefined)
    throw new StepFailed('failed', 'prepare has not noted what is to be sealed: build the environment again')
  await empty(folder)
  try {
    const caches = await copyCaches(context, folder, cache)
    const { clone, home } = context.paths
    const seal: Seal = { schemaVersion: 1, digest: environment.digest, clone, home, caches }
    await syncFileSystem(folder, context.signal)
    const [bytes = 0] = await measureFolders([folder], context.signal)
    await writeFileAtomic(join(folder, SEAL_FILE), `${JSON.stringify(seal)}\n`)
    context.say(`sealed ${countOf(caches.length, 'cache')} with ${formatSize(bytes)}`)
    return { ...environment, cache: [...cache], bytes }
  } catch (error) {
    await empty(folder)
    throw error
  }
}

/** An earlier Job of this execution may have been killed here. Its seal goes first: what follows is no environment any more. */
async function empty(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await removeTree(join(folder, SEAL_FILE))
  await syncFolder(folder)
  for (const name of await readNames(folder)) await removeTree(join(folder, name))
}

async function copyCaches(context: StepContext, folder: string, cache: readonly Cache[]): Promise<Seal['caches']> {
  const { paths, say } = context
  const { blocks, bsize } = await statfs(folder)
  const inspection = makeInspection(findSetupSecrets(context), [paths.clone, paths.home], blocks * bsize)
  const sealed: Seal['caches'] = []
  for (const [place, { path, mode }] of cache.entries()) {
    const copy = join(folder, String(place))
    await mkdir(copy)
    await copyCache(context, path, { folder, place })
    const relocated = await inspect(context, inspection, { path, copy })
    // Nobody changes what is mounted.
    sealed.push({ path, mode, relocated: mode === 'Copy' ? relocated : [] })
  }
  for (const words of inspection.notices()) say(words)
  return sealed
}

async function copyCache(
  { paths, signal, say }: StepContext,
  path: string,
  to: { readonly folder: string; readonly place: number },
): Promise<void> {
  const { sandbox: root, segments } = wayTo(paths, path)
  try {
    await copyTree({ root, segments }, { root: to.folder, segments: [String(to.place)] }, signal)
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) say(`the setup has left nothing at ${path}: it is kept as an empty folder`)
    else if (error instanceof UnsafePath)
      throw new StepFailed(
        'failed',
        `cache ${path} is a link or a file, or is reached through one, or may not be read: let the setup make it a folder of its own`,
      )
    else if (error instanceof CopyFailed && !isOutOfSpace(error))
      throw new StepFailed('failed', `cache ${path} cannot be copied: ${error.message}`)
    else throw error
  }
}

async function inspect(
  { signal }: StepContext,
  inspection: Inspection,
  { path, copy }: { readonly path: string; readonly copy: string },
): Promise<string[]> {
  const { relocated, refusal } = await inspectTree(copy, inspection, signal)
  if (refusal !== undefined) throw new StepFailed('failed', `cache ${path} is not kept: ${refusal}`)
  return relocated
}
