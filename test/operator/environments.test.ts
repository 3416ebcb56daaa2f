import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PreparedEnvironment, Project, ProjectEnvironment } from '../../core/crd/types.ts'
import { environmentPath, SEAL_FILE } from '../../core/execution/layout.ts'
import { EXIT_NOT_PREPARED } from '../../core/execution/steps.ts'
import type { VolumeMount } from '../../kube/builtin.ts'
import { AGENTS, EXECUTIONS, LEASES, PROJECTS, SECRETS, STORIES, TASKS } from '../../kube/resources.ts'
import { sweepEnvironments } from '../../operator/environments.ts'
import { anAgent, anExecution, aProject, aStory, aTask, NAMESPACE } from '../helpers/build.ts'
import { type World, openWorld, readGiven, runSpecOf } from './world.ts'

const [OLD, NEW] = ['a'.repeat(64), 'b'.repeat(64)]
const COMMIT = 'd'.repeat(40)
const environment: ProjectEnvironment = {
  setup: 'npm ci',
  env: [
    { name: 'NPM_TOKEN', secretKey: { name: 'npm', key: 'token' } },
    { name: 'PRICE', value: '$(HOME)' },
  ],
  cache: [{ path: 'node_modules' }, { path: '~/.npm', mode: 'ReadOnly' }],
  keys: ['package-lock.json'],
}

describe('prepared environments', () => {
  let world: World
  beforeEach(async () => {
    world = await openWorld({ isolation: 'sandbox' })
    world.kube.put(AGENTS, anAgent({ spec: { maxConcurrent: 3 } }))
    putSecret()
  })
  afterEach(() => world.close())

  const putSecret = (labels: Record<string, string> = { 'slipway.dev/usable-by': 'setup' }) =>
    void world.kube.put(SECRETS, {
      metadata: { name: 'npm', namespace: NAMESPACE, labels },
      type: 'Opaque',
      data: { token: 'c2VjcmV0' },
    })
  const putProject = (spec: Partial<Project['spec']> = {}) =>
    void world.kube.put(PROJECTS, aProject({ spec: { environment, ...spec } }))
  const project = (): Project => world.kube.all(PROJECTS)[0] as Project
  const entries = (): readonly PreparedEnvironment[] => project().status?.environments ?? []
  const queue = (name: string, spec: object = {}) =>
    void world.kube.put(
      TASKS,
      aTask({
        name,
        spec: { project: 'project-a', repositoryUrl: 'https://git.example/repo.git', ...spec },
        status: { state: 'QUEUED', queuedAt: '2026-01-01T00:00:00Z' },
      }),
    )
  const held = () => world.kube.all(LEASES).filter(({ spec }) => spec?.holderIdentity)
  const mountsOf = (job: string, step: 'prepare' | 'agent' | 'deliver'): readonly VolumeMount[] => {
    const { initContainers = [], containers } = world.job(job)?.spec.template.spec ?? { containers: [] }
    return [...initContainers, ...containers].find(({ name }) => name === step)?.volumeMounts ?? []
  }
  const envOf = (job: string, step: string) => {
    const { initContainers = [], containers } = world.job(job)?.spec.template.spec ?? { containers: [] }
    return [...initContainers, ...containers].find(({ name }) => name === step)?.env ?? []
  }
  /** Ends a setup as deliver does that has sealed what it left. */
  async function seal(execution: string, digest = OLD, isShared = true): Promise<void> {
    const folder = join(world.volumeRoot, environmentPath('uid-project-a', execution))
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, SEAL_FILE), '{}')
    const cache = [
      { path: 'node_modules', mode: 'Copy' as const },
      { path: '~/.npm', mode: 'ReadOnly' as const },
    ]
    await world.endJob(`${execution}-run`, {
      result: { pushed: false, sealed: { digest, commit: COMMIT, isShared, cache, bytes: 5 } },
    })
    await world.sync()
  }
  const wants = (job: string, digest: string, isShared = true) =>
    world.endJob(job, {
      result: 'none',
      prepare: { exitCode: EXIT_NOT_PREPARED, report: { environment: { digest, commit: COMMIT, isShared } } },
    })

  it('are prepared once for twenty tasks, none of which holds a slot meanwhile', async () => {
    putProject()
    for (let n = 0; n < 20; n++) queue(`task-${n}`)
    await world.sync()
    assert.deepEqual(
      world.kube.all(EXECUTIONS).map(({ metadata, spec }) => [metadata.name, spec.purpose]),
      [['project-a-e1', 'Prepare']],
    )
    assert.deepEqual(held(), [])
    const [condition] = world.task('task-7').status?.conditions ?? []
    assert.equal(condition?.reason, 'WaitingForEnvironment')
    await seal('project-a-e1')
    assert.equal(entries()[0]?.state, 'Ready')
    assert.ok(held().length > 0)
    const started = world.kube.all(EXECUTIONS).find(({ spec }) => spec.purpose === 'Run')?.metadata.name ?? ''
    assert.deepEqual(runSpecOf(world.job(`${started}-run`)).environment?.mounted, {
      folder: environmentPath('uid-project-a', 'project-a-e1'),
      digest: OLD,
    })
    assert.equal(world.execution(started)?.environment?.execution, 'project-a-e1')
  })

  it('are prepared by three steps, of which the setup sees the secrets and no git credentials, and one alone writes the seal', async () => {
    putProject()
    queue('task-a')
    await world.sync()
    const job = 'project-a-e1-run'
    const run = runSpecOf(world.job(job))
    assert.deepEqual(run.seal, { folder: 'environments/uid-project-a/project-a-e1', secrets: ['NPM_TOKEN'] })
    assert.equal((await readGiven(world, 'project-a-e1')).prompt, 'npm ci')
    const secret = { name: 'NPM_TOKEN', valueFrom: { secretKeyRef: { name: 'npm', key: 'token' } } }
    assert.deepEqual(
      envOf(job, 'agent').find(({ name }) => name === 'NPM_TOKEN'),
      secret,
    )
    assert.deepEqual(run.environment?.recipe?.env[1], { name: 'PRICE', value: '$(HOME)' })
    assert.deepEqual(
      envOf(job, 'deliver').find(({ name }) => name === 'NPM_TOKEN'),
      secret,
    )
    assert.equal(
      envOf(job, 'prepare').some(({ name }) => name === 'NPM_TOKEN'),
      false,
    )
    const writers = (['prepare', 'agent', 'deliver'] as const).filter((step) =>
      mountsOf(job, step).some(
        ({ subPath = '', readOnly }) => subPath.startsWith('environments/') && readOnly !== true,
      ),
    )
    assert.deepEqual(writers, ['deliver'])
    assert.ok(existsSync(join(world.volumeRoot, 'environments/uid-project-a/project-a-e1')))
    assert.ok(!mountsOf(job, 'agent').some(({ subPath }) => subPath?.endsWith('prompt.md') || subPath === 'drops'))
  })

  it('lie in a task: whole and read-only for prepare, and for the agent what is read-only at its place', async () => {
    putProject()
    queue('task-a')
    await world.sync()
    await seal('project-a-e1')
    const folder = 'environments/uid-project-a/project-a-e1'
    const ofEnvironment = (step: 'prepare' | 'agent' | 'deliver') =>
      mountsOf('task-a-1-run', step).filter(({ subPath = '' }) => subPath.startsWith('environments/'))
    assert.deepEqual(
      ofEnvironment('prepare').map(({ subPath, readOnly }) => [subPath, readOnly]),
      [[folder, true]],
    )
    assert.deepEqual(
      ofEnvironment('agent').map(({ subPath, mountPath, readOnly }) => [subPath, mountPath, readOnly]),
      [[`${folder}/1`, `${world.volumeRoot}/sandboxes/task-a/home/.npm`, true]],
    )
    assert.deepEqual(ofEnvironment('deliver'), [])
  })

  it('are prepared anew when a task finds that its commit wants another one, which waits with its slot and without a pod', async () => {
    putProject()
    queue('task-a')
    await world.sync()
    await seal('project-a-e1')
    await world.clock.advance(5000)
    await wants('task-a-1-run', NEW)
    await world.sync()
    const waiting = world.execution('task-a-1')
    assert.deepEqual(
      [waiting?.state, waiting?.jobs, waiting?.environment?.digest, waiting?.environment?.execution],
      ['RUNNING', 1, NEW, undefined],
    )
    assert.match(waiting?.waitingFor ?? '', /environment of project project-a is being prepared/)
    assert.equal(held().length, 1)
    queue('task-b')
    await world.sync()
    assert.equal(world.task('task-b').status?.state, 'QUEUED')
    await world.clock.advance(5000)
    await seal('project-a-e2', NEW)
    assert.equal(runSpecOf(world.job('task-a-1-run-2')).environment?.mounted?.digest, NEW)
    const { environment: now, phases = [] } = world.execution('task-a-1') ?? {}
    assert.deepEqual([now?.execution, now?.waitingSince], ['project-a-e2', undefined])
    assert.equal(phases[0]?.name, 'environment')
    assert.equal(world.task('task-b').status?.state, 'RUNNING')
  })

  it('are done without when the setup fails, which is told on project and task', async () => {
    putProject({ environment: { ...environment, cache: [{ path: 'node_modules' }] } })
    queue('task-a')
    await world.sync()
    await world.endJob('project-a-e1-run', {
      result: { outcome: 'failed', pushed: false, error: { category: 'failed', message: 'npm: no such package' } },
    })
    await world.sync()
    assert.deepEqual([entries()[0]?.state, entries()[0]?.message], ['Failed', 'npm: no such package'])
    assert.ok(world.events.some(({ reason, message }) => reason === 'EnvironmentFailed' && message.includes('no such')))
    assert.equal(runSpecOf(world.job('task-a-1-run')).environment?.mounted, undefined)
    await world.clock.advance(1000)
    await wants('task-a-1-run', OLD)
    await world.sync()
    await world.endJob('project-a-e2-run', { result: { outcome: 'failed', pushed: false } })
    await world.sync()
    const { environment: told } = runSpecOf(world.job('task-a-1-run-2'))
    assert.deepEqual([told?.failed, told?.mounted], [[OLD], undefined])
    queue('task-b')
    await world.sync()
    assert.deepEqual(runSpecOf(world.job('task-b-1-run')).environment?.failed, [OLD])
    assert.equal(world.kube.all(EXECUTIONS).filter(({ spec }) => spec.purpose === 'Prepare').length, 2)
  })

  it('are ended while they are waited for, when the task is cancelled', async () => {
    putProject()
    queue('task-a')
    await world.sync()
    await seal('project-a-e1')
    await wants('task-a-1-run', NEW)
    await world.sync()
    const task = world.task()
    world.kube.put(TASKS, { ...task, status: { ...task.status, cancelRequestedAt: '2026-01-01T00:00:00Z' } })
    await world.sync()
    assert.deepEqual([world.execution('task-a-1')?.state, world.task().status?.state], ['CANCELLED', 'CANCELLED'])
    assert.equal(held().length, 0)
  })

  it('are prepared for a story alone, without secrets, at its branch, and used by no other task', async () => {
    putProject()
    world.kube.put(STORIES, aStory({ spec: { projectId: 'project-a' } }))
    queue('task-a', { storyId: 'story-a' })
    await world.sync()
    await seal('project-a-e1')
    await wants('task-a-1-run', NEW, false)
    await world.sync()
    const prepare = world.kube.all(EXECUTIONS).find(({ metadata }) => metadata.name === 'project-a-e2')
    assert.deepEqual(
      [prepare?.spec.storyRef, prepare?.spec.branch],
      [{ name: 'story-a' }, runSpecOf(world.job('task-a-1-run')).branch],
    )
    assert.deepEqual(runSpecOf(world.job('project-a-e2-run')).seal?.secrets, [])
    assert.ok(!envOf('project-a-e2-run', 'agent').some(({ name }) => name === 'NPM_TOKEN'))
    await seal('project-a-e2', NEW, true)
    assert.deepEqual(entries()[0]?.onlyFor, { story: 'story-a' })
    assert.equal(runSpecOf(world.job('task-a-1-run-2')).environment?.mounted?.digest, NEW)
    queue('task-b')
    await world.sync()
    assert.equal(runSpecOf(world.job('task-b-1-run')).environment?.mounted?.digest, OLD)
  })

  it('of a commit that is none of the default branch are shared with nobody', async () => {
    putProject()
    queue('task-a')
    await world.sync()
    await seal('project-a-e1', OLD, false)
    assert.equal(entries()[0]?.state, 'Failed')
    assert.match(entries()[0]?.message ?? '', /none of the default branch/)
  })

  it('are not prepared for whoever may create Executions, in an image of theirs or under a name that comes next', async () => {
    putProject()
    const spec = { purpose: 'Prepare', projectRef: { name: 'project-a' }, image: 'evil:1' } as const
    const ownerReferences = [
      {
        apiVersion: 'slipway.dev/v1alpha1',
        kind: 'Project',
        name: 'project-a',
        uid: 'uid-project-a',
        controller: true,
      },
    ]
    const forge = (name: string) =>
      void world.kube.put(EXECUTIONS, { ...anExecution({ name, metadata: { ownerReferences } }), spec })
    forge('project-a-e1')
    forge('project-a-e9')
    queue('task-a')
    await world.sync()
    for (const name of ['project-a-e1', 'project-a-e9'])
      assert.deepEqual([world.execution(name)?.state, world.job(`${name}-run`)], ['CANCELLED', undefined])
    assert.equal(entries()[0]?.execution, 'project-a-e2')
    assert.equal(runSpecOf(world.job('project-a-e2-run')).environment?.image, '')
  })

  it('are prepared without secrets in an image that a task alone names, and with them in that of an agent', async () => {
    await world.close()
    world = await openWorld({ isolation: 'container', embedded: false })
    world.kube.put(AGENTS, anAgent({ spec: { maxConcurrent: 3, image: 'agents:1' } }))
    putSecret()
    putProject()
    queue('task-a', { containerImage: 'any:1' })
    queue('task-b')
    await world.sync()
    const given = world.kube.all(EXECUTIONS).map(({ metadata: { name }, spec: { image = '' } }) => {
      const names = ['agent', 'deliver'].flatMap((step) => envOf(`${name}-run`, step).map((one) => one.name))
      const { seal, passEnv } = runSpecOf(world.job(`${name}-run`))
      return [image, { sealed: seal?.secrets, isSet: names.includes('NPM_TOKEN'), passEnv }] as const
    })
    assert.deepEqual(
      new Map(given),
      new Map([
        ['any:1', { sealed: [], isSet: false, passEnv: undefined }],
        ['agents:1', { sealed: ['NPM_TOKEN'], isSet: true, passEnv: ['NPM_TOKEN'] }],
      ]),
    )
  })

  it('stay while executions use them, however many others are wanted, of which a few are prepared at once', async () => {
    const used = Array.from({ length: 45 }, (_, n): PreparedEnvironment => ({
      execution: `project-a-e${45 - n}`,
      state: 'Ready',
      recipe: '',
      digest: OLD,
      onlyFor: { task: 'task-0' },
      startedAt: '2026-01-01T00:00:00Z',
      builtAt: '2026-01-01T00:00:00Z',
    }))
    const status = { environments: used, environmentBuilds: 45 }
    world.kube.put(PROJECTS, aProject({ spec: { environment }, status }))
    for (const [n, { execution }] of used.entries())
      world.kube.put(
        EXECUTIONS,
        anExecution({ name: `other-${n}`, status: { state: 'RUNNING', environment: { execution } } }),
      )
    const owners = Array.from({ length: 20 }, (_, n) => `task-${n}`)
    for (const name of owners) {
      world.given({ name, spec: { project: 'project-a' } })
      const awaited = { digest: NEW, isShared: false, waitingSince: '2026-01-01T00:00:00Z' }
      const spec = { taskRef: { name } }
      world.kube.put(
        EXECUTIONS,
        anExecution({ name: `${name}-1`, spec, status: { state: 'RUNNING', jobs: 1, environment: awaited } }),
      )
    }
    await world.syncProject('project-a')
    const states = entries().map(({ state }) => state)
    assert.deepEqual([states.filter((one) => one === 'Ready').length, states.length], [45, 50])
    await world.syncProject('project-a')
    assert.equal(project().status?.environmentBuilds, 50)
  })

  it('are prepared in the images of project and agents though tasks name any number of others', async () => {
    await world.close()
    world = await openWorld({ isolation: 'container', embedded: false })
    world.kube.put(AGENTS, anAgent({ spec: { maxConcurrent: 3, image: 'agents:1' } }))
    putSecret()
    putProject()
    for (let n = 0; n < 20; n++) queue(`task-${n}`, { containerImage: `any:${n}` })
    await world.sync()
    const images = () => world.kube.all(EXECUTIONS).map(({ spec }) => spec.image ?? '')
    assert.equal(images().length, 8)
    queue('task-x')
    await world.sync()
    assert.deepEqual(images().slice(8), ['agents:1'])
  })

  it('need a Secret that is for setups', async () => {
    putProject()
    putSecret({ 'slipway.dev/usable-by': 'agent' })
    queue('task-a')
    await world.sync()
    assert.match(entries()[0]?.message ?? '', /Secret npm is not for setups: label it slipway.dev\/usable-by=setup/)
  })

  for (const write of ['create Execution project-a-e1', 'status Project project-a', 'create Job project-a-e1-run'])
    for (const moment of ['before', 'after'] as const)
      it(`are prepared once although the operator dies ${moment} it writes: ${write}`, async () => {
        putProject()
        queue('task-a')
        let isDead = false
        world.kube.onWrite = (at, what) => {
          if (isDead || at !== moment || what.toLowerCase() !== write.toLowerCase()) return
          isDead = true
          throw new Error('killed')
        }
        await assert.rejects(world.sync(), /killed/)
        await world.sync()
        assert.deepEqual(
          world.kube.all(EXECUTIONS).map(({ metadata }) => metadata.name),
          ['project-a-e1'],
        )
        assert.deepEqual([entries().length, project().status?.environmentBuilds], [1, 1])
      })

  it('are prepared again on request, and again when the volume has lost them', async () => {
    putProject()
    queue('task-a')
    await world.sync()
    await seal('project-a-e1')
    await world.clock.advance(60_000)
    const asked = { ...project().status, environmentRequestedAt: world.clock.now().toISOString() }
    world.kube.put(PROJECTS, { ...project(), status: asked })
    await world.sync()
    assert.deepEqual(
      entries().map(({ state }) => state),
      ['Building', 'Ready'],
    )
    await seal('project-a-e2')
    assert.equal(entries()[0]?.state, 'Ready')
    assert.equal(project().status?.environmentBuilds, 2)
  })

  it('go with their project, and when all take more than they may, never while a Job mounts them', async () => {
    putProject()
    queue('task-a')
    await world.sync()
    await seal('project-a-e1')
    const root = world.volumeRoot
    const stray = join(root, 'environments/uid-project-a/project-a-e7')
    await mkdir(stray)
    const room = { mirrorBytes: 1, workspaceBytes: 1, reviewMs: 1, environmentBytes: 1, environmentMs: 1 }
    const served = [{ namespace: NAMESPACE, context: world.context }]
    const sweep = () =>
      sweepEnvironments({ served, root, room, ended: new AbortController().signal }, world.clock.now())
    await world.clock.advance(3_600_000)
    assert.deepEqual(await sweep(), ['environments/uid-project-a/project-a-e7'])
    assert.equal(entries().length, 1)
    assert.ok((entries()[0]?.bytes ?? 0) > 5)
    await world.endJob('task-a-1-run')
    await world.sync()
    await world.clock.advance(3_600_000)
    assert.deepEqual(await sweep(), ['environments/uid-project-a/project-a-e1'])
    assert.deepEqual(entries(), [])
    await world.kube.delete(PROJECTS, project().metadata)
    await sweep()
    assert.deepEqual(await readdir(join(root, 'environments')), [])
  })
})
