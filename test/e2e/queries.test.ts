import assert from 'node:assert/strict'
import { asRecord } from '../../core/json.ts'
import { until } from '../helpers/until.ts'
import { api, dig, GIT_SERVER, kubectl, kubectlJson, makeProject, records } from './cluster.ts'
import { claudeThatAnswers } from './judge.ts'

describe('queries on a cluster', () => {
  before(async () => {
    await makeProject('planned', { remote_url: `http://${GIT_SERVER}/sample.git` })
    const command = claudeThatAnswers({ name: 'Write it down', description: 'In CHANGES.md.' })
    await api.createAgent({ body: { id: 'planner', adapter: 'claude', command, classifier: { enabled: false } } })
  })

  it('elaborates a task in a pod that reads a clone and holds no credential of the cluster', async () => {
    const body = { prompt: 'We need a changelog', project: 'planned' }
    const draft = asRecord(await api.elaborateTask({ query: { agent: 'planner' }, body }))
    assert.deepEqual([draft['name'], draft['project']], ['Write it down', 'planned'])
    const executions = records((await kubectlJson('get', 'executions.slipway.dev'))['items'])
    const execution = executions.find((found) => dig(found, 'spec', 'purpose') === 'Elaborate')
    const name = String(dig(execution, 'metadata', 'name'))
    assert.deepEqual([dig(execution, 'status', 'state'), dig(execution, 'status', 'answer')], ['COMPLETED', 'Usable'])
    const [pod] = records((await kubectlJson('get', 'pods', '-l', `slipway.dev/execution=${name}`))['items'])
    assert.equal(dig(pod, 'spec', 'automountServiceAccountToken'), false)
  })

  it('gives the place of the agent back', async () => {
    await until('nobody holds its lease', async () => {
      const lease = await kubectlJson('get', 'lease', 'slipway-query-planner')
      return (dig(lease, 'spec', 'holderIdentity') ?? '') === ''
    })
  })

  it('is one line of kubectl get', async () => {
    assert.match(await kubectl('get', 'executions.slipway.dev'), /elaborate-\S+\s+planner\s+Elaborate\s+COMPLETED/)
  })
})
