/** One figure: what Slipway does beside the least that anybody could do for the same result, in the same run. */
export interface Figure {
  readonly name: string
  readonly unit: string
  readonly ours: number
  /** Absent where nothing comparable exists (memory). */
  readonly floor?: { readonly what: string; readonly value: number }
  /** What we mean to hold; absent where a figure only explains another one. */
  readonly aim?: Aim
}

/** A bound, in the unit of the figure; `of` says that it is one of the ratio to the floor, or of the difference. */
export type Aim = ({ readonly atMost: number } | { readonly atLeast: number }) & {
  readonly of?: 'ratio' | 'difference'
}

/** The middle value; of an even count the lower one. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN
}

/** A Markdown table of the figures, ratio included. */
export function renderFigures(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => {
    const { name, unit, ours, floor } = figure
    const ratio = floor === undefined ? '–' : `${(ours / floor.value).toFixed(2)}×`
    const beside = floor === undefined ? '–' : `${format(floor.value)} ${unit} (${floor.what})`
    return `| ${name} | ${format(ours)} ${unit} | ${beside} | ${ratio} | ${renderAim(figure)} |`
  })
  return ['| figure | Slipway | floor, same run | ratio | aim |', '| --- | --- | --- | --- | --- |', ...rows].join('\n')
}

/** A sentence for each figure that misses its aim. */
export function findMissed(figures: readonly Figure[]): string[] {
  return figures
    .filter((figure) => !isMet(figure))
    .map((figure) => `${figure.name}: ${format(measureOf(figure))}, aim ${renderAim(figure)}`)
}

function isMet(figure: Figure): boolean {
  const { aim } = figure
  if (aim === undefined) return true
  const measured = measureOf(figure)
  // Also not met by what could not be measured.
  return 'atMost' in aim ? measured <= aim.atMost : measured >= aim.atLeast
}

/** What the aim is about. */
function measureOf({ ours, floor, aim }: Figure): number {
  if (aim?.of === 'ratio') return ours / (floor?.value ?? Number.NaN)
  if (aim?.of === 'difference') return ours - (floor?.value ?? Number.NaN)
  return ours
}

function renderAim({ aim, unit }: Figure): string {
  if (aim === undefined) return '–'
  const bound = 'atMost' in aim ? `≤ ${aim.atMost.toLocaleString('en')}` : `≥ ${aim.atLeast.toLocaleString('en')}`
  if (aim.of === 'ratio') return `${bound}×`
  return `${bound} ${unit}`.trim() + (aim.of === 'difference' ? ' more' : '')
}

function format(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(value >= 10 ? 1 : 2)
}
