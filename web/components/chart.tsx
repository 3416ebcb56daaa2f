import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { Button } from './button.tsx'
import css from './chart.module.css'

/** What a chart is given. */
interface Series {
  readonly label: string
  /** Name of a colour among the tokens, such as `--done`. */
  readonly token: string
  /** One for each label. */
  readonly values: readonly number[]
}

interface ChartProps {
  readonly title: string
  /** What the labels are: `Day`. */
  readonly labelsAre: string
  readonly labels: readonly string[]
  readonly series: readonly Series[]
  readonly format: (value: number) => string
  /** What a click on a bar, or on a row of the table, leads to. */
  readonly onSelect?: ((index: number) => void) | undefined
}

/** Stacked bars, with the same numbers as a table: for screen readers always, for everybody by a button. */
export function Chart(props: ChartProps) {
  const [isTable, setTable] = useState(false)
  const theme = useShownTheme()
  const { title, series } = props
  return (
    <figure className={css['chart']}>
      <figcaption>
        <h2>{title}</h2>
        <Button isSmall look="quiet" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          {isTable ? 'Show as chart' : 'Show as table'}
        </Button>
        {!isTable && <Legend series={series} />}
      </figcaption>
      {/* Colours are read when it is drawn. */}
      {!isTable && <Bars key={theme} {...props} />}
      <div className={isTable ? css['table'] : 'unseen'}>
        {/* What cannot be seen takes no focus. */}
        <ChartTable {...props} onSelect={isTable ? props.onSelect : undefined} />
      </div>
    </figure>
  )
}

function Legend({ series }: { readonly series: readonly Series[] }) {
  return (
    <ul className={css['legend']} aria-hidden>
      {series.map(({ label, token }) => (
        <li key={label}>
          <b style={{ background: `var(${token})` }} />
          {label}
        </li>
      ))}
    </ul>
  )
}

function Bars({ labels, series, format, onSelect }: ChartProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    let erase: (() => void) | undefined
    let isGone = false
    const draw = async (): Promise<void> => {
      const { drawBars } = await import('./chart-bars.ts')
      const element = canvas.current
      if (isGone || element === null) return
      const style = getComputedStyle(element)
      // A token has a value for each theme; which one is shown the browser says of a property alone.
      const color = (token: string): string => {
        element.style.color = `var(${token})`
        return style.color
      }
      erase = drawBars(element, {
        labels,
        series: series.map(({ label, values, token }) => ({ label, values, color: color(token) })),
        format,
        colors: {
          text: color('--dim'),
          line: color('--line'),
          surface: color('--surface'),
          border: color('--line-strong'),
        },
        font: style.fontFamily,
        isStill: matchMedia('(prefers-reduced-motion: reduce)').matches,
        onSelect,
      })
    }
    void draw()
    return () => {
      isGone = true
      erase?.()
    }
  }, [labels, series, format, onSelect])
  return (
    <div className={css['bars']}>
      <canvas ref={canvas} aria-hidden />
    </div>
  )
}

const isDark = matchMedia('(prefers-color-scheme: dark)')

/** A name of the theme that is shown now: whoever reads colours from the tokens reads them anew when it changes. */
function useShownTheme(): string {
  return useSyncExternalStore(subscribe, () => document.documentElement.dataset['theme'] ?? String(isDark.matches))
}

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener)
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
  isDark.addEventListener('change', listener)
  return () => {
    observer.disconnect()
    isDark.removeEventListener('change', listener)
  }
}

/** The numbers of a chart; rows in which there is nothing are left out. */
function ChartTable({ title, labelsAre, labels, series, format, onSelect }: ChartProps) {
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
