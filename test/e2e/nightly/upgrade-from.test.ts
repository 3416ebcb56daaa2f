/**
 * An upgrade from an earlier commit, with its own image, chart and definitions and the real claude, while an agent works and
 * work waits for its review; and the way back. No other release is in the cluster, for the definitions are everybody's.
 */
import assert from 'node:assert/strict'
import process from 'node:process'
import { join } from 'node:path'
import { asRecord } from '../../../core/json.ts'
import { until } from '../../helpers/until.ts'
import { addAgent, KEY, modelIn, startModel, titleOf, toldIn as askModel } from '../agents.ts'
import type { Scripts, ScriptedTurn } from '../model.ts'
import { type Release, discard, helm, imageValues, install, namespaceOf } from '../release.ts'

const MINUTE = 60_000
const NAMESPACE = namespaceOf('upgrade-from')
// cluster.ts reads them too, but connects to a release that is not there.
const given = (name: string): string => process.env[name] ?? assert.fail(`${name} is set by test/e2e/run --from`)
const IMAGE = given('SLIPWAY_E2E_IMAGE')
const OLDER_IMAGE = given('SLIPWAY_E2E_OLDER_IMAGE')
const OLDER_CHARTS = given('SLIPWAY_E2E_OLDER_CHARTS')

const runs = (command: string): ScriptedTurn => ({ kind: 'use', tool: 'Bash', input: { command, timeout: 600_000 } })
const says = (text: string): ScriptedTurn => ({ kind: 'say', text })
const held = (id: string): ScriptedTurn =>
  runs(`until [ -e "$SERVICE_DROP_DIR/${id}" ]; do sleep 0.2; done; echo one > ${id}.txt`)
const done = (id: string): ScriptedTurn => runs(`echo one > ${id}.txt`)
const more = (id: string): ScriptedTurn => runs(`echo two >> ${id}.txt`)

const SCRIPTS: Scripts = {
  [titleOf('accepted')]: [done('accepted'), says('Did it.')],
  [titleOf('revised')]: [done('revised'), says('Wrote one.'), more('revised'), says('Wrote two.')],
  [titleOf('running')]: [held('running'), says('Wrote one.'), more('running'), says('Wrote two.')],
  [titleOf('newer')]: [held('newer'), says('Wrote one.')],
  [titleOf('older')]: [done('older'), says('Wrote one.')],
}

const toldIn = (id: string): Promise<string[]> => askModel(NAMESPACE, id)

describe('an upgrade from an earlier commit while agents work, and back', function () {
  this.timeout(8 * MINUTE)
  // Each step stands on the one before.
  this.bail(true)
  let release: Release

  before(async () => {
    await helm('upgrade', '--install', 'slipway-crds', join(OLDER_CHARTS, 'slipway-crds'))
    release = await install(NAMESPACE, [], { SLIPWAY_CHARTS: OLDER_CHARTS, SLIPWAY_E2E_IMAGE: OLDER_IMAGE })
    await startModel(NAMESPACE, IMAGE, SCRIPTS)
    const login = { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: modelIn(NAMESPACE) }
    const resources = { requests: { cpu: '50m', memory: '128Mi' }, limits: { memory: '2Gi' } }
    const settings = { maxConcurrent: 3, podTemplate: { resources } }
    const image = given('SLIPWAY_E2E_CLAUDE_IMAGE')
    await addAgent(NAMESPACE, 'e2e-claude', { adapter: 'claude', image, login, more: settings })
    await release.kubectl('wait', '--for=condition=Ready', 'agent.slipway.dev/e2e-claude', '--timeout=90s')
    for (const id of ['accepted', 'revised', 'running']) await start(id)
    for (const id of ['accepted', 'revised']) await release.untilState(id, 'READY', 4 * MINUTE)
    await isAsked('running')
  })
  after(() => discard(NAMESPACE))

  async function start(id: string): Promise<void> {
    const agent = { type: 'e2e-claude' }
    await release.api.createTask({ body: { id, name: titleOf(id), project: 'sample', agent } })
    await release.api.runTask({ params: { id } })
  }
  const isAsked = (id: string): Promise<void> =>
    until(`the model of ${id} was asked`, async () => (await toldIn(id)).length === 1, 4 * MINUTE)
  const uidOf = (job: string): Promise<string> => release.field(`job/${job}`, '.metadata.uid')
  const runnerOf = (id: string): Promise<string> =>
    release.kubectl(
      'get',
      'pods',
      '-l',
      `slipway.dev/task=${id}`,
      '-o',
      'jsonpath={.items[*].spec.containers[0].image}',
    )
  const show = (id: string): Promise<string> => {
    const git = ['git', '-C', '/repositories/sample.git', 'show', `slipway/${id}:${id}.txt`]
    return release.kubectl('exec', 'git-server', '--', ...git)
  }
  const sessionOf = async (id: string): Promise<unknown> =>
    asRecord(await release.api.getExecution({ params: { id } }))['session_id']
  async function accept(id: string): Promise<void> {
    await release.api.acceptTask({ params: { id } })
    await release.untilState(id, 'COMPLETED')
  }
  /** Asks for changes, and waits until they are made. */
  async function revise(id: string): Promise<void> {
    await release.api.reviseTask({ params: { id }, body: { comment: 'Write two as well' } })
    await release.kubectl('wait', '--for=create', `execution.slipway.dev/${id}-2`, '--timeout=60s')
    await release.untilField(`execution.slipway.dev/${id}-2`, '.status.state', 'COMPLETED', 4 * MINUTE)
    await release.untilState(id, 'READY')
    assert.equal(await show(id), 'one\ntwo\n')
    assert.match((await toldIn(id)).at(-2) ?? '', /Write two as well/)
  }

  it('goes on with the agent that works, in its pod', async () => {
    const job = await uidOf('running-1-run')
    await helm('upgrade', 'slipway-crds', 'charts/slipway-crds')
    const image = imageValues(IMAGE)
    await helm('upgrade', 'slipway', 'charts/slipway', '-n', NAMESPACE, '--reset-then-reuse-values', ...image, '--wait')
    await release.letGo('running')
    await release.untilState('running', 'READY', 2 * MINUTE)
    assert.deepEqual([await uidOf('running-1-run'), await runnerOf('running')], [job, OLDER_IMAGE])
    assert.equal(await show('running'), 'one\n')
  })

  it('lets work that was READY be accepted', () => accept('accepted'))

  it('has changes made in work that was READY, in a new session that is told what was', async () => {
    await revise('revised')
    assert.notEqual(await sessionOf('revised-2'), await sessionOf('revised-1'))
    const [, , request = ''] = await toldIn('revised')
    assert.match(request, /Wrote one\./)
    assert.doesNotMatch(request, /tool_result/)
  })

  it('has changes made in work of the agent that ran meanwhile, in its session', async () => {
    await revise('running')
    assert.equal(await sessionOf('running-2'), await sessionOf('running-1'))
    assert.match((await toldIn('running'))[2] ?? '', /tool_result.*Wrote one\..*Write two as well/s)
  })

  it('goes back: what runs ends, the next one starts, and all work can be accepted', async () => {
    await start('newer')
    await isAsked('newer')
    const job = await uidOf('newer-1-run')
    await helm('rollback', 'slipway', '-n', NAMESPACE, '--wait')
    await release.letGo('newer')
    await release.untilState('newer', 'READY', 2 * MINUTE)
    assert.deepEqual([await uidOf('newer-1-run'), await runnerOf('newer')], [job, IMAGE])
    await start('older')
    await release.untilState('older', 'READY', 4 * MINUTE)
    assert.equal(await runnerOf('older'), OLDER_IMAGE)
    for (const id of ['revised', 'running', 'newer', 'older']) await accept(id)
  })

  it('has started no execution twice', async () => {
    const { items } = asRecord(JSON.parse(await release.kubectl('get', 'executions.slipway.dev', '-o', 'json')))
    const names = (Array.isArray(items) ? items : []).map((item) =>
      String(asRecord(asRecord(item)['metadata'])['name']),
    )
    const expected = ['accepted-1', 'newer-1', 'older-1', 'revised-1', 'revised-2', 'running-1', 'running-2']
    assert.deepEqual(names.toSorted(), expected)
  })
})
