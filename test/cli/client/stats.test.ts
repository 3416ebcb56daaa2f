import assert from 'node:assert/strict'
import { costsCommand, toMonth } from '../../../cli/commands/costs.ts'
import { statsCommand } from '../../../cli/commands/stats.ts'
import { toTimestamp } from '../../../core/time.ts'
import { type Rig, startRig } from '../../api-server/rig.ts'
import { aTask, anExecution } from '../../helpers/build.ts'
import { until } from '../../helpers/until.ts'
import { runCommand } from './run-command.ts'

describe('statistics on the command line', () => {
  let api: Rig
  const at = toTimestamp(new Date())
  before(async () => {
    api = await startRig()
    await api.given(aTask({ name: 'ran', status: { state: 'FAILED' } }))
    const error = { category: 'git', message: 'no such branch' } as const
    const status = { state: 'FAILED', startedAt: at, finishedAt: at, costUSD: 0.5, error } as const
    await api.givenExecution(anExecution({ name: 'ran-1', status }))
  })
  after(() => api.stop())

  it('say how runs ended, what failed and what it cost, by the hour or the day', async () => {
    const stats = async (...words: string[]) => (await runCommand(statsCommand, words, api.url)).out
    await until('the run is counted', async () => (await stats()).startsWith('1 run ended in the last 7d\n'))
    const week = await stats()
    for (const line of [
      new RegExp(`^${at.slice(0, 10)} +0 +1 +0$`, 'm'),
      /^git +1$/m,
      /^ran +git +\d+[sm] +no such branch$/m,
      /^\$0\.50 in 7 days, \$0\.07 a day, \$0\.50 for a run$/m,
    ])
      assert.match(week, line)
    assert.match(await stats('--since', '24h'), new RegExp(`^${at.slice(0, 10)} \\d\\d:00 +0 +1 +0$`, 'm'))
    await assert.rejects(stats('--since', 'month'), { name: 'UsageError', message: /24h, 7d, 30d/ })
  })

  it('have the costs of this month', async () => {
    const { out } = await runCommand(costsCommand, ['--since', 'month'], api.url)
    assert.match(out, new RegExp(`^\\$0\\.50 for 1 run in ${at.slice(0, 7)}$`, 'm'))
    assert.match(out, /^script +\$0\.50 +1 +0 +1$/m)
  })

  it('count the days of a month alone, and say with which they begin', () => {
    const day = (date: string, cost_usd: number) => ({ date, cost_usd, runs: 1, completed: 1, failed: 0, other: 0 })
    const share = (id: string, daily: ReturnType<typeof day>[]) => {
      const errors = { quota: 0, rate_limit: 0, timeout: 0, git: 0, failed: 0 }
      return { id, cost_usd: 99, runs: 99, completed: 99, failed: 0, other: 0, cost_per_run_usd: 1, errors, daily }
    }
    const days = ['2026-10-30', '2026-10-31', '2026-11-01', '2026-11-02'].map((date) => ({
      date,
      cost_usd: 0,
      runs: 0,
    }))
    const billing = { total_7d_usd: 0, average_per_day_usd: 0, cost_per_run_usd: 0, daily: days }
    const by_agent = [
      share('before', [day('2026-10-31', 5)]),
      share('little', [day('2026-10-31', 9), day('2026-11-01', 0.1), day('2026-11-02', 0.2)]),
      share('much', [day('2026-11-02', 1)]),
    ]
    assert.deepEqual(toMonth({ billing, by_agent, by_project: [] }, '2026-11'), {
      month: '2026-11',
      from: '2026-11-01',
      by_project: [],
      by_agent: [
        { id: 'much', cost_usd: 1, runs: 1, completed: 1, failed: 0 },
        { id: 'little', cost_usd: 0.3, runs: 2, completed: 2, failed: 0 },
      ],
    })
    assert.equal(toMonth({ billing, by_agent, by_project: [] }, '2026-10').from, '2026-10-30')
  })
})
