import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ALTERNATES_PATH, formatAlternates } from '../../core/execution/alternates.ts'
import { clonePath, mirrorsPath, repositoryPath, sandboxOwnerPath } from '../../core/execution/layout.ts'
import { parseOwner } from '../../core/execution/owner.ts'
import type { Project } from '../../core/crd/types.ts'
import type { RunSpec } from '../../core/execution/run-spec.ts'
import { AGENTS, PROJECTS, SECRETS, TASKS } from '../../kube/resources.ts'
import { findKeptClone } from '../../operator/kept-clone.ts'
import { anAgent, aProject, aTask, NAMESPACE } from '../helpers/build.ts'
import { type World, openWorld, runSpecOf } from './world.ts'

const URL = 'https://git.example/repo.git'
const [KEY, OTHER] = ['a'.repeat(32), 'b'.repeat(32)]

describe('the mirrors that the clone of a task borrows from', () => {
  let world: World
  beforeEach(async () => {
    world = await openWorld()
    isolate('sandbox')
    world.kube.put(AGENTS, anAgent())
  })
  afterEach(() => world.close())

  const isolate = (isolation: 'sandbox' | 'none'): void =>
    void Object.assign(world.context, { installation: { ...world.context.installation, isolation } })
  const login = (password: string): void =>
    void world.kube.put(SECRETS, {
      metadata: {
        name: 'git',
        namespace: NAMESPACE,
        uid: 'uid-git',
        labels: { 'slipway.dev/usable-by': 'git' },
        annotations: { 'slipway.dev/git-host': 'git.example' },
      },
      type: 'kubernetes.io/basic-auth',
      data: { password },
    })
  const start = async (spec: Partial<Project['spec']> = {}): Promise<RunSpec> => {
    world.kube.put(PROJECTS, aProject({ spec: { remoteUrl: URL, ...spec } }))
    const status = { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' } as const
    world.kube.put(TASKS, aTask({ spec: { project: 'project-a' }, status }))
    await world.sync()
    return runSpecOf(world.job('task-a-1-run'))
  }
  const markOf = async (path: string) => parseOwner(await readFile(join(world.volumeRoot, path), 'utf8'))
  const borrow = async (key: string): Promise<void> => {
    const file = join(world.volumeRoot, clonePath('task-a'), ALTERNATES_PATH)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, formatAlternates({ key, number: 1 }))
  }

  it('are named by the mark of its sandbox, and have a folder, before its Job is made', async () => {
    const marks: string[] = []
    world.kube.onWrite = (moment, write) => {
      if (moment === 'after' || !write.startsWith('create Job')) return
      marks.push(readFileSync(join(world.volumeRoot, sandboxOwnerPath('task-a')), 'utf8'))
    }
    const { mirror = '' } = await start()
    assert.deepEqual(
      marks.map((text) => parseOwner(text)?.mirror),
      [mirror],
    )
    assert.deepEqual(await markOf(`${repositoryPath(mirror)}.owner`), { uid: mirror, namespace: NAMESPACE, name: URL })
    assert.equal((await stat(join(world.volumeRoot, mirrorsPath(mirror)))).mode & 0o007, 0)
  })

  it('are there to be read for a delivery, and have a folder, before its Job is made', async () => {
    world.kube.put(PROJECTS, aProject({ spec: { remoteUrl: URL, onAccept: 'Merge' } }))
    const head = { commit: 'c'.repeat(40), at: '2025-01-01T00:00:00Z' }
    const status = { state: 'READY', branch: 'slipway/task-a', head } as const
    const annotations = { 'slipway.dev/action': 'accept' }
    world.kube.put(TASKS, aTask({ metadata: { annotations }, spec: { project: 'project-a' }, status }))
    await world.sync()
    const job = world.job('task-a-d1-run')
    const { mirror = '' } = runSpecOf(job)
    const mounts = job?.spec.template.spec.containers[0]?.volumeMounts ?? []
    const mounted = mounts.filter(({ subPath = '' }) => subPath.startsWith('repositories'))
    assert.deepEqual(
      mounted.map(({ subPath, readOnly }) => [subPath, readOnly]),
      [[mirrorsPath(mirror), true]],
    )
    assert.ok((await stat(join(world.volumeRoot, mirrorsPath(mirror)))).isDirectory())
  })

  it('are none among plain processes, which could write them', async () => {
    isolate('none')
    assert.equal((await start()).mirror, undefined)
  })

  it('are those of the kept clone when a task is resumed, though its Secret has changed', async () => {
    login('b25l')
    const { mirror = '' } = await start()
    await borrow(mirror)
    login('dHdv')
    await world.endJob('task-a-1-run', { result: { outcome: 'failed', pushed: false } })
    await world.sync()
    world.annotate('task-a', { 'slipway.dev/action': 'resume' })
    await world.sync()
    const resumed = runSpecOf(world.job('task-a-2-run'))
    assert.deepEqual([resumed.keepClone, resumed.mirror], [true, mirror])
    // Else an agent that damages its clone would have what only the new Secret may read put where the former's readers see it.
    assert.deepEqual([resumed.checkout], [{ borrow: false }])
    assert.equal((await markOf(sandboxOwnerPath('task-a')))?.mirror, mirror)
  })

  it('are none of a kept clone from before there were any', async () => {
    isolate('none')
    await start()
    await mkdir(join(world.volumeRoot, clonePath('task-a'), '.git'), { recursive: true })
    await world.endJob('task-a-1-run', { result: { outcome: 'failed', pushed: false } })
    await world.sync()
    isolate('sandbox')
    world.annotate('task-a', { 'slipway.dev/action': 'resume' })
    await world.sync()
    const resumed = runSpecOf(world.job('task-a-2-run'))
    assert.deepEqual([resumed.keepClone, resumed.mirror], [true, undefined])
  })

  it('belong to no clone that a fresh start was to replace, or that says something else than the operator', async () => {
    const keep = () => findKeptClone(world.volumeRoot, 'task-a', 'uid-task-a')
    const mark = (text: object) => writeFile(join(world.volumeRoot, sandboxOwnerPath('task-a')), JSON.stringify(text))
    await borrow(KEY)
    await mark({ uid: 'uid-task-a', mirror: KEY })
    assert.deepEqual(await keep(), { mirror: KEY })
    await mark({ uid: 'uid-task-a', mirror: OTHER })
    assert.equal(await keep(), undefined)
    await mark({ uid: 'uid-task-a' })
    assert.equal(await keep(), undefined)
    // Whoever delivers it refuses it in words.
    await writeFile(join(world.volumeRoot, clonePath('task-a'), ALTERNATES_PATH), '/etc\n')
    assert.deepEqual(await keep(), { mirror: undefined })
    await rm(join(world.volumeRoot, clonePath('task-a'), ALTERNATES_PATH))
    await mark({ uid: 'uid-task-a', mirror: KEY })
    assert.deepEqual(await keep(), { mirror: KEY })
  })
})
