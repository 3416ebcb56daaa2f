/**
 * Child processes as groups: started in a session of their own, signalled and ended together.
 *
 * A group is named by its leader's pid. A pid alone is never proof of identity, because the kernel gives it out
 * again: whoever stores one stores the process's start time with it ({@link findStartTime}). What left its group
 * (a daemon) is found again by a variable in its environment ({@link findProcessesByEnvironment}); that search
 * needs /proc, so on other systems than Linux it finds nothing.
 */
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import type { Clock } from './clock.ts'
import { hasErrorCode, ifThere } from './files.ts'
import { type ProcessStat, parseStat } from './process-state.ts'

/** In the environment of every process of a container on a machine's own node: `<pod uid>/<container>`. */
export const CONTAINER_VARIABLE = 'NODE_CONTAINER_ID'

/**
 * The same value, for what the program of a container starts with an environment of its own. That program ends it; the
 * node only kills what is left once the program is gone.
 */
export const CONTAINER_OFFSPRING_VARIABLE = 'NODE_CONTAINER_OFFSPRING'

export interface GroupOptions {
  readonly cwd?: string
  /** The whole environment; nothing of ours is added. */
  readonly env: Readonly<Record<string, string>>
  readonly stdio?: StdioOptions
}

/**
 * Starts a command as leader of a new session and process group; the group's id is the child's pid. As with
 * `spawn`, a command that cannot be started leaves `pid` undefined and emits `error`.
 */
export function startGroup(command: string, args: readonly string[], options: GroupOptions): ChildProcess {
  return spawn(command, args, {
    cwd: options.cwd,
    env: { ...options.env },
    stdio: options.stdio ?? 'ignore',
    detached: true,
  })
}

/** Sends a signal (0 only asks) to every process of a group; false when the group has none left. */
export function signalGroup(pgid: number, signal: NodeJS.Signals | 0): boolean {
  return send(-checkedPid(pgid), signal)
}

/** Sends a signal (0 only asks) to one process; false when there is none of that id. */
export function signalProcess(pid: number, signal: NodeJS.Signals | 0): boolean {
  return send(checkedPid(pid), signal)
}

/**
 * Lets our parent go on if something has stopped it: a debugger that attaches to a process and is killed leaves it so. In
 * a PID namespace the parent may be PID 1, which nothing inside can stop by a signal, but wake.
 */
export function wakeParent(): void {
  if (process.ppid > 0) send(process.ppid, 'SIGCONT')
}

// kill(0), kill(-1) and kill(1) would reach ourselves, everything, or the machine's init.
function checkedPid(pid: number): number {
  if (!Number.isSafeInteger(pid) || pid <= 1) throw new RangeError(`not a process to signal: ${pid}`)
  return pid
}

function send(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(target, signal)
    return true
  } catch (error) {
    if (hasErrorCode(error, 'ESRCH')) return false
    // Exists, but is another user's (a set-uid program, say).
    if (hasErrorCode(error, 'EPERM')) return true
    throw error
  }
}

export interface EndOptions {
  /** Time between SIGTERM and SIGKILL. */
  readonly graceMs: number
  readonly clock: Clock
  /** Called once, just before SIGKILL is sent. */
  readonly onKill?: () => void
}

const POLL_MS = { first: 2, last: 50 }

/** SIGTERM, then SIGKILL for what is left after the grace; resolves when no process of the group runs any more. */
export async function endGroup(pgid: number, options: EndOptions): Promise<void> {
  if (!signalGroup(pgid, 'SIGTERM')) return
  if (await groupEnds(pgid, options.graceMs, options.clock)) return
  options.onKill?.()
  signalGroup(pgid, 'SIGKILL')
  await groupEnds(pgid, Number.POSITIVE_INFINITY, options.clock)
}

/** Waits until a group is empty, `timeoutMs` at most; says whether it is. */
export async function groupEnds(pgid: number, timeoutMs: number, clock: Clock): Promise<boolean> {
  const start = clock.now().getTime()
  // Timers of a Clock do not keep us alive, but a group half ended must not be left behind.
  const keepAlive = setInterval(() => undefined, 60_000)
  try {
    for (let pauseMs = POLL_MS.first; ; pauseMs = Math.min(pauseMs * 2, POLL_MS.last)) {
      if (!(await isGroupRunning(pgid))) return true
      const leftMs = timeoutMs - (clock.now().getTime() - start)
      if (leftMs <= 0) return false
      await pause(clock, Math.min(pauseMs, leftMs))
    }
  } finally {
    clearInterval(keepAlive)
  }
}

function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.schedule(ms, resolve)
  })
}

/**
 * Whether a process of the group still runs. A zombie does not: in a container whose PID 1 never waits, the
 * kernel would answer kill(2) for it for ever.
 */
export async function isGroupRunning(pgid: number): Promise<boolean> {
  if (!signalGroup(pgid, 0)) return false
  const stats = await ofEachProcess(findStat)
  if (stats.length === 0) return true
  return stats.some((stat) => stat?.pgid === pgid && !stat.isDead)
}

/** When a process started, as {@link ProcessStat} says; undefined when none runs, or the system has no /proc. */
export async function findStartTime(pid: number): Promise<string | undefined> {
  const stat = await findStat(pid)
  return stat === undefined || stat.isDead ? undefined : stat.startTime
}

/** The group that a process belongs to; undefined when it does not exist or the system has no /proc. */
export async function findGroup(pid: number): Promise<number | undefined> {
  return (await findStat(pid))?.pgid
}

/** The command line of a process, its program first; undefined as for {@link findGroup}. */
export async function findCommand(pid: number): Promise<string[] | undefined> {
  return (await readProc(`/proc/${pid}/cmdline`))?.toString('utf8').split('\0').slice(0, -1)
}

/** Ids of the processes in whose initial environment `name` has exactly this value; ourselves left out. */
export async function findProcessesByEnvironment(name: string, value: string): Promise<number[]> {
  const wanted = Buffer.from(`\0${name}=${value}\0`)
  const found = await ofEachProcess(async (pid) => {
    const environment = await readProc(`/proc/${pid}/environ`)
    return environment !== undefined && Buffer.concat([NUL, environment]).includes(wanted) ? [pid] : []
  })
  return found.flat().filter((pid) => pid !== process.pid)
}

/** Kills the processes that {@link findProcessesByEnvironment} finds, until there are none: they may be forking. */
export async function killByEnvironment(name: string, value: string): Promise<void> {
  for (let look = 0; look < 100; look += 1) {
    const pids = await findProcessesByEnvironment(name, value)
    if (pids.length === 0) return
    for (const pid of pids) signalProcess(pid, 'SIGKILL')
  }
}

const NUL = Buffer.from([0])

async function findStat(pid: number): Promise<ProcessStat | undefined> {
  const text = await readProc(`/proc/${pid}/stat`)
  return text === undefined ? undefined : parseStat(text.toString('latin1'))
}

/** How many files of /proc are open at a time: a machine has more processes than a process may open files. */
const AT_A_TIME = 32

async function ofEachProcess<T>(look: (pid: number) => Promise<T>): Promise<T[]> {
  const pids = await listProcesses()
  const found: T[] = []
  while (pids.length > 0) found.push(...(await Promise.all(pids.splice(-AT_A_TIME).map(look))))
  return found
}

async function listProcesses(): Promise<number[]> {
  const names = (await ifThere(readdir('/proc'))) ?? []
  return names.map(Number).filter((pid) => Number.isSafeInteger(pid) && pid > 0)
}

/** Undefined for a process that ended meanwhile or belongs to somebody else. */
function readProc(path: string): Promise<Buffer | undefined> {
  return ifThere(readFile(path), 'ENOENT', 'ESRCH', 'EACCES', 'EPERM')
}
