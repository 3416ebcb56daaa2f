/**
 * The text of a manifest in its parts: the YAML, and the comments behind it, in which the server tells of the events and
 * the pod (api-server/records/manifest.ts writes them). Pure.
 */
export interface ManifestEvent {
  readonly at: string
  readonly type: string
  readonly reason: string
  readonly message: string
}

export interface Manifest {
  /** What kubectl takes, without the comments. */
  readonly yaml: string
  readonly namespace: string | undefined
  readonly events: readonly ManifestEvent[]
  /** Undefined where the resource has no pod now. */
  readonly pod: ManifestPod | undefined
  /** What could not be read, in the server's words. */
  readonly problems: readonly string[]
}

export interface ManifestPod {
  readonly name: string
  /** Single values of its status, such as its phase. */
  readonly facts: readonly (readonly [name: string, value: string])[]
  /** The whole of its status, as YAML. */
  readonly status: string
  readonly events: readonly ManifestEvent[]
}

/** Cuts a manifest as the server prints it into its parts. */
export function parseManifest(text: string): Manifest {
  const begin = /^#/m.exec(text)?.index ?? text.length
  const yaml = text.slice(0, begin).trimEnd()
  const sections = text
    .slice(begin)
    .split(/\n(?!#)\n*/)
    .flatMap(parseSection)
  const linesOf = (title: RegExp): readonly string[] =>
    sections.find((section) => title.test(section.title))?.lines ?? []
  return {
    yaml: yaml === '' ? '' : `${yaml}\n`,
    namespace: /^ {2}namespace: ["']?([^"'\n]+)["']?$/m.exec(yaml)?.[1],
    events: parseEvents(linesOf(/^Events$/)),
    pod: parsePod(sections),
    problems: sections.flatMap(({ title, note }) => (note.startsWith('not available') ? [`${title}: ${note}`] : [])),
  }
}

interface Section {
  readonly title: string
  /** What stands behind the title in its line, such as `none`. */
  readonly note: string
  readonly lines: readonly string[]
}

function parseSection(text: string): Section[] {
  const [first = '', ...rest] = text.split('\n').map((line) => line.replace(/^# ?/, ''))
  const [, title, note = ''] = /^((?:Events of )?[Pp]od \S+|Pod|Events):(?: (.*))?$/.exec(first) ?? []
  return title === undefined ? [] : [{ title, note, lines: rest.filter((line) => line.trim() !== '') }]
}

function parsePod(sections: readonly Section[]): ManifestPod | undefined {
  const status = sections.find(({ title }) => title.startsWith('Pod '))
  if (status === undefined) return undefined
  const name = status.title.slice('Pod '.length)
  const lines = status.lines.map((line) => line.replace(/^ {2}/, ''))
  return {
    name,
    facts: lines.flatMap((line): (readonly [string, string])[] => {
      const [, key, value] = /^(\w+): (?![|>][-+]?$)(.+)$/.exec(line) ?? []
      return key === undefined || value === undefined ? [] : [[key, value.replace(/^(["'])(.*)\1$/, '$2')]]
    }),
    status: lines.join('\n'),
    events: parseEvents(sections.find(({ title }) => title === `Events of pod ${name}`)?.lines ?? []),
  }
}

const EVENT = /^ {2}(\S*) {2}(\S*) {2}(\S*) {2}(.*)$/

/** A line that begins no event goes on with the message before it. */
function parseEvents(lines: readonly string[]): readonly ManifestEvent[] {
  const events: ManifestEvent[] = []
  for (const line of lines) {
    const [, at, type = '', reason = '', message = ''] = EVENT.exec(line) ?? []
    const last = events.at(-1)
    if (at !== undefined) events.push({ at, type, reason, message })
    else if (last !== undefined) events[events.length - 1] = { ...last, message: `${last.message}\n${line.trim()}` }
  }
  // The newest first: why something does not go on stands in its last event.
  return events.toReversed()
}
