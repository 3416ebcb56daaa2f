import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type Server, createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TaskStatus } from '../../../core/crd/types.ts'
import { checkoutCommand } from '../../../cli/commands/checkout.ts'
import { type Rig, startRig } from '../../api-server/rig.ts'
import { aTask } from '../../helpers/build.ts'
import { at } from '../../helpers/kube-http.ts'
import { type Remote, makeRemote } from '../../helpers/repository.ts'
import { runCommand } from '../client/run-command.ts'

describe('the hold of two checkouts of one person at the same time', () => {
  let api: Rig
  let folder: string
  let remote: Remote
  let between: Server | undefined
  before(async () => {
    api = await startRig()
    folder = mkdtempSync(join(tmpdir(), 'slipway-hold-'))
    remote = makeRemote(folder, { 'README.md': '# Sample\n' })
  })
  afterEach(() => between?.close())
  after(async () => {
    rmSync(folder, { recursive: true })
    await api.stop()
  })

  const given = (name: string, repositoryUrl: string) =>
    api.given(aTask({ name, spec: { repositoryUrl }, status: { state: 'READY', executions: 1 } }))
  const givenNowhere = async (name: string, status: TaskStatus = {}): Promise<unknown> => {
    const { repositoryUrl: _, ...spec } = aTask().spec
    return api.given({ ...aTask({ name, status: { state: 'READY', executions: 1, ...status } }), spec })
  }
  const heldAt = async (name: string) => at((await api.get(`/api/tasks/${name}`)).body, 'checked_out')
  /** A way to the server on which the other checkout does something before and after the request that takes the hold. */
  const serveBetween = async (other: { before?: () => Promise<unknown>; after?: () => Promise<unknown> }) => {
    between = createServer((request, response) => {
      const pass = async (): Promise<void> => {
        const isTaking = request.method === 'POST' && request.url?.endsWith('/checkout') === true
        if (isTaking) await other.before?.()
        const { method = 'GET', url = '/' } = request
        const answer = await fetch(api.url + url, { method })
        const body = Buffer.from(await answer.arrayBuffer())
        if (isTaking) await other.after?.()
        const kept = ['content-type', 'x-request-id'].map((name) => [name, answer.headers.get(name) ?? ''] as const)
        response.writeHead(answer.status, Object.fromEntries(kept)).end(body)
      }
      pass().catch((error: Error) => response.destroy(error))
    })
    await once(between.listen(0, '127.0.0.1'), 'listening')
    const address = between.address()
    assert.ok(address !== null && typeof address === 'object')
    return `http://127.0.0.1:${address.port}`
  }

  it('is not ended by one that fails, where the other began it', async () => {
    await given('one', join(folder, 'nowhere'))
    const server = await serveBetween({ before: () => api.post('/api/tasks/one/checkout') })
    await assert.rejects(runCommand(checkoutCommand, ['one', join(folder, 'one')], server), /nowhere to be had/)
    assert.notEqual(await heldAt('one'), undefined)
  })

  it('is ended by one that fails, where it began it', async () => {
    await given('two', join(folder, 'nowhere'))
    await assert.rejects(runCommand(checkoutCommand, ['two', join(folder, 'two')], api.url), /nowhere to be had/)
    assert.equal(await heldAt('two'), undefined)
  })

  it('is ended where the server cannot say where the work is', async () => {
    await givenNowhere('four')
    await assert.rejects(runCommand(checkoutCommand, ['four', join(folder, 'four')], api.url), /has no repository_url/)
    assert.equal(await heldAt('four'), undefined)
    await givenNowhere('five', { checkedOut: { by: 'anonymous', at: '2026-11-21T12:00:00Z' } })
    await assert.rejects(runCommand(checkoutCommand, ['five', join(folder, 'five')], api.url), /has no repository_url/)
    assert.notEqual(await heldAt('five'), undefined)
  })

  it('is there at the end of one, though the other that began it has failed meanwhile', async () => {
    remote.commit('slipway/three', { 'three.txt': 'three\n' })
    await given('three', remote.path)
    let isFirst = true
    const once = (work: () => Promise<unknown>) => async () => isFirst && work()
    const server = await serveBetween({
      before: once(() => api.post('/api/tasks/three/checkout')),
      after: once(() => ((isFirst = false), api.delete('/api/tasks/three/checkout'))),
    })
    const { code } = await runCommand(checkoutCommand, ['three', join(folder, 'three')], server)
    assert.equal(code, 0)
    assert.notEqual(await heldAt('three'), undefined)
  })
})
