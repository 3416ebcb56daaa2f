/**
 * One container as a process: start it below its shim, find it again after a restart of the node, end it.
 *
 * At most once: the container's folder is made before its process, and a folder without a process and without
 * state.json means that the process was lost, never that it may be started again. Whatever a container leaves
 * behind, in its group or out of it, is killed before its end is reported, as the end of a PID namespace does.
 */
import { mkdir, open, stat } from 'node:fs/promises'
import { type Clock, delay } from '../lib/clock.ts'
import type { Logger } from '../lib/log.ts'
import { isProcessAlive, readStat } from '../lib/process-state.ts'
import {
  CONTAINER_OFFSPRING_VARIABLE,
  CONTAINER_VARIABLE,
  findCommand,
  findProcessesByEnvironment,
  isGroupRunning,
  signalGroup,
  startGroup,
} from '../lib/process.ts'
import { messageOf } from '../lib/error-message.ts'
import { type Exit, readExit, writeExit } from './exit.ts'
import { type ContainerPaths, readIfExists } from './layout.ts'
import { type Pids, type ProcessIdentity, findGroupsOf, isRunning, parsePids } from './pids.ts'
import { retry } from './retry.ts'

export interface ContainerCommand {
  readonly paths: ContainerPaths
  /** Value of the marker variable. */
  readonly id: string
  /** The program is bwrap. */
  readonly isSandbox: boolean
  /** The program and its arguments, the sandbox's program before them where there is one. */
  readonly argv: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Where the shim's text lies. */
  readonly shim: string
  readonly clock: Clock
  readonly logger: Logger
}

export interface RunningContainer {
  readonly startedAt: Date
  /**
   * Resolves when nothing of the container runs any more; never rejects. Its end is on disk then, unless the disk
   * refuses it: the message of the exit says so.
   */
  readonly ended: Promise<Exit>
  /**
   * SIGTERM to its process groups, SIGKILL after the grace or as soon as `hurry` aborts; resolves at its end.
   *
   * @throws the system's error when its processes cannot be looked for: to be tried again
   */
  end(graceMs: number, hurry: AbortSignal): Promise<Exit>
}

const ADOPTED_POLL_MS = 100
const RETRY_MS = 500
const NOTE_TRIES = 3
/** Time for a shim to write its pids, and for `cat` to write the rest of the output. */
const SETTLE_MS = 2_000

/**
 * Starts a container. Its folder must not hold a state.json of an earlier run.
 *
 * @throws the system's error when its folder, or a process, cannot be made
 */
export async function startContainer(command: ContainerCommand): Promise<RunningContainer> {
  const { paths, clock } = command
  await mkdir(paths.dir, { recursive: true, mode: 0o700 })
  await (await open(paths.log, 'a', 0o600)).close()
  const shim = startGroup('bash', ['-p', command.shim, paths.dir, command.cwd, ...command.argv], {
    env: { ...command.env, [CONTAINER_VARIABLE]: command.id },
  })
  const startedAt = clock.now()
  const gone = new Promise<Ending>((resolve) => {
    shim.once('exit', (code) => resolve(code === 0 ? LOST : { ...LOST, message: UNWRITTEN }))
    shim.once('error', (error) => resolve(notStarted(error.message)))
  })
  // What runs goes on without us; only a stop that waits for it keeps us alive.
  shim.unref()
  const ended = gone.then((ending) => recordEnd(command, shim.pid, ending))
  return running(command, startedAt, ended)
}

/**
 * Takes over a container that an earlier process of this node started: still running, ended, or lost. Undefined
 * when nothing here says that it was ever started.
 *
 * @throws the system's error when its files cannot be read
 */
export async function adoptContainer(command: Known): Promise<RunningContainer | Exit | undefined> {
  const { paths } = command
  const exit = await readExit(paths)
  if (exit !== undefined) return exit
  if ((await readIfExists(paths.log)) === undefined) return undefined
  const pids = parsePids((await readIfExists(paths.pids))?.toString('utf8') ?? '')
  const isThere = pids !== undefined && isRunning(pids, 'shim')
  const shim = pids === undefined ? await findShim(command) : isThere ? pids.shim : undefined
  // A shim that is gone leaves no group to wait for: its pid may be another's by now.
  if (shim === undefined) return recordEnd(command, undefined, LOST)
  const ended = untilGone(command, shim).then(() => recordEnd(command, shim.pid, LOST))
  // The shim wrote them as it started, or has not got that far.
  return running(command, pids === undefined ? command.clock.now() : (await stat(paths.pids)).mtime, ended)
}

/** Ends what is left of a container of which no file tells any more; its end is that it was lost. */
export function loseContainer(command: Known): Promise<Exit> {
  return recordEnd(command, undefined, LOST)
}

type Known = Pick<ContainerCommand, 'paths' | 'id' | 'isSandbox' | 'clock' | 'logger'>

function running(command: Known, startedAt: Date, ended: Promise<Exit>): RunningContainer {
  return {
    startedAt,
    ended,
    async end(graceMs, hurry) {
      await signalAll(command, 'SIGTERM')
      const over = new AbortController()
      await Promise.race([ended, delay(command.clock, graceMs, AbortSignal.any([hurry, over.signal]))])
      over.abort()
      if ((await readExit(command.paths)) === undefined) await signalAll(command, 'SIGKILL')
      return ended
    },
  }
}

/** A signal to every group of the container, but never to the shim, which is to see the end. */
async function signalAll(command: Known, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  const pids = await readPids(command)
  const shim = pids?.shim ?? (await findShim(command))
  const groups = await findGroupsOf(await findProcessesByEnvironment(CONTAINER_VARIABLE, command.id))
  if (pids !== undefined && isRunning(pids, 'container')) groups.add(pids.container.pid)
  if (shim !== undefined) groups.delete(shim.pid)
  // bwrap passes no signal on: SIGTERM would end it, and with it all that is inside, at once.
  if (pids !== undefined && command.isSandbox && signal === 'SIGTERM') groups.delete(pids.container.pid)
  for (const group of groups) signalGroup(group, signal)
}

/** Waits for the file that the shim writes within its first milliseconds; on a full disk there will be none. */
async function readPids(command: Known): Promise<Pids | undefined> {
  const { paths, clock } = command
  const deadline = clock.now().getTime() + SETTLE_MS
  for (;;) {
    const pids = parsePids((await readIfExists(paths.pids))?.toString('utf8') ?? '')
    if (pids !== undefined) return pids
    const isStarting = (await findShim(command)) !== undefined
    if (!isStarting || clock.now().getTime() > deadline) return undefined
    await delay(clock, 5)
  }
}

/**
 * The shim of a container that has no file with its pids: on a machine that does much else it has not come to that
 * yet, however long ago it was started, and on a full disk it never does. Undefined when it does not run.
 */
async function findShim({ paths, id }: Known): Promise<ProcessIdentity | undefined> {
  for (const pid of await findProcessesByEnvironment(CONTAINER_VARIABLE, id)) {
    // What it forks has its command line too, until it becomes the container's; what that starts may have any.
    const [stat, command] = [readStat(pid), await findCommand(pid)]
    const isShim = stat?.session === pid && command?.[1] === '-p' && command[3] === paths.dir
    if (isShim) return { pid, startTime: stat.startTime }
  }
  return undefined
}

async function untilGone({ clock, logger, id }: Known, { pid, startTime }: ProcessIdentity): Promise<void> {
  const onFailure = (error: unknown): void => logger.warn({ error, container: id }, 'looking for a container failed')
  const look = async (): Promise<void> => {
    while (isProcessAlive(pid, startTime === '-' ? undefined : startTime)) await delay(clock, ADOPTED_POLL_MS)
  }
  await retry(look, { clock, everyMs: RETRY_MS, onFailure })
}

/** How a container ended of which state.json says nothing. */
type Ending = Pick<Exit, 'exitCode' | 'reason' | 'message'>

/** Once the shim is gone: nothing of the container may be left, and its end must be on disk. Never rejects. */
async function recordEnd(command: Known, shimPid: number | undefined, otherwise: Ending): Promise<Exit> {
  const { clock, logger, id, paths } = command
  const onFailure = (error: unknown): void =>
    logger.warn({ error, container: id }, 'ending what a container left behind failed, trying again')
  await retry(() => killLeftovers(command, shimPid), { clock, everyMs: RETRY_MS, onFailure })
  const unseen: Exit = { finishedAt: clock.now().toISOString(), ...otherwise }
  for (let tries = 1; ; tries += 1) {
    try {
      const exit = await readExit(paths)
      if (exit === undefined) await writeExit(paths, unseen)
      return exit ?? unseen
    } catch (error) {
      logger.warn({ error, container: id }, 'the end of a container cannot be read or noted')
      if (tries === NOTE_TRIES) return { ...unseen, message: `${unseen.message ?? ''}; ${messageOf(error)}` }
      await delay(clock, RETRY_MS)
    }
  }
}

/** The words of a kubelet that comes back and misses a container. */
const LOST = {
  exitCode: 137,
  reason: 'ContainerStatusUnknown',
  message: 'The container could not be located when the pod was looked for',
}

/** Whether an exit says no more than that nobody saw the end. */
export function isLost({ reason }: Exit): boolean {
  return reason === LOST.reason
}

const UNWRITTEN =
  'The process that waits for the container ended without noting its end: it was killed, or the disk is full'

/** The limit of a reason, which may quote a program's name as long as the API takes one. */
const MESSAGE_LENGTH = 1024

/** The words and the exit code of a kubelet whose runtime cannot start a process. */
export function notStarted(message: string): Ending {
  return { exitCode: 128, reason: 'StartError', message: message.slice(0, MESSAGE_LENGTH) }
}

/** Pids of what a container has left running, by `<pod uid>/<container>`. */
export async function findLeftovers(id: string): Promise<number[]> {
  const names = [CONTAINER_VARIABLE, CONTAINER_OFFSPRING_VARIABLE]
  return (await Promise.all(names.map((name) => findProcessesByEnvironment(name, id)))).flat()
}

async function killLeftovers({ paths, id, clock }: Known, shimPid: number | undefined): Promise<void> {
  const pids = parsePids((await readIfExists(paths.pids))?.toString('utf8') ?? '')
  if (pids !== undefined && isRunning(pids, 'container')) signalGroup(pids.container.pid, 'SIGKILL')
  // A shim that has gone may have left `cat` in its group.
  const shimGroup = shimPid ?? pids?.shim.pid
  const deadline = clock.now().getTime() + SETTLE_MS
  for (;;) {
    const left = await findLeftovers(id)
    if (left.length === 0 && (shimPid === undefined || !(await isGroupRunning(shimPid)))) return
    const groups = await findGroupsOf(left)
    const isLate = clock.now().getTime() > deadline
    // `cat` is spared at first: it still writes what the container printed last.
    if (!isLate && shimGroup !== undefined) groups.delete(shimGroup)
    for (const group of groups) signalGroup(group, 'SIGKILL')
    await delay(clock, 5)
  }
}
