/** The processes of a container: as its shim wrote them down, and as /proc shows them. */
import { readBootId } from '../lib/boot.ts'
import { findGroup } from '../lib/process.ts'
import { isProcessAlive } from '../lib/process-state.ts'

/** `startTime` as in lib/process-state.ts, or `-` where there is no /proc, or the process had ended before it was read. */
export interface ProcessIdentity {
  readonly pid: number
  readonly startTime: string
}

export interface Pids {
  readonly shim: ProcessIdentity
  /** Leader of the container's process group. */
  readonly container: ProcessIdentity
  /** The boot of the machine in which they started; undefined where there is no /proc. */
  readonly bootId?: string
}

/** Reads `<shim> <start> <container> <start> <boot>`; undefined for a line that is not complete yet. */
export function parsePids(text: string): Pids | undefined {
  const match = /^([1-9]\d*) (\d+|-) ([1-9]\d*) (\d+|-) ([0-9a-f-]*)\n$/.exec(text)
  const [shim, shimStart, container, containerStart, bootId] = match?.slice(1) ?? []
  if (shim === undefined || shimStart === undefined || container === undefined || containerStart === undefined) {
    return undefined
  }
  return {
    shim: { pid: Number(shim), startTime: shimStart },
    container: { pid: Number(container), startTime: containerStart },
    ...(bootId === undefined || bootId === '' ? {} : { bootId }),
  }
}

/** Whether the shim, or the container's first process, is alive: that very one, by boot and start, never by a clock. */
export function isRunning(pids: Pids, which: 'shim' | 'container'): boolean {
  const bootId = readBootId()
  if (pids.bootId !== undefined && bootId !== undefined && pids.bootId !== bootId) return false
  const { pid, startTime } = pids[which]
  if (startTime !== '-') return isProcessAlive(pid, startTime)
  // Without /proc the pid has to do. With it, the process had ended when the shim looked for it.
  return pids.shim.startTime === '-' && isProcessAlive(pid)
}

export async function findGroupsOf(pids: readonly number[]): Promise<Set<number>> {
  const groups = await Promise.all(pids.map(findGroup))
  return new Set(groups.filter((group): group is number => group !== undefined && group > 1))
}
