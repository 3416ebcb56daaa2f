/** What keeps the pod of a task from starting: what the task says of it, how soon, and the way out. */
import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { asRecord } from '../../core/json.ts'
import { until } from '../helpers/until.ts'
import {
  api,
  dig,
  GIT_SERVER,
  kubectl,
  kubectlJson,
  kubectlWith,
  labelled,
  makeProject,
  MINUTE,
  readSecret,
  submit,
  task,
  untilField,
  untilState,
} from './cluster.ts'

const agent = { adapter: 'script', classifier: { enabled: false }, max_concurrent: 1 } as const

/** A task for an Agent of its own, of the same name. */
async function submitAlone(id: string, more: object = {}, project = 'starts'): Promise<void> {
  await api.createAgent({ body: { ...agent, id, ...more } })
  await submit(id, project, '', { agent: { type: id, instructions: 'echo started' } })
}

/** Each API server hears of the end in its own time, and may know an earlier one until then. */
async function refusedWith(id: string, words: string): Promise<void> {
  await untilField(`tasks.slipway.dev/${id}`, '.status.state', 'FAILED')
  let found: unknown[] = []
  await until(
    () => `${id} says ${words}, and not ${JSON.stringify(found)}`,
    async () => {
      const { state, error, error_category: category } = await task(id)
      found = [state, category, error]
      return isDeepStrictEqual(found, ['FAILED', 'credentials', words])
    },
    MINUTE,
  )
}

/** By the same Agent: a run by itself has the task classified again (specification §4.4). */
async function runAgain(id: string): Promise<void> {
  await api.runTask({ params: { id }, query: { agent: id } })
}

/** Nothing of the task is left that could run, and the one slot of its Agent is free. */
async function assertFree(id: string): Promise<void> {
  await until(`no Job of ${id} is left`, async () => (await labelled('jobs', `slipway.dev/task=${id}`)).length === 0)
  const holder = async () => dig(await kubectlJson('get', 'lease', `slipway-slot-${id}-1`), 'spec', 'holderIdentity')
  await until(`the slot of ${id} is free`, async () => ((await holder()) ?? '') === '')
}

async function cancel(id: string): Promise<void> {
  await api.cancelTask({ params: { id } })
  await untilState(id, 'CANCELLED')
  await assertFree(id)
}

async function makeSecret(name: string, fields: object): Promise<void> {
  const { metadata = {}, ...more } = asRecord(fields)
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { ...asRecord(metadata), name }, ...more }
  await kubectlWith(JSON.stringify(secret), 'apply', '-f', '-')
}

before(() => makeProject('starts', { remote_url: `http://${GIT_SERVER}/sample.git` }))

describe('a pod that does not start', function () {
  this.timeout(3 * MINUTE)
  const stuck: readonly (readonly [title: string, id: string, more: object, reason: RegExp])[] = [
    [
      'whose image cannot be pulled',
      'unpullable',
      { image: 'localhost/none:e2e' },
      /^(ErrImagePull|ImagePullBackOff)$/,
    ],
    ['that no node takes', 'unschedulable', { pod_template: { node_selector: { no: 'such' } } }, /^Unschedulable$/],
  ]
  before(async () => {
    await Promise.all(stuck.map(([, id, more]) => submitAlone(id, more)))
    for (const [, id] of stuck) await kubectl('wait', '--for=create', `executions.slipway.dev/${id}-1`, '--timeout=60s')
  })

  for (const [title, id, , reason] of stuck) {
    it(`says why it waits, ${title}, and its task can be cancelled`, async () => {
      const reasonNow = async () => String(dig(await api.getExecution({ params: { id: `${id}-1` } }), 'pod', 'reason'))
      await until(`the execution says why`, async () => reason.test(await reasonNow()), MINUTE)
      await untilState(id, 'RUNNING')
      await cancel(id)
    })
  }
})

describe('a Secret that does not exist', function () {
  this.timeout(3 * MINUTE)

  it('of an Agent is named with its keys; once it is there, run goes on', async () => {
    await submitAlone('keyless', { credentials: { secret_name: 'late-keys', env: [{ name: 'KEY', key: 'api-key' }] } })
    await refusedWith('keyless', 'Secret late-keys does not exist: create it with the keys api-key')
    await makeSecret('late-keys', { stringData: { 'api-key': 'abc' } })
    await runAgain('keyless')
    await refusedWith('keyless', 'Secret late-keys is not for agents: label it slipway.dev/usable-by=agent')
    await kubectl('label', 'secret', 'late-keys', 'slipway.dev/usable-by=agent')
    await runAgain('keyless')
    await untilState('keyless', 'READY', MINUTE)
  })

  it('of a Project is named before any container starts; once it is there, run goes on', async () => {
    const remote = { remote_url: `http://${GIT_SERVER}/private.git`, git: { secret_name: 'late-login' } }
    await makeProject('locked', remote)
    await submitAlone('locked', {}, 'locked')
    await refusedWith('locked', 'Secret late-login does not exist')
    const labels = { 'slipway.dev/usable-by': 'git' }
    const annotations = { 'slipway.dev/git-host': `http://${GIT_SERVER}` }
    const stringData = { username: 'robot', password: await readSecret('git-credentials', 'password') }
    const type = 'kubernetes.io/basic-auth'
    await makeSecret('late-login', { metadata: { labels, annotations }, stringData, type })
    await runAgain('locked')
    await untilState('locked', 'READY', MINUTE)
  })
})

describe('a cluster that refuses pods', function () {
  this.timeout(3 * MINUTE)
  const LIMITS = { requests: { cpu: '50m', memory: '64Mi' }, limits: { cpu: '1', memory: '256Mi' } }
  const GUARDS = [
    {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'no-room' },
      // As large as one pod, and the release has several.
      spec: { hard: { pods: '1' } },
    },
    {
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata: { name: 'small' },
      spec: { limits: [{ type: 'Container', max: { memory: '1Gi' } }] },
    },
  ]
  const openUp = () => kubectl('delete', 'resourcequota/no-room', 'limitrange/small', '--ignore-not-found')

  before(async () => {
    for (const guard of GUARDS) await kubectlWith(JSON.stringify(guard), 'apply', '-f', '-')
    // A quota counts from the moment on that its controller has seen it.
    await kubectl('wait', 'resourcequota/no-room', '--for=jsonpath={.status.hard.pods}=1', '--timeout=60s')
    const pod_template = { resources: LIMITS }
    await Promise.all([
      submitAlone('over-quota', { pod_template }),
      submitAlone('over-limit'),
      submitAlone('not-waiting', { pod_template }),
    ])
    await untilField('tasks.slipway.dev/not-waiting', '.status.state', 'RUNNING')
    await cancel('not-waiting')
    await untilState('over-limit', 'FAILED')
  })
  after(openUp)

  const refused: readonly (readonly [title: string, id: string, words: RegExp])[] = [
    ['a LimitRange below our limits', 'over-limit', /maximum memory usage per Container is 1Gi, but limit is 4Gi/],
  ]
  for (const [title, id, words] of refused) {
    it(`is quoted within 30 s for ${title}, and the slot is given back`, async () => {
      const { error, error_category: category, started_at: startedAt, finished_at: finishedAt } = await task(id)
      assert.equal(category, 'unavailable')
      assert.match(String(error), words)
      assert.match(String(error), /^the cluster refuses the pod: .*; change what refuses it, then run the task again$/)
      assert.ok(Date.parse(String(finishedAt)) - Date.parse(String(startedAt)) <= MINUTE / 2)
      await assertFree(id)
    })
  }

  it('lets a task wait for room in a ResourceQuota, and says so', async () => {
    await untilField('tasks.slipway.dev/over-quota', '.status.state', 'RUNNING')
    await until('the task says what it waits for', async () => {
      const { state, waiting_for: why } = await task('over-quota')
      return state === 'RUNNING' && /exceeded quota: no-room, requested: pods=1/.test(String(why))
    })
  })

  it('lets the same tasks run once there is room', async () => {
    await openUp()
    for (const [, id] of refused) await runAgain(id)
    await Promise.all(['over-quota', 'over-limit'].map((id) => untilState(id, 'READY', 2 * MINUTE)))
  })

  // The last, because up to a minute passes by itself before that.
  it('has its Agent ready again, by itself, once its Secret was there', async () => {
    await kubectl('wait', '--for=condition=Ready', 'agents.slipway.dev/keyless', '--timeout=100s')
  })
})
