/** One figure: what Slipway does beside the least that anybody could do for the same result, in the same run. */
export interface Figure {
  readonly name: string
  readonly unit: string
  readonly ours: number
  /** Absent where nothing comparable exists (memory). */
  readonly floor?: { readonly what: string; readonly value: number }
  /** What we mean to hold, as text: `≤ 8×`. */
  readonly aim: string
}

/** The middle value; of an even count the lower one. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN
}

/** A Markdown table of the figures, ratio included. */
export function renderFigures(figures: readonly Figure[]): string {
  const rows = figures.map(({ name, unit, ours, floor, aim }) => {
    const ratio = floor === undefined ? '–' : `${(ours / floor.value).toFixed(2)}×`
    const beside = floor === undefined ? '–' : `${format(floor.value)} ${unit} (${floor.what})`
    return `| ${name} | ${format(ours)} ${unit} | ${beside} | ${ratio} | ${aim} |`
  })
  return ['| figure | Slipway | floor, same run | ratio | aim |', '| --- | --- | --- | --- | --- |', ...rows].join('\n')
}

function format(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(value >= 10 ? 1 : 2)
}
