import assert from 'node:assert/strict'
import { until } from '../../helpers/until.ts'
import { type Release, discard, install, namespaceOf } from '../release.ts'

const NAMESPACE = namespaceOf('archive')
const MINUTE = 60_000
const params = { id: 'past' }

describe('a release that keeps no closed task in the cluster', function () {
  this.timeout(4 * MINUTE)
  let release: Release
  before(async () => void (release = await install(NAMESPACE, ['--set', 'retention.closedCount=0'])))
  after(() => discard(NAMESPACE))

  it('archives it on the data volume, reads it from there, and brings it back without running it again', async () => {
    const { api, kubectl, submit, untilState } = release
    await submit('past', 'echo of the past; echo past > past.txt')
    await untilState('past', 'READY', 2 * MINUTE)
    await api.acceptTask({ params })
    await untilState('past', 'COMPLETED')
    // The operator looks when it begins to lead.
    await kubectl('rollout', 'restart', 'deployment/slipway-operator')
    await kubectl('rollout', 'status', 'deployment/slipway-operator', '--timeout=2m')
    await kubectl('wait', 'tasks.slipway.dev/past', '--for=delete', '--timeout=1m')
    await kubectl('wait', 'executions.slipway.dev/past-1', '--for=delete', '--timeout=1m')

    let archived = await api.getTask({ params })
    await until('the API says so', async () => (archived = await api.getTask({ params })).archived_at !== undefined)
    assert.deepEqual([archived.state, archived.actions, typeof archived.archived_at], ['COMPLETED', [], 'string'])
    const executions = await api.listTaskExecutions({ params })
    assert.deepEqual(
      executions.map(({ id, state }) => [id, state]),
      [['past-1', 'COMPLETED']],
    )
    await assert.rejects(api.runTask({ params }), /task is archived: restore it first/)

    await api.restoreTask({ params })
    await untilState('past', 'COMPLETED')
    await release.untilField('executions.slipway.dev/past-1', '.status.state', 'COMPLETED')
    await until('the API says so', async () => (await api.getTask({ params })).archived_at === undefined)
    const jobs = await kubectl('get', 'jobs', '-l', 'slipway.dev/execution=past-2', '-o', 'name')
    assert.equal(jobs, '')
  })
})
