import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { Project, Story, StoryEvent, Task, TaskSpec, TaskState } from '../../core/crd/types.ts'
import { API_VERSION } from '../../core/names.ts'
import { findBranchNameProblem } from '../../core/story/branch-name.ts'
import type { CustomResourceDefinition } from '../../kube/builtin.ts'
import { AGENTS, CRDS, EXECUTIONS, PROJECTS, STORIES, STORY_EVENTS, TASKS } from '../../kube/resources.ts'
import {
  type KubeClient,
  type KubeObject,
  type Resource,
  isAlreadyExists,
  isConflict,
  KubeError,
} from '../../kube/types.ts'
import { until } from './until.ts'

const CRD_FOLDER = join(import.meta.dirname, '..', '..', '..', 'crds')

/** Where the suite runs: an API server and a namespace of its own. */
export interface CrdTarget {
  readonly client: KubeClient
  readonly namespace: string
}

/** Creates or replaces every CRD of the repository and waits until each kind is served. */
export async function applyCrds(client: KubeClient, namespace: string): Promise<void> {
  for (const file of readdirSync(CRD_FOLDER)) {
    await replaceCrd(client, parse(readFileSync(join(CRD_FOLDER, file), 'utf8')) as CustomResourceDefinition)
  }
  await areServed(client, namespace)
}

/** Also when others do the same. */
export async function replaceCrd(client: KubeClient, crd: CustomResourceDefinition): Promise<void> {
  const present = await client.find(CRDS, { name: crd.metadata.name })
  try {
    await (present === undefined
      ? client.create(CRDS, crd)
      : client.replace(CRDS, { ...crd, metadata: { ...present.metadata, ...crd.metadata } }))
  } catch (error) {
    if (!isConflict(error) && !isAlreadyExists(error)) throw error
    await replaceCrd(client, crd)
  }
}

/** Waits until each kind can be listed. */
export async function areServed(client: KubeClient, namespace: string): Promise<void> {
  for (const resource of [TASKS, EXECUTIONS, STORIES, STORY_EVENTS, PROJECTS, AGENTS])
    await until(`${resource.plural} are served`, () => isServed(client, resource, namespace))
}

async function isServed(client: KubeClient, resource: Resource<KubeObject>, namespace: string): Promise<boolean> {
  try {
    await client.list(resource, { namespace })
    return true
  } catch (error) {
    if (error instanceof KubeError && (error.status === 404 || error.status === 429)) return false
    throw error
  }
}

/** What any API server must make of our CRDs; `target` is asked for in each test, so that `before` may make it. */
export function describeCrds(target: () => CrdTarget): void {
  const create = <T extends KubeObject>(resource: Resource<T>, object: T) => target().client.create(resource, object)
  const createTask = (name: string, spec: Partial<TaskSpec> = {}) =>
    create(TASKS, aTask(target().namespace, name, spec))
  const moveTask = (name: string, state: TaskState | null) =>
    target().client.mergePatch(
      TASKS,
      { name, namespace: target().namespace },
      { status: { state } },
      { subresource: 'status' },
    )

  it('accept a task with nothing but a title, and fill in the defaults', async () => {
    const task = await createTask('plain')
    assert.deepEqual(task.spec, { title: 'plain', runPolicy: 'Manual', maxAttempts: 3 })
  })

  it('accept a task with everything', async () => {
    const spec = everything()
    const task = await createTask('full', spec)
    assert.deepEqual(task.spec, { title: 'full', ...spec })
  })

  const refused: readonly (readonly [string, Partial<TaskSpec>, string])[] = [
    ['an unknown run policy', { runPolicy: 'Sometimes' as 'Auto' }, 'spec.runPolicy'],
    ['a description of 2 MiB', { description: 'x'.repeat(2 * 1024 * 1024) }, 'spec.description'],
    ['a title of 201 characters', { title: 'x'.repeat(201) }, 'spec.title'],
    ['a title of blanks that are no ASCII', { title: '\u00a0\u2003' }, 'spec.title'],
    ['a title that shows nothing', { title: '\u200b\u2060' }, 'spec.title'],
    ['a title of two lines, parted by U+2028', { title: 'a\u2028b' }, 'spec.title'],
    ['a dependency on itself', { dependsOn: ['refused'] }, 'spec.dependsOn'],
    ['a dependency named twice', { dependsOn: ['a', 'a'] }, 'spec.dependsOn'],
    ['101 dependencies', { dependsOn: Array.from({ length: 101 }, (_, i) => `task-${i}`) }, 'spec.dependsOn'],
    ['itself as parent', { parentTaskId: 'refused' }, 'spec.parentTaskId'],
    ['agent and claude at once', { agent: { type: 'script' }, claude: { model: 'x' } }, 'spec.claude'],
    ['a repository that is an option of git', { repositoryUrl: '--upload-pack=id' }, 'spec.repositoryUrl'],
    ['a base that is an option of git', { baseBranch: '--all' }, 'spec.baseBranch'],
    ['a repository that names a helper of git', { repositoryUrl: 'ext::sh -c id' }, 'spec.repositoryUrl'],
    ['a timeout that is no duration', { timeout: 'soon' }, 'spec.timeout'],
    ['no time at all', { timeout: '0s' }, 'spec.timeout'],
  ]
  for (const [what, spec, field] of refused)
    it(`refuse a task with ${what} and name ${field}`, async () => {
      await assert.rejects(createTask('refused', spec), invalid(field))
    })

  it('take half a character in a title as one that nobody can read, and keep all others', async () => {
    const { spec } = await createTask('half', { title: '\ud800 half, \u{1f600} whole, \udc00' })
    assert.equal(spec.title, '\ufffd half, \u{1f600} whole, \ufffd')
  })

  it('refuse a name of 51 characters and accept one of 50', async () => {
    await createTask('n'.repeat(50))
    await assert.rejects(createTask('n'.repeat(51)), invalid('metadata.name must be at most 50 characters'))
  })

  it('let a task go the whole way from absent to COMPLETED', async () => {
    await createTask('legal')
    for (const state of ['PENDING', 'QUEUED', 'RUNNING', 'RUNNING', 'READY', 'COMPLETED'] as const)
      await moveTask('legal', state)
    const task = await target().client.get(TASKS, { name: 'legal', namespace: target().namespace })
    assert.equal(task.status?.state, 'COMPLETED')
  })

  it('let a task that has no state take any, as an archived one does', async () => {
    await createTask('archived')
    assert.equal((await moveTask('archived', 'COMPLETED')).status?.state, 'COMPLETED')
  })

  it('refuse a move that is not in the table and name the state', async () => {
    await createTask('illegal')
    await moveTask('illegal', 'QUEUED')
    await assert.rejects(moveTask('illegal', 'COMPLETED'), invalid('status.state'))
  })

  it('refuse to take a state away', async () => {
    await createTask('emptied')
    await moveTask('emptied', 'QUEUED')
    await assert.rejects(moveTask('emptied', null), invalid('status.state'))
  })

  it('refuse an unknown state', async () => {
    await createTask('unknown')
    await assert.rejects(moveTask('unknown', 'SLEEPING' as 'READY'), invalid('status.state'))
  })

  it('keep the status out of reach of a write to the spec', async () => {
    const { namespace, client } = target()
    await createTask('spec-only')
    const key = { name: 'spec-only', namespace }
    const written = await client.mergePatch(TASKS, key, { spec: { priority: 1 }, status: { state: 'COMPLETED' } })
    assert.deepEqual([written.spec.priority, written.status], [1, { observedGeneration: -1 }])
  })

  it('refuse a move of a story that neither people nor the system may make', async () => {
    const { namespace, client } = target()
    const story: Story = {
      apiVersion: API_VERSION,
      kind: 'Story',
      metadata: { name: 'story', namespace },
      spec: { title: 'S' },
    }
    await create(STORIES, story)
    const move = (status: string) =>
      client.mergePatch(STORIES, { name: 'story', namespace }, { status: { status } }, { subresource: 'status' })
    for (const status of ['BACKLOG', 'PRIORITIZED', 'IN_PROGRESS', 'SHIPPABLE', 'REVIEW_READY', 'DONE'])
      await move(status)
    await assert.rejects(move('IN_PROGRESS'), invalid('status.status'))
  })

  it('refuse any change to a story event, inside its payload too', async () => {
    const { namespace, client } = target()
    const key = { name: 'event', namespace }
    const spec = {
      storyId: 'story',
      kind: 'eval_verdict',
      at: '2026-01-01T00:00:00Z',
      payload: { score: { now: 1 } },
    } as const
    const event: StoryEvent = { apiVersion: API_VERSION, kind: 'StoryEvent', metadata: key, spec }
    await create(STORY_EVENTS, event)
    for (const change of [{ by: 'somebody' }, { payload: { score: { now: 2 } } }, { payload: { more: true } }])
      await assert.rejects(
        client.mergePatch(STORY_EVENTS, key, { spec: change }),
        invalid('a story event is immutable'),
      )
  })

  it('refuse a branch that git would refuse, in the words of the REST API, and no other', async () => {
    const { namespace, client } = target()
    const key = { namespace, name: 'branched' }
    await create<Story>(STORIES, { apiVersion: API_VERSION, kind: 'Story', metadata: key, spec: { title: 'Branched' } })
    const project = { namespace, name: 'branched' }
    const spec = { title: 'Branched', remoteUrl: 'https://h.example/x' }
    await create<Project>(PROJECTS, { apiVersion: API_VERSION, kind: 'Project', metadata: project, spec })
    const names = [
      '-a',
      'a b',
      'a\tb',
      'a\u007f',
      'a~',
      'a^',
      'a:b',
      'a?',
      '*',
      'a[',
      'a\\b',
      'a..b',
      'a@{b',
      '/a',
      'a/',
    ]
    const more = [
      'a//b',
      '.a',
      'a/.b',
      'a.lock',
      'a.lock/b',
      'a.',
      '@',
      'HEAD',
      'main',
      'a/b.c',
      '@a',
      'a-',
      'é',
      'a]',
      'a{',
      'refs/heads/x',
      'ü'.repeat(126),
      `${'ü'.repeat(120)}/x`,
    ]
    for (const branchName of [...names, ...more]) {
      const fault = findBranchNameProblem(branchName)
      const written = client.mergePatch(STORIES, key, { spec: { branchName } })
      if (fault === undefined) assert.equal((await written).spec.branchName, branchName)
      else await assert.rejects(written, invalid(`branchName ${fault}`), branchName)
      const base = client.mergePatch(PROJECTS, project, { spec: { defaultBranch: branchName } })
      if (fault === undefined) assert.equal((await base).spec.defaultBranch, branchName)
      else await assert.rejects(base, invalid(`defaultBranch ${fault}`), branchName)
    }
  })

  it('keep the branch of a story once work on it began', async () => {
    const { namespace, client } = target()
    const [key, message] = [{ namespace, name: 'worked' }, 'story branch cannot be renamed after work began']
    const story = await client.create(STORIES, {
      apiVersion: API_VERSION,
      kind: 'Story',
      metadata: key,
      spec: { title: 'Worked' },
    })
    await client.replaceStatus(STORIES, { ...story, status: { branch: { name: 'story/worked' } } })
    const rename = (branchName: string | null) => client.mergePatch(STORIES, key, { spec: { branchName } })
    await assert.rejects(rename('other'), invalid(message))
    assert.equal((await rename('story/worked')).spec.branchName, 'story/worked')
    await assert.rejects(rename('other'), invalid(message))
    assert.equal((await rename(null)).spec.branchName, undefined)
  })

  it('find tasks by state, story and project', async () => {
    const { namespace, client } = target()
    await createTask('found', { storyId: 'a-story', project: 'a-project' })
    await moveTask('found', 'QUEUED')
    for (const fieldSelector of [
      'spec.storyId=a-story',
      'spec.project=a-project',
      'status.state=QUEUED,spec.storyId=a-story',
    ]) {
      const { items } = await client.list(TASKS, { namespace, fieldSelector })
      assert.deepEqual(
        items.map(({ metadata }) => metadata.name),
        ['found'],
        fieldSelector,
      )
    }
  })
}

function aTask(namespace: string, name: string, spec: Partial<TaskSpec>): Task {
  return { apiVersion: API_VERSION, kind: 'Task', metadata: { name, namespace }, spec: { title: name, ...spec } }
}

function everything(): Partial<TaskSpec> {
  return {
    description: 'é'.repeat(131_072),
    project: 'p',
    elaborationInput: 'make it so',
    repositoryUrl: 'git@example.org:team/app.git',
    containerImage: 'example.org/agent:1',
    agent: { type: 'script', model: 'none', instructions: 'exit 0', allowedTools: ['Bash', 'Read'] },
    dependsOn: ['a', 'b'],
    parentTaskId: 'parent',
    storyId: 's',
    priority: -3,
    runPolicy: 'Auto',
    timeout: '1h30m',
    maxAttempts: 5,
    budgetUSD: 2.5,
    suspend: true,
  }
}

/** 422 Invalid with a message that holds `part`: the field, or the rule's own words. */
function invalid(part: string): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof KubeError, String(error))
    assert.deepEqual([error.status, error.reason], [422, 'Invalid'], error.message.slice(0, 500))
    assert.ok(error.message.includes(part), `${error.message.slice(0, 500)} does not name ${part}`)
    return true
  }
}
