import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Task } from '../../core/rest/client/client.ts'
import { connectApi } from '../../core/rest/client/connect.ts'
import { parseTimestamp } from '../../core/time.ts'
import { type StartedSlipway, startSlipway } from '../helpers/slipway.ts'
import { needBwrap } from '../helpers/bwrap.ts'
import { until } from '../helpers/until.ts'
import { endLeftovers } from './installation.ts'

for (const [where, hasSandbox] of [
  ['in sandboxes', true],
  ['where no sandbox works', false],
] as const)
  describe(`the demonstration, ${where}`, function () {
    this.timeout(300_000)

    const folder = mkdtempSync(join(tmpdir(), 'slipway-demo-'))
    const dataDir = join(folder, 'data')
    let program: StartedSlipway
    let api: ReturnType<typeof connectApi>

    async function start(): Promise<void> {
      const path = [...(hasSandbox ? [] : [folder]), process.env['PATH']].join(delimiter)
      program = await startSlipway(['demo', '--listen', '127.0.0.1:0', '--data-dir', dataDir], { PATH: path })
      api = connectApi({ url: program.url, fetch })
      await until('everything is registered', async () => program.output().includes('Watch it at'))
    }

    before(async function () {
      if (hasSandbox) await needBwrap(this)
      else writeFileSync(join(folder, 'bwrap'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
      await start()
    })
    after(async () => {
      await program.kill()
      await endLeftovers(dataDir)
      await rm(folder, { recursive: true, force: true, maxRetries: 10 })
    })

    async function reaches(id: string, state: Task['state']): Promise<Task> {
      let task = await api.getTask({ params: { id } })
      const is = async (): Promise<boolean> => {
        task = await api.getTask({ params: { id } })
        return task.state === state
      }
      await until(() => `${id} is ${state}: ${JSON.stringify(task)}\n${program.output()}`, is)
      return task
    }

    const executions = async (id: string) => (await api.listTaskExecutions({ params: { id } })).toReversed()
    const diffOf = ({ execution_id = '' }: Task) => api.getExecutionDiff({ params: { id: execution_id } })
    const onMain = (path: string): string =>
      execFileSync('git', ['--git-dir', join(dataDir, 'demo', 'shop.git'), 'show', `main:${path}`], {
        encoding: 'utf8',
      })

    it('asks a question; the answer resumes the same session, and the diff has it', async () => {
      const id = 'demo-question'
      const asked = await reaches(id, 'BLOCKED')
      assert.match(asked.question ?? '', /What shall the shop say/)
      await api.answerTask({ params: { id }, body: { answer: 'Sorry, it is too late for this one.' } })
      const diff = await diffOf(await reaches(id, 'READY'))
      assert.match(diff, /^\+Sorry, it is too late for this one\.$/m)
      const [first, second] = await executions(id)
      assert.ok(first?.session_id)
      assert.equal(second?.session_id, first.session_id)
    })

    it('meets a limit and goes on by itself some ten seconds later, in the same session', async () => {
      const task = await reaches('demo-limit', 'READY')
      const [first, second, ...more] = await executions(task.id)
      assert.deepEqual([first?.state, first?.error_category, more], ['BUDGET_EXCEEDED', 'quota', []])
      assert.equal(second?.session_id, first?.session_id)
      const rested =
        parseTimestamp(second?.started_at ?? '').getTime() - parseTimestamp(first?.finished_at ?? '').getTime()
      assert.ok(rested > 1_000, String(rested))
      // Some of it was done before the limit.
      const diff = await diffOf(task)
      assert.match(diff, /^\+const FREE_FROM = 5000$/m)
      assert.match(diff, /^\+.*cents >= FREE_FROM/m)
      assert.ok((first?.cost_usd ?? 0) > 0.01 && (second?.cost_usd ?? 0) > 0.01)
    })

    it('leaves a diff to review, and accepting it merges it into the repository of the demo', async () => {
      const id = 'demo-review'
      const task = await reaches(id, 'READY')
      assert.ok((task.cost_usd ?? 0) > 0, 'codex has a cost by its tokens')
      assert.doesNotMatch(onMain('src/basket.js'), /rounded once/)
      await api.acceptTask({ params: { id } })
      await until('the work is on main', async () => /rounded once/.test(onMain('src/basket.js')))
    })

    it('shows a story with criteria and verdicts', async () => {
      const story = async () => api.getStory({ params: { id: 'demo-price-list' } })
      await until('there are verdicts', async () => (await story()).evaluation.passed === 2)
      const { status, evaluation } = await story()
      assert.deepEqual([status, evaluation.total, evaluation.pending], ['VALIDATING', 3, 1])
    })

    it('says of each of its agents that it plays a recording', async () => {
      for (const id of ['recorded-claude', 'recorded-codex']) {
        const { classifier } = await api.getAgent({ params: { id } })
        assert.match(classifier?.hint ?? '', /Plays a recording of .*No model is asked/)
        assert.equal(classifier?.enabled, false, 'nobody gets it who does not ask for it')
        assert.match(program.output(), new RegExp(`agent ${id}: Plays a recording of`))
      }
    })

    it('started again, finds everything as it was', async () => {
      await until('it is through', async () => program.output().includes('Serving on.'))
      const states = async () => (await api.listTasks({})).map(({ id, state }) => `${id} ${state}`).sort()
      const before = await states()
      assert.equal(await program.stop(), 0)
      await start()
      await until('it is through', async () => program.output().includes('Serving on.'))
      assert.deepEqual(await states(), before)
      assert.equal((await api.listProjects({})).length, 1)
    })
  })
