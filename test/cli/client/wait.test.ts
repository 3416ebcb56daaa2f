import assert from 'node:assert/strict'
import type { Task } from '../../../core/crd/types.ts'
import { waitCommand } from '../../../cli/commands/wait.ts'
import { TASKS } from '../../../kube/resources.ts'
import { type Rig, startRig } from '../../api-server/rig.ts'
import { aTask, text } from '../../helpers/build.ts'
import { runCommand } from './run-command.ts'

describe('waiting on the command line', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
  })
  after(() => api.stop())
  const given = (name: string, status: NonNullable<Task['status']>) => api.given(aTask({ name, status }))
  const wait = (...words: string[]) => runCommand(waitCommand, words, api.url)

  it('ends when all have come to rest, with the code of the first that is not well', async () => {
    await given('good', { state: 'READY' })
    await given('asks', { state: 'BLOCKED', question: { items: [{ text: text('Which?') }] } })
    await given('works', { state: 'RUNNING' })
    const waiting = wait('good', 'works', 'asks')
    await api.setStatus(TASKS, 'works', { state: 'READY' })
    assert.deepEqual(await waiting, { code: 3, out: 'good READY\nworks READY\nasks BLOCKED\n', err: '' })
  })

  it('goes on while a task is tried again by itself, and ends when only a person can help', async () => {
    await given('limited', { state: 'BUDGET_EXCEEDED', resumeAfter: '2999-01-01T00:00:00Z' })
    const { code, err } = await wait('limited', '--timeout', '1s')
    assert.deepEqual(
      [code, err],
      [8, 'limited is BUDGET_EXCEEDED (tried again at 2999-01-01T00:00:00Z) when the time is over\n'],
    )
    const spec = { suspend: true }
    await api.given(aTask({ name: 'held', spec, status: { state: 'FAILED', resumeAfter: '2999-01-01T00:00:00Z' } }))
    assert.deepEqual(await wait('held'), { code: 1, out: 'held FAILED\n', err: '' })
    await given('broken', { state: 'FAILED' })
    assert.deepEqual(await wait('broken', '--for', 'ready'), { code: 1, out: 'broken FAILED\n', err: '' })
  })

  it('waits for the states that are asked for, though the task rests in another one', async () => {
    await given('review', { state: 'READY' })
    const waiting = wait('review', '--for=COMPLETED,PENDING')
    await api.setStatus(TASKS, 'review', { state: 'PENDING' })
    assert.deepEqual(await waiting, { code: 0, out: 'review PENDING\n', err: '' })
    assert.equal((await wait('review', '--for=COMPLETED', '--timeout=1s')).code, 8)
  })

  it('refuses what is no state and no duration, and a task that is not there', async () => {
    await assert.rejects(wait('review', '--for', 'DONE'), {
      name: 'UsageError',
      message: /--for must be one of .*READY/,
    })
    await assert.rejects(wait('review', '--timeout', 'soon'), {
      name: 'UsageError',
      message: /--timeout: not a duration/,
    })
    await assert.rejects(wait(), { name: 'UsageError', message: /task is missing/ })
    await assert.rejects(wait('nowhere'), { status: 404 })
  })
})
