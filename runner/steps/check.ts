/** One check of an execution (docs/adr/0015-checks.md). */
export function check(): Promise<number> {
  return Promise.reject(new Error('not here yet'))
}
