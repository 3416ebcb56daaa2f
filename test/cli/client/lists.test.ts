import assert from 'node:assert/strict'
import { costsCommand } from '../../../cli/commands/costs.ts'
import type { ClientCommand } from '../../../cli/client-command.ts'
import { agentsCommand } from '../../../cli/commands/agents.ts'
import { deleteCommand } from '../../../cli/commands/delete.ts'
import { executionsCommand } from '../../../cli/commands/executions.ts'
import { showCommand } from '../../../cli/commands/show.ts'
import { epicsCommand, storiesCommand } from '../../../cli/commands/stories.ts'
import { tasksCommand } from '../../../cli/commands/tasks.ts'
import { toTimestamp } from '../../../core/time.ts'
import { openArchive } from '../../../lib/archive/archive.ts'
import { type Rig, startRig } from '../../api-server/rig.ts'
import { aStory, aTask, anExecution } from '../../helpers/build.ts'
import { until } from '../../helpers/until.ts'
import { runCommand } from './run-command.ts'

/** Cells of the lines below the headings. */
const rows = (out: string): string[][] =>
  out
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split(/ {3,}/))

describe('lists on the command line', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
  })
  after(() => api.stop())

  it('show stories with what is done, all of them or those of an epic', async () => {
    assert.equal((await runCommand(storiesCommand, [], api.url)).out, 'No stories.\n')
    assert.equal((await runCommand(epicsCommand, [], api.url)).out, 'No epics.\n')
    assert.equal((await api.post('/api/epics', { id: 'shop', name: 'The shop' })).status, 201)
    await api.givenStory(aStory({ name: 'checkout', spec: { title: 'Checkout', epicId: 'shop' } }))
    await api.givenStory(aStory({ name: 'other', spec: { title: 'Other' } }))
    await api.given(aTask({ name: 'pay', spec: { storyId: 'checkout' }, status: { state: 'COMPLETED' } }))
    const all = async () => rows((await runCommand(storiesCommand, [], api.url)).out)
    await until('the task is counted', async () => (await all()).some((row) => row.includes('1 of 1')))
    assert.deepEqual((await all()).map(([id = '']) => id).sort(), ['checkout', 'other'])
    const [[id, , done, ...rest] = []] = rows((await runCommand(storiesCommand, ['--epic', 'shop'], api.url)).out)
    assert.deepEqual([id, done, rest.at(-1)], ['checkout', '1 of 1', 'Checkout'])
    const [epic] = rows((await runCommand(epicsCommand, [], api.url)).out)
    assert.deepEqual([epic?.[0], epic?.[1], epic?.at(-1)], ['shop', '0 of 1', 'The shop'])
  })

  it('name the way to archived tasks, which no limit shows', async () => {
    const task = aTask({
      name: 'old',
      metadata: { namespace: api.namespace, creationTimestamp: '2026-01-01T00:00:00Z' },
      status: { state: 'COMPLETED' },
    })
    await openArchive(api.volumeRoot).add({ archivedAt: '2026-11-24T02:00:00Z', task, executions: [] })
    const { err } = await runCommand(tasksCommand, ['--limit', '1000'], api.url)
    const [, path = ''] = /^Archived tasks are listed by: slipway api '([^']+)'\n$/.exec(err) ?? []
    assert.match((await api.get(path)).text, /^\[\{"id":"old"/)
  })

  it('show the executions of a task, with cost and error, or how it is run', async () => {
    await api.given(aTask({ name: 'unrun' }))
    assert.match((await runCommand(executionsCommand, ['unrun'], api.url)).out, /Run it: slipway restart unrun/)
    await api.given(aTask({ name: 'ran', status: { state: 'FAILED' } }))
    const at = toTimestamp(new Date())
    const error = { category: 'failed', message: 'exited\n1' } as const
    const status = { state: 'FAILED', startedAt: at, finishedAt: at, costUSD: 0.5, error } as const
    await api.givenExecution(anExecution({ name: 'ran-1', status }))
    const [[id, state, agent, , , took, cost, why] = []] = rows(
      (await runCommand(executionsCommand, ['ran'], api.url)).out,
    )
    assert.deepEqual([id, state, agent, took, cost, why], ['ran-1', 'FAILED', 'script', '0s', '$0.50', 'exited 1'])
  })

  it('show costs by project and agent, and refuse a window that there is none of', async () => {
    const { out } = await runCommand(costsCommand, [], api.url)
    assert.match(out, /^\$0\.50 for 1 run in the last 30d/)
    assert.match(out, /^script +\$0\.50 +1 +0 +1/m)
    await assert.rejects(runCommand(costsCommand, ['--since', 'ever'], api.url), {
      name: 'UsageError',
      message: /24h, 7d, 30d/,
    })
  })

  it('delete a task after a question, and not without', async () => {
    await api.given(aTask({ name: 'gone', status: { state: 'CANCELLED' } }))
    await assert.rejects(runCommand(deleteCommand, ['gone'], api.url), { name: 'UsageError', message: /--yes/ })
    const asked: string[] = []
    const say = (answer: string | undefined) => async (question: string) => {
      asked.push(question)
      return answer
    }
    assert.equal((await runCommand(deleteCommand, ['gone'], api.url, { ask: say(undefined) })).code, 1)
    assert.equal((await api.get('/api/tasks/gone')).status, 200)
    assert.equal((await runCommand(deleteCommand, ['gone'], api.url, { ask: say('y') })).out, 'gone: task deleted\n')
    assert.equal((await api.get('/api/tasks/gone')).status, 404)
    assert.match(asked[0] ?? '', /^Delete gone \(.*, CANCELLED\)\? \[y\/N\] $/)
  })

  it('print ids alone for the next command', async () => {
    await api.given(aTask({ name: 'first' }))
    await api.given(aTask({ name: 'second' }))
    const names = async (command: ClientCommand, ...words: string[]) =>
      (await runCommand(command, words, api.url, { form: 'name' })).out.split('\n')
    const tasks = await names(tasksCommand)
    assert.ok(tasks.includes('first') && tasks.includes('second') && tasks.at(-1) === '')
    assert.deepEqual(await names(showCommand, 'first'), ['first', ''])
    assert.ok((await names(agentsCommand)).every((line) => /^[a-z]*$/.test(line)))
    await assert.rejects(names(costsCommand), { message: /^-o name: .*has no names; use -o json$/ })
  })
})
