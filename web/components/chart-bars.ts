/** Bars on a canvas by chart.js, of which only what bars need is in the bundle. Loaded with the first chart. */
import { BarController, BarElement, CategoryScale, Chart, LinearScale, Tooltip } from 'chart.js'

Chart.register(BarController, BarElement, CategoryScale, LinearScale, Tooltip)

/** What is drawn; colours as the browser takes them. */
export interface BarsSpec {
  readonly labels: readonly string[]
  readonly series: readonly { readonly label: string; readonly values: readonly number[]; readonly color: string }[]
  readonly format: (value: number) => string
  readonly colors: { readonly text: string; readonly line: string; readonly surface: string; readonly border: string }
  readonly font: string
  readonly isStill: boolean
  /** @param index of the label under the pointer */
  readonly onSelect?: ((index: number) => void) | undefined
}

const MOTION_MS = 120

/** Draws stacked bars; the returned function takes them away. */
export function drawBars(canvas: HTMLCanvasElement, spec: BarsSpec): () => void {
  const { labels, series, format, colors, font, isStill, onSelect } = spec
  const chart = new Chart(canvas, {
    type: 'bar',
    data: {
      labels: [...labels],
      datasets: series.map(({ label, values, color }) => ({
        label,
        data: [...values],
        backgroundColor: color,
        maxBarThickness: 36,
      })),
    },
    options: {
      responsive: true,
      maintainAspectRatio: false,
      animation: isStill ? false : { duration: MOTION_MS },
      interaction: { mode: 'index', intersect: false },
      font: { family: font, size: 11 },
      scales: {
        x: {
          stacked: true,
          grid: { display: false },
          border: { color: colors.line },
          ticks: { color: colors.text, maxRotation: 0, autoSkipPadding: 12 },
        },
        y: {
          stacked: true,
          beginAtZero: true,
          grid: { color: colors.line },
          border: { display: false },
          ticks: { color: colors.text, maxTicksLimit: 5, callback: (value) => format(Number(value)) },
        },
      },
      plugins: {
        tooltip: {
          backgroundColor: colors.surface,
          borderColor: colors.border,
          borderWidth: 1,
          titleColor: colors.text,
          bodyColor: colors.text,
          filter: ({ raw }) => raw !== 0,
          callbacks: { label: ({ dataset, raw }) => ` ${dataset.label}: ${format(Number(raw))}` },
        },
      },
      onClick: (_, elements) => {
        const [element] = elements
        if (element !== undefined) onSelect?.(element.index)
      },
      onHover: (_, elements) => {
        canvas.style.cursor = onSelect !== undefined && elements.length > 0 ? 'pointer' : 'default'
      },
    },
  })
  return () => chart.destroy()
}
