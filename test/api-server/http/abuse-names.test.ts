import assert from 'node:assert/strict'
import { link, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { anExecution, aTask } from '../../helpers/build.ts'
import { exchange, statusesOf } from './raw-http.ts'
import { type Rig, startRig } from '../rig.ts'

/** What a name in a path must never lead to, in every writing of `..` that something on the way might undo. */
const TRAVERSALS = [
  '..%2f..%2fetc%2fpasswd',
  '%2e%2e%2fsecret',
  '%2e%2e',
  '..%5c..%5csecret',
  '%252e%252e%252fsecret',
  '..%c0%afsecret',
  '%2fetc%2fpasswd',
  'a%00.txt',
  '%00',
  '.hidden',
  'a%2fb',
  '%ff%fe',
  'a'.repeat(5000),
  'a%0d%0aSet-Cookie:%20b=c',
]

describe('a name that is up to no good', () => {
  let api: Rig
  let execution: string
  before(async () => {
    api = await startRig()
    await api.given(aTask({ name: 'holder' }))
    execution = (await api.givenExecution(anExecution({ name: 'holder-1' }))).metadata.name
    await writeFile(join(api.volumeRoot, 'secret'), 'SECRET-TEXT')
    await mkdir(join(api.volumeRoot, 'executions', execution, 'agent', 'artifacts'), { recursive: true })
    await mkdir(join(api.volumeRoot, 'drops'), { recursive: true })
  })
  after(() => api.stop())

  const places = (name: string): [method: string, path: string][] => [
    ['GET', `/api/tasks/${name}`],
    ['POST', `/api/tasks/${name}/accept`],
    ['DELETE', `/api/tasks/${name}`],
    ['GET', `/api/tasks/${name}/logs/stream`],
    ['GET', `/api/executions/${name}`],
    ['GET', `/api/executions/${name}/stdout`],
    ['GET', `/api/executions/${execution}/artifacts/${name}`],
    ['GET', `/api/drops/${name}`],
    ['GET', `/api/stories/${name}`],
    ['GET', `/api/projects/${name}`],
  ]
  for (const name of TRAVERSALS) {
    const shown = name.length > 60 ? `${name.slice(0, 20)}… (${name.length})` : name
    it(`leads nowhere: ${shown}`, async () => {
      for (const [method, path] of places(name)) {
        const answer = await exchange(
          api.url,
          `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
        )
        const [status] = statusesOf(answer)
        assert.ok(status === 400 || status === 404, `${method} ${path}: ${answer}`)
        assert.ok(!/SECRET-TEXT|root:x:|^Set-Cookie/m.test(answer))
        assert.match(answer, /"error":/)
      }
    })
  }

  it('cannot leave the folder by dots that nobody has undone', async () => {
    for (const path of [
      '/api/drops/../../etc/passwd',
      '/api/tasks/../../secret',
      '/../../etc/passwd',
      '/api/./tasks',
    ]) {
      const answer = await exchange(api.url, `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
      assert.deepEqual(statusesOf(answer), [404], path)
    }
  })

  for (const [what, plant] of [
    ['a symbolic link', symlink],
    ['a hard link', link],
  ] as const) {
    it(`does not show through ${what} that an agent has planted, as artifact, output or diff`, async () => {
      const own = (await api.givenExecution(anExecution({ name: what === 'a hard link' ? 'holder-7' : 'holder-8' })))
        .metadata.name
      const folder = join(api.volumeRoot, 'executions', own)
      await mkdir(join(folder, 'agent', 'artifacts'), { recursive: true })
      const target = join(api.volumeRoot, 'secret')
      const planted = ['agent/artifacts/a.txt', 'agent/stdout.log', 'agent/stderr.log', 'changes.diff']
      for (const path of planted) await plant(target, join(folder, path))
      for (const path of ['artifacts/a.txt', 'stdout', 'stderr', 'diff']) {
        const { status, text } = await api.get(`/api/executions/${own}/${path}`)
        assert.equal(status, 404, `${path}: ${text}`)
        assert.ok(!text.includes('SECRET-TEXT'))
      }
      assert.ok(!(await api.get(`/api/executions/${own}/artifacts`)).text.includes('SECRET-TEXT'))
    })
  }
})
