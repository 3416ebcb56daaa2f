/** The operator's pods are deleted once, while tasks are at every stage: each task goes on from where it was. */
import assert from 'node:assert/strict'
import { until } from '../helpers/until.ts'
import {
  api,
  dig,
  gitOnServer,
  heldUntil,
  isStepRunning,
  kubectl,
  kubectlJson,
  letGo,
  makeProject,
  MINUTE,
  podsOf,
  records,
  submit,
  task,
  untilField,
  untilState,
} from './cluster.ts'
import { hold, makeRepository, pushesTo, release } from './holds.ts'

const NODE_GATE = 'slipway-e2e/gate'

/** Where a task stands when the operator goes, and how it ends. */
const STAGES = {
  'at-queued': 'READY',
  'at-pending': 'READY',
  'at-prepare': 'READY',
  'at-agent': 'READY',
  'at-deliver': 'READY',
  'at-delivery': 'COMPLETED',
  'at-cancel': 'CANCELLED',
  'at-question': 'READY',
} as const
type Stage = keyof typeof STAGES

const note = (id: string): string => `echo ${id} >> "$SERVICE_DROP_DIR/stages"; echo ${id} > ${id}.txt`
const HELD = heldUntil('stages-go-on')
const SCRIPTS: Readonly<Partial<Record<Stage, string>>> = {
  'at-agent': HELD,
  // Takes its time to end, once it is told to.
  'at-cancel': `trap '' TERM; ${HELD}`,
  'at-question': `[ -n "\${SERVICE_ANSWER:-}" ] || echo '{"text": "Which?"}' > "$SERVICE_QUESTION_FILE"`,
}

async function start(stage: Stage, project: string, agent: string): Promise<void> {
  const instructions = `${note(stage)}; ${SCRIPTS[stage] ?? 'true'}`
  await submit(stage, project, '', { agent: { type: agent, instructions } })
}

const labelNodes = (label: string) => kubectl('label', 'nodes', '--all', '--overwrite', label)
const isAt = (id: Stage, step: string) => until(`${id} is in ${step}`, () => isStepRunning(id, step), 2 * MINUTE)

/** Every Execution and every Job of the tasks, also those that have ended. */
async function begun(): Promise<Record<'executions' | 'jobs', string[]>> {
  const names = async (kind: string): Promise<string[]> =>
    records((await kubectlJson('get', kind))['items'])
      .map((found) => String(dig(found, 'metadata', 'name')))
      .filter((name) => name.startsWith('at-'))
      .sort()
  return { executions: await names('executions.slipway.dev'), jobs: await names('jobs') }
}

/** Brings a task to each stage, and holds it there. */
async function bringToStages(): Promise<void> {
  await makeProject('cloned', { remote_url: await makeRepository('cloned') })
  await makeProject('pushed', { remote_url: await makeRepository('pushed'), on_accept: 'merge' })
  const agent = { adapter: 'script', classifier: { enabled: false } } as const
  await api.createAgent({ body: { ...agent, id: 'staged', max_concurrent: 8 } })
  await api.createAgent({ body: { ...agent, id: 'taken', max_concurrent: 1 } })
  const pod_template = { node_selector: { [NODE_GATE]: 'open' } }
  await api.createAgent({ body: { ...agent, id: 'gated', max_concurrent: 1, pod_template } })
  await hold('cloned', 'git-upload-pack')
  await start('at-prepare', 'cloned', 'staged')
  await start('at-delivery', 'pushed', 'staged')
  await start('at-question', 'pushed', 'staged')
  await start('at-agent', 'pushed', 'taken')
  await start('at-queued', 'pushed', 'taken')
  await start('at-pending', 'pushed', 'gated')
  await start('at-cancel', 'pushed', 'staged')
  await Promise.all([untilState('at-delivery', 'READY', MINUTE), untilState('at-question', 'BLOCKED', MINUTE)])
  await hold('pushed', 'git-receive-pack')
  await start('at-deliver', 'pushed', 'staged')
  await api.acceptTask({ params: { id: 'at-delivery' } })
  await Promise.all([
    isAt('at-prepare', 'prepare'),
    isAt('at-agent', 'agent'),
    isAt('at-cancel', 'agent'),
    isAt('at-deliver', 'deliver'),
    kubectl('wait', '--for=create', 'job/at-delivery-d1-run', '--timeout=60s'),
    until('at-pending has a pod', async () => (await podsOf('at-pending')).length === 1, MINUTE),
  ])
}

async function replaceOperators(): Promise<void> {
  const pods = ['pods', '-l', 'app.kubernetes.io/component=operator']
  await api.cancelTask({ params: { id: 'at-cancel' } })
  await kubectl('delete', ...pods, '--wait=false')
  // Decided while nobody leads.
  await api.answerTask({ params: { id: 'at-question' }, body: { answer: 'This.' } })
  await kubectl('rollout', 'status', 'deployment/slipway-operator', '--timeout=120s')
}

describe('deleting the pods of the operator while tasks are at every stage', function () {
  this.timeout(4 * MINUTE)
  let earlier: Awaited<ReturnType<typeof begun>>

  before(async () => {
    await bringToStages()
    earlier = await begun()
    await replaceOperators()
    await untilState('at-cancel', 'CANCELLED', MINUTE)
  })
  after(async () => {
    await Promise.all([release('cloned'), release('pushed'), labelNodes(`${NODE_GATE}-`)])
  })

  it('leaves each where it was: none fails, and none begins anew', async () => {
    const states = await Promise.all(['at-queued', 'at-pending', 'at-prepare', 'at-agent', 'at-deliver'].map(task))
    assert.deepEqual(
      states.map(({ state }) => state),
      ['QUEUED', 'RUNNING', 'RUNNING', 'RUNNING', 'RUNNING'],
    )
    const { executions } = await begun()
    assert.deepEqual(
      executions.filter((name) => !name.startsWith('at-question')),
      earlier.executions.filter((name) => !name.startsWith('at-question')),
    )
  })

  it('lets each end as it would have, with one Job for each execution', async () => {
    await Promise.all([release('cloned'), release('pushed'), labelNodes(`${NODE_GATE}=open`), letGo('stages-go-on')])
    await Promise.all(Object.entries(STAGES).map(([id, state]) => untilState(id, state, 2 * MINUTE)))
    await untilField('tasks.slipway.dev/at-delivery', '.status.delivery.state', 'Delivered', MINUTE)
    const once = Object.keys(STAGES).map((id) => `${id}-1`)
    const executions = [...once, 'at-delivery-d1', 'at-question-2'].sort()
    const jobs = executions.filter((name) => name !== 'at-cancel-1').map((name) => `${name}-run`)
    assert.deepEqual(await begun(), { executions, jobs })
  })

  it('has no script run twice and nothing pushed twice', async () => {
    const marks = Buffer.from(await api.getDrop({ params: { filename: 'stages' } }))
      .toString()
      .trim()
      .split('\n')
    // A script that asked runs again with the answer (specification §7.13).
    assert.deepEqual(marks.sort(), [...Object.keys(STAGES), 'at-question'].sort())
    const own = (id: string): string => `refs/heads/slipway/${id}`
    const pushed = ['at-agent', 'at-deliver', 'at-delivery', 'at-pending', 'at-question', 'at-queued'].map(own)
    assert.deepEqual((await pushesTo('pushed')).sort(), ['refs/heads/main', ...pushed].sort())
    assert.deepEqual(await pushesTo('cloned'), [own('at-prepare')])
    assert.equal(await gitOnServer('pushed', 'show', 'main:at-delivery.txt'), 'at-delivery\n')
  })
})
