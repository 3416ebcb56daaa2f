/** Signals that end programs, by their numbers (POSIX.1-2017, kill). */
const SIGNALS: Readonly<Record<number, string>> = {
  1: 'SIGHUP',
  2: 'SIGINT',
  6: 'SIGABRT',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  13: 'SIGPIPE',
  15: 'SIGTERM',
}

/** How a script ended, by its exit code: above 128 it is a signal's number plus 128. */
export function exitWords(code: number): string {
  if (code === 0) return 'Ended well (exit code 0)'
  if (code > 128) return `Ended by ${SIGNALS[code - 128] ?? `signal ${code - 128}`} (exit code ${code})`
  return `Failed with exit code ${code}`
}
