import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { apiCommand } from '../../../cli/commands/api.ts'
import { type Rig, startRig } from '../../api-server/rig.ts'
import { runCommand } from './run-command.ts'

describe('a request of the command line', () => {
  let api: Rig
  before(async () => {
    api = await startRig()
  })
  after(() => api.stop())

  const call = (...words: string[]) => runCommand(apiCommand, words, api.url)

  it('sends fields as JSON, or in the query where it only reads', async () => {
    const { out } = await call('/api/tasks', '-F', 'name=Fix it', '-F', 'priority=5', '-F', 'id=fix')
    assert.match(out, /\n {2}"id": "fix"/)
    const [task] = JSON.parse((await call('/api/tasks', '-X', 'get', '-F', 'limit=1')).out)
    assert.deepEqual([task.id, task.name, task.priority], ['fix', 'Fix it', 5])
    await call('-X', 'PUT', '/api/tasks/fix', '-F', 'priority=7')
    assert.match((await call('/api/tasks/fix', '-o', 'yaml')).out, /^priority: 7$/m)
  })

  it('sends a file, and prints what is no JSON as it is', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'slipway-api-'))
    try {
      const file = join(folder, 'task.json')
      await writeFile(file, '{"id":"from-file","name":"From a file"}')
      assert.match((await call('/api/tasks', '--input', file)).out, /"from-file"/)
      await writeFile(file, 'no')
      await assert.rejects(call('/api/tasks', '--input', file), { message: /is no JSON object/ })
      await assert.rejects(call('/api/tasks', '--input', join(folder, 'gone')), { message: /there is no file/ })
    } finally {
      await rm(folder, { recursive: true })
    }
    assert.match((await call('/api/docs')).out, /^<!doctype html>/i)
  })

  it('fails with the words of the server, and asks nobody else', async () => {
    await assert.rejects(call('/api/tasks/none'), { message: 'task not found' })
    for (const path of [
      '//example.com/api',
      '/\\example.com',
      'api/tasks',
      'https://example.com/',
      '/\t/example.com',
      '\n//example.com',
      '/\r\\example.com',
    ])
      await assert.rejects(call(path), { message: /the path must begin with one slash/ })
    await assert.rejects(call('/api/tasks', '-X', 'PATCH'), { message: /--method must be one of GET/ })
    await assert.rejects(call('/api/tasks', '-F', 'name'), { message: /--field must be key=value/ })
    await assert.rejects(call('/api/tasks/{id}'), { message: /task not found|must match/ })
  })
})
