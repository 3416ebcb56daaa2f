/** The boot of the machine: start times of processes, and the kernel's own clock, mean something within one boot only. */
import { readFileSync } from 'node:fs'
import { hasErrorCode } from './files.ts'

/** A random UUID that the kernel makes at each boot; undefined on a system without /proc. */
export function readBootId(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'EACCES')) return undefined
    throw error
  }
}
