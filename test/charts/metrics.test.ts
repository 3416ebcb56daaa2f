import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createApiMetrics } from '../../api-server/metrics.ts'
import { openMetrics } from '../../lib/metrics.ts'
import { createOperatorMetrics } from '../../operator/metrics.ts'
import { ALL_OPTIONS } from './options.ts'
import { at, find, needHelm, parseManifests, render, renderText } from './render.ts'

const DASHBOARD = join(import.meta.dirname, '..', '..', '..', 'charts', 'slipway', 'files', 'dashboard.json')
/** What a histogram is stored as. */
const SERIES = /_(bucket|sum|count)$/
/** The usual metrics of a process and of Node.js are there too, and are no definitions of ours. */
const METRIC = /\b(slipway|process|nodejs)_[a-z_]+\b/g
const SELECTOR = /\b(slipway_[a-z_]+)\{([^}]*)\}/g

/** What every series has from Prometheus, beside its own labels. */
const OF_PROMETHEUS = ['namespace', 'pod']

describe('what the chart shows in Grafana and alerts about', () => {
  let labels: Map<string, readonly string[]>
  let shown: string
  before(async () => {
    const metrics = await openMetrics()
    createOperatorMetrics(metrics)
    createApiMetrics(metrics)
    labels = new Map(metrics.definitions.map((one) => [one.name, one.labels]))
    shown = await metrics.text()
  })

  const judge = (expression: string): void => {
    for (const [name] of expression.matchAll(METRIC)) {
      if (!name.startsWith('slipway_')) assert.match(shown, new RegExp(`^${name}[ {]`, 'm'))
      else assert.ok(labels.has(name) || labels.has(name.replace(SERIES, '')), `there is no metric ${name}`)
    }
    for (const [, name = '', matchers = ''] of expression.matchAll(SELECTOR)) {
      const known = [...(labels.get(name) ?? labels.get(name.replace(SERIES, '')) ?? []), ...OF_PROMETHEUS]
      for (const [, label = ''] of matchers.matchAll(/([a-z_]+)\s*=/g)) assert.ok(known.includes(label), expression)
    }
  }

  it('reads metrics and labels that exist, in the dashboard', () => {
    const dashboard: unknown = JSON.parse(readFileSync(DASHBOARD, 'utf8'))
    const panels = at(dashboard, 'panels') as unknown[]
    const targets = panels.flatMap((panel) => (at(panel, 'targets') ?? []) as unknown[])
    assert.ok(targets.length > 20)
    for (const target of targets) judge(String(at(target, 'expr')))
    judge(JSON.stringify(at(dashboard, 'templating')))
    const ids = panels.map((panel) => at(panel, 'id'))
    assert.deepEqual(ids, [...new Set(ids)])
  })

  it('reads metrics and labels that exist, in the alerts, of its own namespace alone', async function () {
    needHelm(this)
    const rule = find(await render(ALL_OPTIONS), 'PrometheusRule', 'slipway')
    const rules = at(rule, 'spec', 'groups', 0, 'rules') as unknown[]
    assert.ok(rules.length > 3)
    const page = readFileSync(join(DASHBOARD, '../../../../docs/metrics.md'), 'utf8')
    for (const one of rules) {
      const alert = String(at(one, 'alert'))
      assert.match(
        String(at(one, 'annotations', 'runbook_url')),
        new RegExp(`/docs/metrics\\.md#${alert.toLowerCase()}$`),
      )
      assert.ok(page.includes(`\n### ${alert}\n`), alert)
      const expression = String(at(one, 'expr'))
      judge(expression)
      for (const [, , matchers] of expression.matchAll(SELECTOR)) assert.match(matchers ?? '', /namespace="work"/)
    }
  })

  it('gives Grafana the file as it is', async function () {
    needHelm(this)
    const map = find(parseManifests(await renderText(ALL_OPTIONS)), 'ConfigMap', 'slipway-dashboard')
    const text = String(at(map, 'data', 'slipway.json'))
    assert.deepEqual(JSON.parse(text), JSON.parse(readFileSync(DASHBOARD, 'utf8')))
  })
})
