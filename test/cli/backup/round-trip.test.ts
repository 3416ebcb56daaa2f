import assert from 'node:assert/strict'
import { open, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ALTERNATES_PATH, formatAlternates } from '../../../core/execution/alternates.ts'
import { clonePath, mirrorsPath, repositoryPath } from '../../../core/execution/layout.ts'
import { formatOwner, parseOwner } from '../../../core/execution/owner.ts'
import { pushesToStory } from '../../../core/story/review.ts'
import { pushesOf } from '../../../core/task/reviewed.ts'
import { EXECUTIONS, SECRETS, STORIES, TASKS } from '../../../kube/resources.ts'
import { git, gitText } from '../../../lib/git.ts'
import { anExecution, aStory, aTask, REVIEWED } from '../../helpers/build.ts'
import { type TestControlPlane, startTestControlPlane } from '../../helpers/control-plane.ts'
import {
  type Place,
  type Places,
  contentsOf,
  exportFrom,
  fill,
  given,
  importInto,
  makePlace,
  makePlaces,
  matchUids,
  objectsOf,
  ownedBy,
  removePlace,
  write,
} from './rig.ts'

describe('a backup', function () {
  let controlPlane: TestControlPlane
  let places: Places
  let from: Place
  let to: Place
  let path: string
  before(async () => {
    controlPlane = await startTestControlPlane()
  })
  after(() => controlPlane.stop())
  beforeEach(async () => void ({ from, to, path } = places = await makePlaces(controlPlane)))
  afterEach(() => places.remove())

  it('brings every object and file to another namespace, and back, with equal content', async () => {
    await fill(from)
    const { objects, files } = await exportFrom(from, path)
    assert.deepEqual(await importInto(to, path), { objects, files, passedOver: 0 })
    const uids = await matchUids(from, to)
    assert.deepEqual(await contentsOf(to), await contentsOf(from, uids))
    assert.equal((await readdir(to.volumeRoot)).includes('importing'), false)

    const back = await makePlace(controlPlane)
    try {
      await exportFrom(to, path)
      await importInto(back, path)
      assert.deepEqual(await contentsOf(back), await contentsOf(from, await matchUids(from, back)))
    } finally {
      await removePlace(back)
    }
  })

  it('brings what was reviewed and pushed, so that the review says the same, and the next one names the same commits', async () => {
    const { head: _, baseCommit, pushes, ...findings } = REVIEWED
    const review = { execution: 'task-a-1', head: pushes[1].head, baseCommit, ...findings }
    const story = await given(from, STORIES, aStory({ status: { pushes, review, authors: ['kim'] } }))
    const task = await given(
      from,
      TASKS,
      aTask({ spec: { storyId: 'story-a' }, status: { state: 'READY', execution: 'task-a-1', ...REVIEWED } }),
    )
    const pushed = { found: pushes[1].found, base: baseCommit, head: pushes[1].head }
    const branchReview = { head: pushes[1].head, baseCommit, ...findings }
    const owned = { ownerReferences: ownedBy(task) }
    const status = { state: 'COMPLETED', push: pushed, branchReview, ...findings } as const
    const execution = await given(from, EXECUTIONS, anExecution({ metadata: owned, status }))
    await exportFrom(from, path)
    await importInto(to, path)
    const at = (name: string) => ({ namespace: to.namespace, name })
    const arrived = [await to.client.get(STORIES, at('story-a')), await to.client.get(TASKS, at('task-a'))] as const
    assert.deepEqual(arrived[0].status, story.status)
    assert.deepEqual(arrived[1].status, task.status)
    assert.deepEqual((await to.client.get(EXECUTIONS, at('task-a-1'))).status, execution.status)
    assert.deepEqual([pushesOf(arrived[1]), pushesToStory(arrived[0], [arrived[1]])], [pushes, pushes])
  })

  it('that is imported twice changes nothing the second time', async () => {
    await fill(from)
    const { objects } = await exportFrom(from, path)
    await importInto(to, path)
    const versions = async (): Promise<unknown> =>
      (await objectsOf(to)).map(({ metadata }) => [metadata.name, metadata.resourceVersion])
    const [before, contents] = [await versions(), await contentsOf(to)]
    const again = await importInto(to, path)
    assert.equal(again.objects, 0)
    assert.ok(again.passedOver > objects)
    assert.deepEqual(await versions(), before)
    assert.deepEqual(await contentsOf(to), contents)
  })

  it('has Secrets only where they are asked for, and then as they were', async () => {
    await fill(from)
    await exportFrom(from, path)
    await importInto(to, path)
    const key = { namespace: to.namespace, name: 'key' }
    assert.equal(await to.client.find(SECRETS, key), undefined)
    await exportFrom(from, path, { hasSecrets: true })
    await importInto(to, path)
    assert.deepEqual((await to.client.get(SECRETS, key)).data, { key: 'c2VjcmV0' })
  })

  it('brings the mirror that a kept clone borrows from to the same place, and neither its lock nor what nobody needs', async () => {
    const [key, other] = ['a'.repeat(32), 'b'.repeat(32)]
    const at = (path: string): string => join(from.volumeRoot, path)
    const remote = join(places.outside, 'remote')
    const local = { env: { GIT_ALLOW_PROTOCOL: 'file' } }
    await git(['init', '--quiet', remote])
    const commit = ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '--allow-empty', '-m', 'one']
    await git(commit, { cwd: remote })
    await given(from, TASKS, aTask({ status: { state: 'READY', workspace: '/v/sandboxes/task-a' } }))
    for (const n of [1, 2]) await git(['clone', '--quiet', '--mirror', remote, at(`${mirrorsPath(key)}/${n}`)], local)
    await git(['clone', '--quiet', '--shared', at(`${mirrorsPath(key)}/1`), at(clonePath('task-a'))], local)
    await write(from, `${clonePath('task-a')}/${ALTERNATES_PATH}`, formatAlternates({ key, number: 1 }))
    await write(from, 'sandboxes/task-a.owner', formatOwner({ uid: 'uid-task-a', mirror: key }))
    for (const name of ['lock', 'fetches.json', 'making/HEAD', 'mirrors/.discarded-3/HEAD'])
      await write(from, `${repositoryPath(key)}/${name}`, 'x')
    await write(from, `${mirrorsPath(other)}/1/HEAD`, 'x')
    // What an agent writes itself to get at the repository of another namespace.
    await given(from, TASKS, aTask({ name: 'task-b', status: { state: 'READY', workspace: '/v/sandboxes/task-b' } }))
    await write(from, `${clonePath('task-b')}/${ALTERNATES_PATH}`, formatAlternates({ key: other, number: 1 }))
    await write(from, 'sandboxes/task-b.owner', formatOwner({ uid: 'uid-task-b', mirror: key }))
    await exportFrom(from, path)
    await importInto(to, path)
    assert.deepEqual(await readdir(join(to.volumeRoot, 'repositories')), [key])
    assert.deepEqual(await readdir(join(to.volumeRoot, repositoryPath(key))), ['mirrors'])
    assert.deepEqual(await readdir(join(to.volumeRoot, mirrorsPath(key))), ['1'])
    const clone = join(to.volumeRoot, clonePath('task-a'))
    assert.equal((await gitText(['log', '--format=%s'], { cwd: clone })).trim(), 'one')
    await git(['fsck', '--full', '--connectivity-only'], { cwd: clone })
    await git(['fsck', '--full'], { gitDir: join(to.volumeRoot, `${mirrorsPath(key)}/1`) })
    assert.equal(parseOwner(await readFile(join(to.volumeRoot, 'sandboxes/task-a.owner'), 'utf8'))?.mirror, key)
    await exportFrom(from, path, { hasWorkspaces: false })
    const bare = await makePlace(controlPlane)
    await importInto(bare, path)
    await removePlace(bare)
  })

  it('without workspaces leaves clones, and says of no task that it has one', async () => {
    await fill(from)
    await exportFrom(from, path, { hasWorkspaces: false })
    await importInto(to, path)
    assert.equal((await readdir(to.volumeRoot)).includes('sandboxes'), false)
    const task = await to.client.get(TASKS, { namespace: to.namespace, name: 'task-a' })
    assert.deepEqual([task.status?.state, task.status?.workspace], ['READY', undefined])
  })

  it('is refused while agents are at work, or counts their work as lost, without their clones', async () => {
    await fill(from)
    const task = await given(
      from,
      TASKS,
      aTask({ name: 'busy', status: { state: 'RUNNING', execution: 'busy-1', executions: 1 } }),
    )
    await given(
      from,
      EXECUTIONS,
      anExecution({ name: 'busy-1', metadata: { ownerReferences: ownedBy(task) }, status: { state: 'RUNNING' } }),
    )
    await write(from, 'sandboxes/busy/repo/file', 'torn')
    await write(from, 'sandboxes/busy.owner', '{}')
    await assert.rejects(exportFrom(from, path), /at work on busy: wait .* or give --running/)
    const warnings: string[] = []
    await exportFrom(from, path, { allowsRunning: true, warn: (text) => warnings.push(text) })
    assert.match(warnings.join(), /at work on busy: .*lost/)
    await importInto(to, path)
    const { status } = await to.client.get(EXECUTIONS, { namespace: to.namespace, name: 'busy-1' })
    assert.deepEqual([status?.state, status?.error?.category], ['FAILED', 'lost'])
    assert.deepEqual((await readdir(join(to.volumeRoot, 'sandboxes'))).toSorted(), ['task-a', 'task-a.owner'])
  })

  it('leaves the clone of a task out that began while it was made', async () => {
    await fill(from)
    let calls = 0
    const list: Place['client']['list'] = async (resource, query, options) => {
      const page = await from.client.list(resource, query, options)
      if (resource.kind === 'Execution' && (calls += 1) === 1) {
        const [task] = (await from.client.list(TASKS, { namespace: from.namespace })).items
        assert.ok(task)
        await given(from, EXECUTIONS, anExecution({ name: 'task-a-2', metadata: { ownerReferences: ownedBy(task) } }))
      }
      return page
    }
    const client = { ...from.client, list }
    const warn = (): void => undefined
    const end = await exportFrom(from, path, { client, allowsRunning: true, warn })
    assert.deepEqual(end.changedWorkspaces, ['task-a'])
    await importInto(to, path, { warn })
    assert.deepEqual((await readdir(to.volumeRoot)).includes('sandboxes/task-a'), false)
    assert.deepEqual(await readdir(join(to.volumeRoot, 'sandboxes')), [])
    calls = 0
    await assert.rejects(exportFrom(from, path), /at work on task-a/)
  })

  it('has no folder of another namespace on the same volume', async () => {
    await fill(from)
    const { files } = await exportFrom(from, path)
    const mark = formatOwner({ uid: 'other', namespace: 'other', name: 'theirs', task: 'other' })
    await write(from, 'executions/theirs-1/owner', mark)
    await write(from, 'executions/theirs-1/agent/stdout.log', 'theirs')
    await write(from, 'sandboxes/theirs.owner', mark)
    await write(from, 'sandboxes/theirs/home/login', 'theirs')
    assert.equal((await exportFrom(from, path)).files, files)
    await importInto(to, path)
    for (const folder of ['executions', 'sandboxes'])
      assert.doesNotMatch((await readdir(join(to.volumeRoot, folder))).join(), /theirs/)
  })

  it('brings a sparse file along with its holes, in a few kilobytes', async () => {
    await write(from, 'drops/sparse', 'begin')
    const sparse = await open(join(from.volumeRoot, 'drops/sparse'), 'r+')
    await sparse.write('middle', 20 * 2 ** 20 + 5)
    await sparse.truncate(40 * 2 ** 20 + 3)
    await sparse.close()
    const { bytes } = await exportFrom(from, path)
    assert.equal(bytes, 40 * 2 ** 20 + 3)
    assert.ok((await stat(path)).size < 100_000)
    await importInto(to, path)
    assert.deepEqual(await contentsOf(to), await contentsOf(from))
    assert.ok((await stat(join(to.volumeRoot, 'drops/sparse'))).blocks * 512 < 2 ** 20)
  })

  it('is made at once where an agent left a sparse file of 200 GiB, which a warning names', async () => {
    await fill(from)
    const { files } = await exportFrom(from, path)
    await write(from, 'sandboxes/task-a/repo/disk.img', '')
    const sparse = await open(join(from.volumeRoot, 'sandboxes/task-a/repo/disk.img'), 'r+')
    await sparse.truncate(200 * 2 ** 30)
    await sparse.close()
    const warnings: string[] = []
    assert.equal((await exportFrom(from, path, { warn: (text) => warnings.push(text) })).files, files)
    assert.deepEqual(warnings, [
      'sandboxes/task-a/repo/disk.img is not in the backup: it has 200 GiB, more than --max-file-size lets through',
    ])
    await importInto(to, path)
  })

  it('has nothing that is being deleted, nor what that owns', async () => {
    await fill(from)
    const finalizers = ['example.com/hold']
    const task = await given(from, TASKS, aTask({ name: 'going', metadata: { finalizers } }))
    const owned = { ownerReferences: ownedBy(task) }
    await given(from, EXECUTIONS, anExecution({ name: 'going-1', metadata: owned, status: { state: 'COMPLETED' } }))
    await from.client.delete(TASKS, { namespace: from.namespace, name: 'going' })
    await exportFrom(from, path)
    await importInto(to, path)
    const names = (await objectsOf(to)).map(({ metadata }) => metadata.name)
    assert.deepEqual(
      names.filter((name) => name.startsWith('going')),
      [],
    )
    assert.ok(names.includes('task-a-1'))
  })
})
