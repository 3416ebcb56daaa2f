/** The processes of a container: as its shim wrote them down, and as /proc shows them. */
import { findGroup } from '../lib/process.ts'

/** `startTime` as in lib/process.ts, or `-` where there is no /proc. */
export interface ProcessIdentity {
  readonly pid: number
  readonly startTime: string
}

export interface Pids {
  readonly shim: ProcessIdentity
  /** Leader of the container's process group. */
  readonly container: ProcessIdentity
}

/** Reads `<shim> <start> <container> <start>`; undefined for a line that is not complete yet. */
export function parsePids(text: string): Pids | undefined {
  const match = /^([1-9]\d*) (\d+|-) ([1-9]\d*) (\d+|-) \n$/.exec(text)
  const [shim, shimStart, container, containerStart] = match?.slice(1) ?? []
  if (shim === undefined || shimStart === undefined || container === undefined || containerStart === undefined) {
    return undefined
  }
  return {
    shim: { pid: Number(shim), startTime: shimStart },
    container: { pid: Number(container), startTime: containerStart },
  }
}

export async function findGroupsOf(pids: readonly number[]): Promise<Set<number>> {
  const groups = await Promise.all(pids.map(findGroup))
  return new Set(groups.filter((group): group is number => group !== undefined && group > 1))
}
