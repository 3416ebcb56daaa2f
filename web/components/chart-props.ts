/** What a chart is given. */
export interface Series {
  readonly label: string
  /** Name of a colour among the tokens, such as `--done`. */
  readonly token: string
  /** One for each label. */
  readonly values: readonly number[]
}

export interface ChartProps {
  readonly title: string
  /** What the labels are: `Day`. */
  readonly labelsAre: string
  readonly labels: readonly string[]
  readonly series: readonly Series[]
  readonly format: (value: number) => string
  /** What a click on a bar, or on a row of the table, leads to. */
  readonly onSelect?: ((index: number) => void) | undefined
}
