/** A reader of Prometheus' text format 0.0.4 that is stricter than a scraper: what promtool would complain of, throws. */

export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export interface Family {
  readonly name: string
  readonly type: string
  readonly help: string
  readonly samples: Sample[]
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/y
const TYPES = ['counter', 'gauge', 'histogram', 'summary']

/** @throws Error naming the line that is wrong */
export function parseExposition(text: string): ReadonlyMap<string, Family> {
  if (!text.endsWith('\n')) throw new Error('the last line does not end')
  const families = new Map<string, Family>()
  const series = new Set<string>()
  let help: [name: string, text: string] | undefined
  let family: Family | undefined
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const [, helped, helpText] = /^# HELP (\S+) (.+)$/.exec(line) ?? []
    const [, typed, type] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? []
    if (helped !== undefined && helpText !== undefined) help = [helped, helpText]
    else if (typed !== undefined && type !== undefined) {
      family = openFamily(families, typed, type, help)
    } else {
      const sample = parseSample(line)
      const key = `${sample.name}${JSON.stringify(Object.entries(sample.labels))}`
      if (series.has(key)) throw new Error(`a series twice: ${line}`)
      series.add(key)
      if (family === undefined || !belongs(sample, family)) throw new Error(`a sample outside its family: ${line}`)
      family.samples.push(sample)
    }
  }
  for (const each of families.values()) checkFamily(each)
  return families
}

function openFamily(
  families: Map<string, Family>,
  name: string,
  type: string,
  help: readonly [string, string] | undefined,
): Family {
  if (help?.[0] !== name) throw new Error(`${name} has no help text`)
  if (!NAME.test(name) || !TYPES.includes(type) || families.has(name)) throw new Error(`bad family ${name} ${type}`)
  const family = { name, type, help: help[1], samples: [] }
  families.set(name, family)
  return family
}

function parseSample(line: string): Sample {
  const [, name, inner, value] = SAMPLE.exec(line) ?? []
  if (name === undefined || value === undefined) throw new Error(`not a sample: ${line}`)
  const number = value === '+Inf' ? Infinity : Number(value)
  if (Number.isNaN(number) && value !== 'NaN' && value !== 'Nan') throw new Error(`not a number: ${line}`)
  return { name, labels: parseLabels(inner ?? '', line), value: number }
}

function parseLabels(text: string, line: string): Record<string, string> {
  const labels: Record<string, string> = {}
  LABEL.lastIndex = 0
  while (LABEL.lastIndex < text.length) {
    const [, name, value] = LABEL.exec(text) ?? []
    if (name === undefined || value === undefined || name in labels) throw new Error(`bad labels: ${line}`)
    labels[name] = value
  }
  return labels
}

function belongs({ name }: Sample, family: Family): boolean {
  if (family.type === 'histogram' || family.type === 'summary')
    return ['', '_bucket', '_sum', '_count'].some((suffix) => name === family.name + suffix)
  return name === family.name
}

/** What promtool's linter asks of names, and what a histogram must keep. */
function checkFamily({ name, type, samples }: Family): void {
  // The names of the process's own metrics are those of its ecosystem, where two gauges end in _total.
  if (!name.startsWith('slipway_')) return
  if (type === 'counter' && !name.endsWith('_total')) throw new Error(`counter ${name} does not end in _total`)
  if (type !== 'counter' && name.endsWith('_total')) throw new Error(`${type} ${name} ends in _total`)
  if (/_(milliseconds|ms|minutes|hours|days|kilobytes|megabytes|mb)(_|$)/.test(name))
    throw new Error(`${name} is not in a base unit`)
  if (type !== 'histogram') return
  const buckets = groupBy(
    samples.filter((sample) => sample.name === `${name}_bucket`),
    ({ labels }) => JSON.stringify(Object.entries(labels).filter(([label]) => label !== 'le')),
  )
  for (const group of buckets.values()) {
    const counts = group.map(({ value }) => value)
    if (counts.some((count, i) => count < (counts[i - 1] ?? 0))) throw new Error(`${name}: buckets are not cumulative`)
    if (group.at(-1)?.labels['le'] !== '+Inf') throw new Error(`${name}: the last bucket is not +Inf`)
  }
}

/** The value of one series; 0 when there is none. Labels that are not named may have any value, and are summed over. */
export function sumOf(
  families: ReadonlyMap<string, Family>,
  name: string,
  labels: Record<string, string> = {},
): number {
  const family = [...families.values()].find((each) => name === each.name || name.startsWith(`${each.name}_`))
  const fitting = (family?.samples ?? []).filter(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  )
  return fitting.reduce((sum, { value }) => sum + value, 0)
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}
