/** Where the page says that things are, and where they are while it is recorded. */
export interface Places {
  readonly folder: string
  /** Ports of the API and of the metrics. */
  readonly port: number
  readonly metricsPort: number
}

export const PAGE_PLACES: Places = { folder: '/tmp/tour', port: 8080, metricsPort: 9464 }

/** What differs from one recording to the next, and what the page shows in its place. */
const VARYING: readonly (readonly [RegExp, string])[] = [
  // Heartbeats of a stream: how many there are is a matter of time.
  [/^: *\n\n/gm, ''],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '2026-11-21T12:00:00Z'],
  [/\b\d{4}-\d\d-\d\d\b(?!T)/g, '2026-11-21'],
  [/\b[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/g, 'Sat, 21 Nov 2026 12:00:00 GMT'],
  [/\b([a-z]+)-01[0-9a-z]{24}\b/g, '$1-01kad3k9m2q7x4n8v5c6b0a1d2'],
  // The id of a story is its name and five letters and digits.
  [/\b(people-can-take-the-report-with-them)-[a-z0-9]{5}\b/g, '$1-x7k2m'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '6f1c2a0e-…'],
  [/\brequest-[0-9a-f]+-\d+\b/g, 'request-5d0c2f9e7a41-12'],
  [/"id":"[0-9a-f]{12}-\d+"/g, '"id":"e4e2283027ad-12"'],
  [/^(ETag|If-None-Match): "[^"]+"/gim, '$1: "87.1f0c5b2a"'],
  [/"commit":"[0-9a-f]*"/g, '"commit":"b917e28…"'],
  [/resourceVersion: "\d+"/g, 'resourceVersion: "87"'],
  [/"duration_seconds":[\d.]+/g, '"duration_seconds":0.01'],
  [/"public_key":"[\w-]{87}"/g, '"public_key":"BHq0…"'],
  [/(slipway-session)=[^;"\s]{20,}/g, '$1=Yv3k…'],
  [/\b([a-z0-9-]+-run)-[a-z0-9]{5}\b/g, '$1-x7k2p'],
  [/cursor=[\w%-]+/g, 'cursor=eyJh…'],
]

/** A command of the page, for the places of this recording. */
export function toHere(command: string, { folder, port, metricsPort }: Places): string {
  return command
    .replaceAll(PAGE_PLACES.folder, folder)
    .replaceAll(`:${PAGE_PLACES.port}`, `:${port}`)
    .replaceAll(`:${PAGE_PLACES.metricsPort}`, `:${metricsPort}`)
}

/** What a command printed here, as every recording shows it. */
export function toPage(output: string, { folder, port, metricsPort }: Places): string {
  const placed = output
    .replaceAll('\r', '')
    .replaceAll(folder, PAGE_PLACES.folder)
    .replaceAll(`:${port}`, `:${PAGE_PLACES.port}`)
    .replaceAll(`:${metricsPort}`, `:${PAGE_PLACES.metricsPort}`)
  return VARYING.reduce((text, [pattern, standIn]) => text.replaceAll(pattern, standIn), placed)
}

/** Replaces each full commit hash by one of its own, the same wherever it occurs; the first that occurs gets the first. */
export function nameCommits(): (output: string) => string {
  const names = new Map<string, string>()
  const nameOf = (hash: string): string => {
    const name = names.get(hash) ?? `${((names.size + 1) * 0x2f6e2b1).toString(16).padStart(7, '0').slice(0, 7)}…`
    names.set(hash, name)
    return name
  }
  return (output) => output.replaceAll(/\b(?!0{40})[0-9a-f]{40}\b/g, nameOf)
}
