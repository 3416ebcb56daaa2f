import assert from 'node:assert/strict'
import { asRecord } from '../../core/json.ts'
import { DELIVERY_WORDS } from '../../core/enum-values.ts'
import { until } from '../helpers/until.ts'
import {
  api,
  commitOnServer,
  dig,
  GIT_SERVER,
  gitOnServer,
  kubectlJson,
  labelled,
  makeProject,
  MINUTE,
  submit,
  task,
  untilField,
  untilState,
} from './cluster.ts'

/** As a replica of the API server shows it, whose cache may be behind what kubectl has seen. */
async function untilDelivery(id: string, state: keyof typeof DELIVERY_WORDS): Promise<Record<string, unknown>> {
  await untilField(`tasks.slipway.dev/${id}`, '.status.delivery.state', state, 2 * MINUTE)
  let delivery: Record<string, unknown> = {}
  await until(`the API says of ${id}: ${DELIVERY_WORDS[state]}`, async () => {
    delivery = asRecord((await task(id))['delivery'])
    return delivery['state'] === DELIVERY_WORDS[state]
  })
  return delivery
}

async function readyAndAccepted(id: string, project: string, script: string): Promise<void> {
  await submit(id, project, script)
  await untilState(id, 'READY', 2 * MINUTE)
  await api.acceptTask({ params: { id } })
}

const shown = async (file: string) => (await gitOnServer('shop', 'show', `main:${file}`)).trim()

describe('accepted work on a cluster', () => {
  before(async () => {
    await makeProject('shop', { on_accept: 'merge' })
    const host = { type: 'gitea', api_url: `http://${GIT_SERVER}/api/v1` }
    const git = { secret_name: 'git-credentials' }
    const remote_url = `http://${GIT_SERVER}/private.git`
    await makeProject('reviewed', { remote_url, git, host, on_accept: 'pull_request' })
  })

  it('is merged into the default branch by a pod of its own, which has that one step', async () => {
    await readyAndAccepted('merged', 'shop', 'echo merged > merged.txt')
    const delivery = await untilDelivery('merged', 'Delivered')
    assert.equal(await shown('merged.txt'), 'merged')
    assert.equal(delivery['commit'], (await gitOnServer('shop', 'rev-parse', 'main')).trim())
    const execution = await kubectlJson('get', 'executions.slipway.dev', String(delivery['execution_id']))
    assert.deepEqual([dig(execution, 'spec', 'purpose'), dig(execution, 'status', 'state')], ['Deliver', 'COMPLETED'])
    const pods = await labelled('pods', `slipway.dev/execution=${String(delivery['execution_id'])}`)
    assert.deepEqual(
      pods.map((pod) => [dig(pod, 'spec', 'initContainers'), dig(pod, 'spec', 'automountServiceAccountToken')]),
      [[undefined, false]],
    )
  })

  it('that conflicts goes back to a person with the files named, and is delivered when that is mended', async () => {
    await submit('disputed', 'shop', 'echo mine > README.md')
    await untilState('disputed', 'READY', 2 * MINUTE)
    await commitOnServer('shop', 'main', 'README.md', 'theirs')
    await api.acceptTask({ params: { id: 'disputed' } })
    const { files } = await untilDelivery('disputed', 'Conflict')
    assert.deepEqual([(await task('disputed'))['state'], files], ['READY', ['README.md']])
    await commitOnServer('shop', 'main', 'README.md', '# A repository')
    await api.acceptTask({ params: { id: 'disputed' } })
    await untilDelivery('disputed', 'Delivered')
    assert.equal(await shown('README.md'), 'mine')
  })

  it('becomes a pull request at its host, with the token of the git Secret, and leaves the default branch alone', async () => {
    await readyAndAccepted('proposed', 'reviewed', 'echo proposed > proposed.txt')
    const { url, commit } = await untilDelivery('proposed', 'Delivered')
    assert.match(String(url).replace(`http://${GIT_SERVER}`, ''), /^\/private\/pulls\/\d+$/)
    assert.equal(commit, (await gitOnServer('private', 'rev-parse', 'slipway/proposed')).trim())
    assert.equal((await gitOnServer('private', 'rev-list', '--count', 'main')).trim(), '1')
  })
})
