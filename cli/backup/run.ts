/** What the commands export and import work on: the data folder of this machine, or a cluster. */
import { countOf, formatCount, formatSize } from '../../core/sentences/amounts.ts'
import { existsSync } from 'node:fs'
import { lstat, mkdir, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import type { Writable } from 'node:stream'
import { parseQuantity } from '../../core/quantity.ts'
import { StoreHeld } from '../../embedded/storage/backend.ts'
import { runAsLeader } from '../../kube/leader.ts'
import type { KubeClient } from '../../kube/types.ts'
import { createOutageLog } from '../../kube/outage.ts'
import { systemClock } from '../../lib/clock.ts'
import type { Config } from '../../lib/config-schema.ts'
import { type BackupFile, openBackup } from '../../lib/backup/read.ts'
import { hasErrorCode, ifThere, isOutOfSpace, syncFolder } from '../../lib/files.ts'
import type { Logger } from '../../lib/log.ts'
import { stoppingAll } from '../../lib/stops.ts'
import { LEADER_LEASE } from '../../operator/main.ts'
import { type Invocation, UsageError } from '../command.ts'
import { type ControlPlaneAccess, connectCluster, DEFAULT_NAMESPACE } from '../control-plane.ts'
import { makeDataDir, storeFolder } from '../data-dir.ts'
import { openBareEmbedded } from '../embedded-control-plane.ts'
import { printable } from '../client/text.ts'
import { readBuild } from '../installation.ts'
import { localVolume } from '../local-node.ts'
import { openLogger } from '../log.ts'
import { explainHeld } from '../serving.ts'
import { exportBackup } from './export.ts'
import { failingWhenStuck } from './stuck-sink.ts'
import { ImportRefused } from './check.ts'
import { type WithoutOperator, importBackup } from './import.ts'

/** A leader that ended without giving its Lease back holds it for 15 s. */
const LEASE_WAIT_MS = 20_000

/** `slipway export`. */
export function runExport({ config, switches, values, terminal, signal }: Invocation, file: string): Promise<number> {
  const maxFileBytes = readSize('max-file-size', values.get('max-file-size') ?? '4Gi')
  return stoppingAll(async (onStop) => {
    const logger = await openLogger(config)
    const access = await openSource(config, switches.has('cluster'), logger)
    onStop(access.close)
    const { client, namespace } = access
    const how = {
      client,
      namespace,
      volumeRoot: await findVolume(config, switches.has('cluster')),
      version: readBuild().version,
      now: systemClock.now(),
      hasSecrets: switches.has('with-secrets'),
      hasWorkspaces: !switches.has('no-workspaces'),
      allowsRunning: switches.has('running'),
      maxFileBytes,
      warn: (text: string) => terminal.err(`warning: ${printable(text)}\n`),
      signal,
    }
    const isStdout = file === '-'
    const { objects, files, bytes } = isStdout
      ? await exportBackup({ ...how, sink: failingWhenStuck(process.stdout, systemClock) })
      : await writeWhole(file, (sink) => exportBackup({ ...how, sink }))
    const print = isStdout ? terminal.err : terminal.out
    const left = how.hasSecrets ? '' : '; without Secrets (--with-secrets)'
    print(`exported ${countOf(objects, 'object')} and ${countOf(files, 'file')}, ${formatSize(bytes)}${left}\n`)
    return 0
  })
}

/** `slipway import`. */
export function runImport({ config, switches, terminal, signal }: Invocation, file: string): Promise<number> {
  return stoppingAll(async (onStop) => {
    const backup = await openFile(file)
    onStop(() => backup.handle.close())
    const logger = await openLogger(config)
    const access = await openDestination(config, switches.has('cluster'), logger)
    onStop(access.close)
    const { client, namespace } = access
    const { objects, files, passedOver } = await importBackup({
      client,
      namespace,
      volumeRoot: await findVolume(config, switches.has('cluster')),
      backup,
      skipsExisting: switches.has('skip-existing'),
      withoutOperator: (...work) => withoutOperator(access, logger, signal, work),
      warn: (text) => terminal.err(`warning: ${printable(text)}\n`),
      signal,
    }).catch((error: unknown) => {
      throw isOutOfSpace(error)
        ? new Error('no space is left: make room, then run the same command again, which goes on', { cause: error })
        : error
    })
    const there = passedOver === 0 ? '' : `; ${formatCount(passedOver)} were there and stay as they are`
    terminal.out(`imported ${countOf(objects, 'object')} and ${countOf(files, 'file')}${there}\n`)
    return 0
  })
}

function readSize(flag: string, text: string): number {
  const size = parseQuantity(text)
  if (size === undefined || size <= 0)
    throw new UsageError(`--${flag} must be a size such as 500Mi or 4Gi, not ${text}`)
  return size
}

/** Before anything is made for it. */
async function openFile(file: string): Promise<BackupFile> {
  try {
    return await openBackup(file)
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT', 'ENOTDIR')) throw error
    throw new UsageError(`there is no file ${file}: name the backup with --file`)
  }
}

function isCluster({ kubeconfig }: Config, hasFlag: boolean): boolean {
  return hasFlag || kubeconfig !== undefined
}

/** The store of a data folder has one owner; a server that has it is asked. */
async function openSource(config: Config, hasFlag: boolean, logger: Logger): Promise<ControlPlaneAccess> {
  if (isCluster(config, hasFlag)) return connectCluster(config)
  const { dataDir } = config
  if (!existsSync(storeFolder(config)))
    throw new UsageError(`there is no data folder ${dataDir}: name it with --data-dir, or a cluster with --kubeconfig`)
  try {
    return await openBareEmbedded(config, logger)
  } catch (error) {
    if (!(error instanceof StoreHeld)) throw error
    return connectCluster({
      ...config,
      namespace: config.namespace ?? DEFAULT_NAMESPACE,
      kubeconfig: join(dataDir, 'kubeconfig'),
    })
  }
}

async function openDestination(config: Config, hasFlag: boolean, logger: Logger): Promise<ControlPlaneAccess> {
  if (isCluster(config, hasFlag)) return connectCluster(config)
  await makeDataDir(config.dataDir)
  try {
    const access = await openBareEmbedded(config, logger)
    await mkdir(localVolume(config), { recursive: true, mode: 0o700 })
    return access
  } catch (error) {
    throw await explainHeld(error, config.dataDir)
  }
}

/** The folder of the data volume. @throws UsageError where a cluster's is not mounted here */
export async function findVolume(config: Config, hasFlag: boolean): Promise<string> {
  if (!isCluster(config, hasFlag)) return localVolume(config)
  const { volumeRoot } = config
  try {
    if ((await stat(volumeRoot)).isDirectory()) return volumeRoot
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT', 'ENOTDIR')) throw error
  }
  throw new UsageError(
    `there is no folder ${volumeRoot}: mount the data volume, and name the folder with --volume-root`,
  )
}

/** Leads in the place of an operator, from the mark of the import to its end. */
export async function withoutOperator(
  {
    isExclusive,
    client,
    namespace,
  }: Pick<ControlPlaneAccess, 'isExclusive' | 'namespace'> & { readonly client: KubeClient },
  logger: Logger,
  signal: AbortSignal,
  [begin, write]: Parameters<WithoutOperator>,
  waitMs = LEASE_WAIT_MS,
): Promise<void> {
  if (isExclusive) {
    await begin()
    return write()
  }
  let hasBegun = false
  const done = new AbortController()
  const stop = AbortSignal.any([signal, done.signal, AbortSignal.timeout(waitMs)])
  const key = { namespace, name: LEADER_LEASE }
  const identity = `import_${hostname()}_${randomUUID()}`
  const outages = createOutageLog(systemClock, logger)
  const options = { client, key, identity, clock: systemClock, random: Math.random, logger, outages }
  await runAsLeader(options, stop, async (lost) => {
    hasBegun = true
    await begin()
    await write(lost)
    done.abort()
  })
  signal.throwIfAborted()
  if (!hasBegun)
    throw new ImportRefused(
      `an operator works in the namespace ${namespace}, and would run what arrives half: stop it first (kubectl --namespace ${namespace} scale deployment slipway-operator --replicas 0)`,
    )
}

/** Writes a file that is there under its name once it is whole and on the disk. @throws UsageError where none can be */
async function writeWhole<T>(path: string, write: (sink: Writable) => Promise<T>): Promise<T> {
  // A link is followed, as by every program that writes a file.
  const target = await ifThere(realpath(path), 'ENOENT', 'ELOOP')
  if (target === undefined && (await ifThere(lstat(path)))?.isSymbolicLink() === true)
    throw new UsageError(`${path} is a link that leads nowhere: name another file with --file`)
  const file = target ?? resolve(path)
  const found = await ifThere(stat(file))
  if (found !== undefined && !found.isFile())
    throw new UsageError(`${path} is no regular file: name another one with --file, or - for stdout`)
  if (!existsSync(dirname(file))) throw new UsageError(`there is no folder ${dirname(file)}: make it first`)
  const temporary = `${file}.${process.pid}.tmp`
  const handle = await open(temporary, 'wx', 0o600)
  try {
    const written = await write(handle.createWriteStream({ flush: true }))
    await rename(temporary, file)
    await syncFolder(dirname(file))
    return written
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
