import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { WithoutOperator } from '../../../cli/backup/import.ts'
import { withoutOperator } from '../../../cli/backup/run.ts'
import { EXECUTIONS, JOBS, TASKS } from '../../../kube/resources.ts'
import { makeLogger } from '../../../lib/log.ts'
import { type Place, exportFrom, fill, given, importInto, makePlace, removePlace } from '../../cli/backup/rig.ts'
import { aTask } from '../../helpers/build.ts'
import { type TestControlPlane, startTestControlPlane } from '../../helpers/control-plane.ts'
import { until } from '../../helpers/until.ts'
import { type RunningOperator, startOperator } from '../../../operator/main.ts'
import { operatorOptions } from './rig.ts'

describe('an import beside an operator', function () {
  let controlPlane: TestControlPlane
  let from: Place
  let to: Place
  let path: string
  const operators: RunningOperator[] = []
  before(async () => {
    controlPlane = await startTestControlPlane()
    from = await makePlace(controlPlane)
    to = await makePlace(controlPlane)
    path = join(tmpdir(), `${to.namespace}.jsonl.gz`)
    await fill(from)
    await exportFrom(from, path)
  })
  after(async () => {
    for (const operator of operators) await operator.stop()
    await controlPlane.stop()
    for (const place of [from, to]) await removePlace(place)
    await rm(path, { force: true })
  })

  const start = async (place: Place): Promise<RunningOperator> => {
    const operator = await startOperator({ ...operatorOptions(place), leaderElection: true })
    operators.push(operator)
    await operator.ready
    return operator
  }
  const stateOf = async (name: string) => (await to.client.get(TASKS, { namespace: to.namespace, name })).status?.state

  it('waits until none leads, and none runs what has arrived half', async () => {
    const begin = (work: Parameters<WithoutOperator>, waitMs?: number): Promise<void> =>
      withoutOperator(
        { ...controlPlane, ...to, isExclusive: false },
        makeLogger('silent'),
        new AbortController().signal,
        work,
        waitMs,
      )
    const first = await start(to)
    await given(to, TASKS, aTask({ name: 'before' }))
    await until('it leads', async () => (await stateOf('before')) === 'PENDING')
    await assert.rejects(
      importInto(to, path, { withoutOperator: (...work) => begin(work, 500) }),
      /an operator works in/,
    )
    assert.equal(await to.client.find(TASKS, { namespace: to.namespace, name: 'task-a' }), undefined)
    await first.stop()

    let operator: RunningOperator | undefined
    const replaceStatus: Place['client']['replaceStatus'] = async (resource, object, options) => {
      if (resource.kind !== 'Task') return to.client.replaceStatus(resource, object, options)
      // The worst moment: a task that is to run by itself is there without its status.
      operator = await start(to)
      throw new Error('cut off')
    }
    const client = { ...to.client, replaceStatus }
    await assert.rejects(importInto(to, path, { client, withoutOperator: (...work) => begin(work) }), /cut off/)
    await until('it says that it waits', () => /slipway import/.test(operator?.notReadyReason() ?? ''))
    assert.deepEqual([await stateOf('task-a'), await stateOf('before')], [undefined, 'PENDING'])
    await operator?.stop()

    await importInto(to, path, { withoutOperator: (...work) => begin(work) })
    const last = await start(to)
    await given(to, TASKS, aTask({ name: 'after' }))
    await until('the operator works', async () => (await stateOf('after')) === 'PENDING')
    assert.equal(last.notReadyReason(), undefined)
    assert.equal(await stateOf('task-a'), 'READY')
    const executions = await to.client.list(EXECUTIONS, { namespace: to.namespace })
    assert.deepEqual(
      executions.items.map(({ status }) => status?.state),
      ['COMPLETED', 'COMPLETED'],
    )
    assert.deepEqual((await to.client.list(JOBS, { namespace: to.namespace })).items, [])
  })

  it('lets an operator that waits go on by itself once it has ended', async () => {
    const place = await makePlace(controlPlane)
    await given(place, TASKS, aTask({ name: 'early' }))
    const create: Place['client']['create'] = async (resource, object, options) => {
      if (options?.dryRun !== true && operators.length === count) await start(place)
      return place.client.create(resource, object, options)
    }
    const client = { ...place.client, create }
    const count = operators.length
    try {
      await importInto(place, path, { client })
      const early = async () => (await place.client.get(TASKS, { namespace: place.namespace, name: 'early' })).status
      await until('it works', async () => (await early())?.state === 'PENDING')
      const task = await place.client.get(TASKS, { namespace: place.namespace, name: 'task-a' })
      assert.equal(task.status?.state, 'READY')
    } finally {
      await operators.pop()?.stop()
      await removePlace(place)
    }
  })
})
