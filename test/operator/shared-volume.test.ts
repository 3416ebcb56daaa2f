import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ALTERNATES_PATH, formatAlternates } from '../../core/execution/alternates.ts'
import {
  clonePath,
  environmentPath,
  mirrorsPath,
  repositoryLockPath,
  repositoryPath,
} from '../../core/execution/layout.ts'
import { AGENTS, PROJECTS, TASKS } from '../../kube/resources.ts'
import type { OperatorContext } from '../../operator/context.ts'
import { keepRoom } from '../../operator/room.ts'
import { anAgent, aProject, aTask, NAMESPACE } from '../helpers/build.ts'
import { type World, openWorld, runSpecOf } from './world.ts'

const DIGEST = 'a'.repeat(64)
const UNUSED = 'b'.repeat(32)
const LATER_MS = 60 * 86_400_000
/** Nothing may stay that somebody can do without. */
const ROOM = { mirrorBytes: 1, workspaceBytes: 1, reviewMs: 1, environmentBytes: 1, environmentMs: 1 }

describe('a data volume with two operators', () => {
  let world: World
  let other: World
  let key = ''

  /** A task whose agent works in an environment, in a clone that borrows from a mirror with a successor. */
  beforeEach(async () => {
    ;[world, other] = await Promise.all([openWorld({ isolation: 'sandbox' }), openWorld({ isolation: 'sandbox' })])
    world.kube.put(AGENTS, anAgent({ spec: { maxConcurrent: 3 } }))
    const environment = { setup: 'npm ci', cache: [{ path: 'node_modules' }] }
    world.kube.put(PROJECTS, aProject({ spec: { environment } }))
    const spec = { project: 'project-a', repositoryUrl: 'https://git.example/repo.git' }
    world.kube.put(TASKS, aTask({ spec, status: { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' } }))
    await world.sync()
    await write(`${environmentPath('uid-project-a', 'project-a-e1')}/seal.json`, '{}')
    const sealed = { digest: DIGEST, commit: 'd'.repeat(40), isShared: true, cache: [], bytes: 5 }
    await world.endJob('project-a-e1-run', { result: { pushed: false, sealed } })
    await world.sync()
    key = runSpecOf(world.job('task-a-1-run')).mirror ?? ''
    for (const one of [key, UNUSED]) {
      for (const n of [1, 2]) await write(`${mirrorsPath(one)}/${n}/HEAD`, '')
      await write(repositoryLockPath(one), '')
      await write(`${repositoryPath(one)}.owner`, JSON.stringify({ uid: one, namespace: NAMESPACE }))
      const then = new Date(world.clock.now().getTime() - LATER_MS)
      await utimes(join(world.volumeRoot, `${repositoryPath(one)}.owner`), then, then)
    }
    await write(`${clonePath('task-a')}/${ALTERNATES_PATH}`, formatAlternates({ key, number: 1 }))
  })
  afterEach(() => Promise.all([world.close(), other.close()]))

  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(world.volumeRoot, path)), { recursive: true })
    await writeFile(join(world.volumeRoot, path), text)
  }
  const files = async (): Promise<string[]> => (await readdir(world.volumeRoot, { recursive: true })).toSorted()
  const keep = (served: Parameters<typeof keepRoom>[0]['served'], ended = new AbortController().signal) => {
    const { clock, volumeRoot } = world
    const { events, logger } = world.context
    const now = new Date(clock.now().getTime() + LATER_MS)
    return keepRoom({ served, volumeRoot, clock, events, logger, room: ROOM, ended }, now)
  }

  it('keeps what the tasks of one namespace work with, whatever the operator of the other has no room for', async () => {
    const before = await files()
    await keep([{ namespace: 'team-b', context: other.context }])
    // A cache that nobody works with goes, whoever made it.
    const isOfUnused = (path: string): boolean => path.includes(UNUSED)
    assert.deepEqual(
      await files(),
      before.filter((path) => !isOfUnused(path)),
    )
    await world.endJob('task-a-1-run')
    await world.sync()
    await keep([{ namespace: 'team-b', context: other.context }])
    assert.deepEqual(
      (await files()).filter((path) => /^(environments|sandboxes|repositories)/.test(path) && !before.includes(path)),
      [],
    )
    await keep([{ namespace: NAMESPACE, context: world.context }])
    assert.ok(!(await files()).some((path) => path.startsWith('environments/uid-project-a/')))
  })

  for (const times of [0, 1, 2, 3])
    it(`is left alone by an operator that stops leading, after ${times} of its questions`, async () => {
      await world.endJob('task-a-1-run')
      await world.sync()
      const lost = new AbortController()
      let left = times
      const client = new Proxy(world.context.client, {
        get(target, name, receiver) {
          if (['find', 'replaceStatus'].includes(String(name)) && left-- <= 0)
            lost.abort(new Error('another one leads'))
          return Reflect.get(target, name, receiver) as unknown
        },
      })
      const context: OperatorContext = { ...world.context, client }
      if (times === 0) lost.abort(new Error('another one leads'))
      await assert.rejects(keep([{ namespace: NAMESPACE, context }], lost.signal))
      const isThere = (path: string): boolean => existsSync(join(world.volumeRoot, path))
      const [{ status } = { status: undefined }] = world.kube.all(PROJECTS)
      for (const { execution } of status?.environments ?? [])
        assert.ok(isThere(`${environmentPath('uid-project-a', execution)}/seal.json`), execution)
      assert.ok(isThere('sandboxes/task-a') || world.task().status?.workspace === undefined)
      assert.ok(!isThere('sandboxes/task-a') || isThere(`${mirrorsPath(key)}/1/HEAD`))
      await keep([{ namespace: NAMESPACE, context: world.context }])
      assert.deepEqual(
        [isThere(environmentPath('uid-project-a', 'project-a-e1')), isThere(repositoryPath(UNUSED))],
        [false, false],
      )
    })
})
