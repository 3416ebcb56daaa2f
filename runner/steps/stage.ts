/** Step 3 of an execution with checks (docs/adr/0015-checks.md). */
export function stage(): Promise<number> {
  return Promise.reject(new Error('not here yet'))
}
