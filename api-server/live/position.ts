/** Offsets in both output files of one execution, up to which a client has seen the lines. */
export interface Position {
  readonly execution: string
  readonly stdout: number
  readonly stderr: number
}

/** The beginning of any execution. */
export const START = { stdout: 0, stderr: 0 } as const

/** A position as the `id` of a server-sent event. */
export function formatPosition({ execution, stdout, stderr }: Position): string {
  return `${execution}:${stdout}:${stderr}`
}

/** The position in `Last-Event-ID`; undefined for none, and for an id that is not ours. */
export function parsePosition(id: string | undefined): Position | undefined {
  const [, execution, stdout, stderr] = /^([a-z0-9-]+):(\d{1,15}):(\d{1,15})$/.exec(id ?? '') ?? []
  return execution === undefined ? undefined : { execution, stdout: Number(stdout), stderr: Number(stderr) }
}
