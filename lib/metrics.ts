/**
 * Prometheus metrics. Whoever measures gets a {@link Metrics} to make instruments with and knows nothing of the
 * library behind it, which is loaded by {@link openMetrics} alone: an installation that shows no metrics pays nothing.
 *
 * A label's values must be few and known beforehand (states, route ids), or bounded by objects that {@link
 * MetricsRegistry.forget} is called for when they go (agents, projects): every combination is a series that is kept for ever.
 */
import type { Counter as PromCounter, Gauge as PromGauge, Histogram as PromHistogram } from 'prom-client'

export type Labels<L extends string> = Readonly<Record<L, string>>

/** Only grows, from 0 at each start of the process. */
export interface Counter<L extends string> {
  add(labels: Labels<L>, by?: number): void
}

export interface Gauge<L extends string> {
  set(labels: Labels<L>, value: number): void
  /** Takes all series away: nothing is shown rather than something old. */
  clear(): void
}

export interface Histogram<L extends string> {
  observe(labels: Labels<L>, value: number): void
}

/** Makes instruments, each once. Names follow Prometheus' rules: base units, `_total` on counters. */
export interface Metrics {
  counter<const L extends string>(name: string, help: string, labels: readonly L[]): Counter<L>
  gauge<const L extends string>(name: string, help: string, labels: readonly L[]): Gauge<L>
  /** `buckets` are upper bounds, rising. */
  histogram<const L extends string>(
    name: string,
    help: string,
    labels: readonly L[],
    buckets: readonly number[],
  ): Histogram<L>
  /** Calls `collect` before each answer, for values that are looked up rather than counted. */
  onScrape(collect: () => void): void
  /** Takes away every series whose label has this value. */
  forget(label: string, value: string): Promise<void>
}

/** What a metric is, for its documentation. */
export interface MetricDefinition {
  readonly name: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  readonly labels: readonly string[]
}

export interface MetricsRegistry extends Metrics {
  /** Our own instruments, in the order in which they were made; those of the process are not among them. */
  readonly definitions: readonly MetricDefinition[]
  readonly contentType: string
  /** Everything in Prometheus' text format. */
  text(): Promise<string>
}

/** Instruments that keep nothing, for an installation that shows no metrics. */
export const NO_METRICS: Metrics = {
  counter: () => ({ add: () => undefined }),
  gauge: () => ({ set: () => undefined, clear: () => undefined }),
  histogram: () => ({ observe: () => undefined }),
  onScrape: () => undefined,
  forget: () => Promise.resolve(),
}

type AnyMetric = PromCounter | PromGauge | PromHistogram

/** A registry of its own, with the usual metrics of the process (memory, processor time, event loop). */
export async function openMetrics(): Promise<MetricsRegistry> {
  // By its default export, which alone the bundled form of a CommonJS package has.
  const { default: library } = await import('prom-client')
  const { Registry, Counter, Gauge, Histogram, collectDefaultMetrics } = library
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const made = new Map<MetricDefinition, AnyMetric>()
  const collectors: (() => void)[] = []
  const keep = <M extends AnyMetric>(definition: MetricDefinition, metric: M): M => {
    made.set(definition, metric)
    return metric
  }
  return {
    counter(name, help, labels) {
      const metric = new Counter({ name, help, labelNames: labels, registers })
      keep({ name, type: 'counter', help, labels }, metric)
      return { add: (values, by = 1) => metric.inc(values, by) }
    },
    gauge(name, help, labels) {
      const metric = new Gauge({ name, help, labelNames: labels, registers })
      keep({ name, type: 'gauge', help, labels }, metric)
      return { set: (values, value) => metric.set(values, value), clear: () => metric.reset() }
    },
    histogram(name, help, labels, buckets) {
      const metric = new Histogram({ name, help, labelNames: labels, buckets: [...buckets], registers })
      keep({ name, type: 'histogram', help, labels }, metric)
      return { observe: (values, value) => metric.observe(values, value) }
    },
    onScrape: (collect) => void collectors.push(collect),
    async forget(label, value) {
      const concerned = [...made].filter(([{ labels }]) => labels.includes(label))
      await Promise.all(concerned.map(([{ labels }, metric]) => removeSeries(metric, labels, label, value)))
    },
    get definitions() {
      return [...made.keys()]
    },
    contentType: registry.contentType,
    text() {
      for (const collect of collectors) collect()
      return registry.metrics()
    },
  }
}

/** The library removes a series only by all of its labels. */
async function removeSeries(metric: AnyMetric, names: readonly string[], label: string, value: string): Promise<void> {
  const { values } = await metric.get()
  for (const { labels } of values) {
    const found = new Map<string, unknown>(Object.entries(labels))
    if (found.get(label) === value) metric.remove(...names.map((name) => String(found.get(name))))
  }
}
