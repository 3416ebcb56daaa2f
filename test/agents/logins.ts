/** What every program must do when its key is refused, missing, or the provider is overloaded. */
import assert from 'node:assert/strict'
import { until } from '../helpers/until.ts'
import { isTriedAgainByItself } from './limits.ts'
import type { Words } from './programs.ts'
import { type AgentRig, DEADLINE_MS } from './rig.ts'

const MOST_ATTEMPTS = 12

export function itLogsIn(words: Words, get: () => AgentRig): void {
  const { program, keyRefused } = words
  const agent = { type: program, ...words.agent }

  it('that is refused is started once more, asks a few times in all, and says whose credentials to renew', async () => {
    const rig = get()
    rig.model.play([], keyRefused)
    await rig.submit('locked-out', { agent })
    const task = await rig.reaches('locked-out', 'FAILED')
    assert.equal(task['error_category'], 'auth')
    assert.match(String(task['error']), words.saysKeyRefused)
    assert.equal(task['resume_after'], undefined)
    const [execution, ...more] = await rig.executions('locked-out')
    assert.deepEqual([execution?.['auth_retried'], more], [true, []])
    assert.ok(rig.model.asked.length <= MOST_ATTEMPTS, `asked ${rig.model.asked.length} times`)
  })

  it('that is refused, and renewed in its Secret meanwhile, does its work without anybody seeing a failure', async () => {
    const rig = get()
    const renewed = 'sk-renewed'
    const meanwhile = () => rig.storeSecret(`slipway-login-${program}`, { [words.keyVariable]: renewed })
    const done = { kind: 'say', text: 'Let in' } as const
    // The provider as it is: whoever shows the good key is answered.
    const lastKey = () => rig.model.asked.at(-1)?.authorization
    const answer = () => (lastKey() === words.authorization(renewed) ? done : keyRefused)
    rig.model.play([{ ...keyRefused, meanwhile }, ...Array.from({ length: 20 }, () => answer)])
    await rig.submit('renewed', { agent })
    const task = await rig.reaches('renewed', 'READY')
    assert.deepEqual([task['error'], task['summary']], [undefined, 'Let in'])
    const [execution, ...more] = await rig.executions('renewed')
    assert.deepEqual([execution?.['auth_retried'], execution?.['state'], more], [true, 'COMPLETED', []])
  })

  it('that is missing fails before any container starts, and is named', async () => {
    const rig = get()
    await rig.storeSecret('incomplete', { SOMETHING: 'else' })
    const env = [{ name: words.keyVariable, key: 'key' }]
    await rig.addAgent('keyless', { credentials: { secret_name: 'incomplete', env } })
    rig.model.play([])
    await rig.submit('keyless', { agent: { type: 'keyless' } })
    const task = await rig.reaches('keyless', 'FAILED')
    assert.deepEqual([task['error_category'], task['error']], ['credentials', 'Secret incomplete lacks key'])
    const pods = await rig.server.kube.send('GET', '/api/v1/namespaces/default/pods')
    assert.ok(!pods.text.includes('keyless-1'), 'a pod was made')
    assert.deepEqual(rig.model.asked, [])
  })
}

export function itWaitsForProviders(words: Words, get: () => AgentRig): void {
  const { program, overloaded } = words

  it('does its work in spite of a passing overload, as if nothing had been', async () => {
    const rig = get()
    rig.model.play([overloaded, words.writes, { kind: 'say', text: 'Done after all' }])
    await rig.submit('passing', { agent: { type: program, ...words.agent } })
    const task = await rig.reaches('passing', 'READY')
    const shown = [task['summary'], task['error'], task['error_category']]
    assert.deepEqual(shown, ['Done after all', undefined, undefined])
    const [execution, ...more] = await rig.executions('passing')
    assert.deepEqual([execution?.['state'], more], ['COMPLETED', []])
  })

  it('fails as rate_limit after a few attempts at an overload without end, and is tried again by itself', async () => {
    const rig = get()
    await rig.addAgent('overloaded')
    rig.model.play([], overloaded)
    await rig.submit('no-end', { agent: { ...words.agent, type: 'overloaded' } })
    assert.match(await isTriedAgainByItself(rig, 'no-end'), /: it is tried again by itself while attempts are left/)
    assert.ok(rig.model.asked.length <= MOST_ATTEMPTS, `asked ${rig.model.asked.length} times`)
    const isLimited = async () => (await rig.statusOf('overloaded')).record['state'] === 'rate_limited'
    await until('the agent is limited', isLimited, DEADLINE_MS)
  })
}
