import css from './chart.module.css'
import type { ChartProps } from './chart-props.ts'

/** The numbers of a chart; rows in which there is nothing are left out. */
export function ChartTable({ title, labelsAre, labels, series, format, onSelect }: ChartProps) {
  const rows = labels
    .map((label, index) => ({ label, index, values: series.map(({ values }) => values[index] ?? 0) }))
    .filter(({ values }) => values.some((value) => value !== 0))
  if (rows.length === 0) return <p>Nothing in this time.</p>
  return (
    <table>
      <caption className="unseen">{title}</caption>
      <thead>
        <tr>
          <th scope="col">{labelsAre}</th>
          {series.map(({ label }) => (
            <th key={label} scope="col">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ label, index, values }) => (
          <tr key={index}>
            <th scope="row">
              {onSelect === undefined ? (
                label
              ) : (
                <button className={css['row']} onClick={() => onSelect(index)}>
                  {label}
                </button>
              )}
            </th>
            {values.map((value, column) => (
              <td key={series[column]?.label}>{value === 0 ? '' : format(value)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
