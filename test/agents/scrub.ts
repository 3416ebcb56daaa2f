/** Takes out of a recording what is of one machine and one moment, so that a new one differs by what has changed. */

const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g

const CONSTANTS: readonly (readonly [RegExp, string])[] = [
  [/(?:\/[^\s/"'()]+)+\/node_modules\//g, '/node_modules/'],
  [/\/tmp\/[\w./-]+/g, '/tmp/file'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '2026-01-01T00:00:00.000Z'],
  [/"((?:duration|retry_delay|ttft|time_to_request)\w*_ms|duration_api_ms)":[\d.]+/g, '"$1":1'],
  [/"resetsAt":\d+/g, '"resetsAt":1767225600'],
  [/resets [^"]*?\(UTC\)/g, 'resets 1am (UTC)'],
  [/try again at [^"]*?[AP]M/g, 'try again at 1:28 AM'],
  [/127\.0\.0\.1:\d+/g, '127.0.0.1:1'],
  [/"(timestamp|created_at)":\d{10,}/g, '"$1":1767225600000'],
  [/call_[0-9a-z]{8,}|\b\w+_\d{13}_\d+\b/g, 'call_1'],
]

/** @param folder everything below it was made for the recording */
export function scrub(text: string, folder: string): string {
  const ids = new Map<string, string>()
  const nameOf = (id: string): string => {
    const name = ids.get(id) ?? `00000000-0000-4000-8000-${String(ids.size + 1).padStart(12, '0')}`
    ids.set(id, name)
    return name
  }
  const dashed = folder.replaceAll(/[^a-zA-Z0-9]/g, '-')
  const here = text.replaceAll(folder, '/recording').replaceAll(dashed, '-recording').replaceAll(UUID, nameOf)
  return CONSTANTS.reduce((rest, [pattern, constant]) => rest.replaceAll(pattern, constant), here)
}
