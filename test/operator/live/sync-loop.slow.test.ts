/**
 * A GitOps tool that applies one folder again and again through the whole life of a task: each decision is a commit, is
 * taken once, and the loop itself writes nothing.
 */
import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { asRecord } from '../../../core/json.ts'
import { omit } from '../../../core/omit.ts'
import { IS_CLUSTER } from '../../helpers/control-plane.ts'
import { needKubectl } from '../../helpers/kubectl.ts'
import { makeRemote } from '../../helpers/repository.ts'
import { until } from '../../helpers/until.ts'
import { type LiveProgram, startLiveProgram } from './program.ts'

/** Asks once; what it pushed then says that it has asked. */
const SCRIPT = `[ -e answer.txt ] && { echo again > again.txt; exit 0; }
if [ -n "\${SERVICE_ANSWER:-}" ]; then echo "$SERVICE_ANSWER" > answer.txt; exit 0; fi
echo '{"text":"Tabs or spaces?","options":["tabs","spaces"]}' > "$SERVICE_QUESTION_FILE"`

type Annotations = Readonly<Record<string, string>>

/** The life of a task: what each commit says of it, and the state that this leads to. */
const COMMITS: readonly (readonly [string, Annotations, string])[] = [
  ['run', {}, 'BLOCKED'],
  ['answer', { answer: 'spaces' }, 'READY'],
  ['reject', { comment: 'tabs, please' }, 'PENDING'],
  // Its spec names an agent for the first run alone.
  ['run', { agent: 'codemods' }, 'READY'],
  ['accept', {}, 'COMPLETED'],
]

const VARIANTS = [
  { name: 'client-side', flags: [] },
  { name: 'server-side', flags: ['--server-side', '--field-manager=sync'] },
] as const

describe('a loop that applies the same folder', function () {
  let live: LiveProgram
  let remote: string
  before(async function () {
    await needKubectl(this)
    live = await startLiveProgram()
    remote = makeRemote(live.folder, { 'README.md': '# Sample\n' }).path
  })
  after(() => live?.end())

  for (const { name, flags } of VARIANTS) {
    describe(`(${name} apply)`, () => {
      before(function () {
        // The embedded control plane applies client-side alone, and says so.
        if (name === 'server-side' && !IS_CLUSTER) this.skip()
      })

      const folder = (): string => join(live.folder, name)
      const id = (part: string): string => `${part}-${name}`
      const commit = (annotations: Annotations): Promise<void> =>
        writeCommit(folder(), live.namespace, remote, id, annotations)
      const apply = (): Promise<string> => live.kubectl('apply', ...flags, '-k', folder())
      const diff = (): Promise<string> => live.kubectl.diff(...flags, '-k', folder())
      const objects = async (): Promise<Record<string, unknown>[]> => {
        const { items } = await live.kubectl.json('get', '-k', folder())
        assert.ok(Array.isArray(items))
        return items.map(asRecord)
      }
      const stateOf = async (task: string): Promise<unknown> => {
        const found = (await objects()).find(({ metadata }) => asRecord(metadata)['name'] === id(task))
        return asRecord(found?.['status'])['state'] ?? 'PENDING'
      }
      /** Applies until a state is reached; from the first time on the loop finds nothing to write. */
      const syncUntil = async (state: string): Promise<void> => {
        await apply()
        const first = (await objects()).map(written)
        await until(`the task is ${state}`, async () => {
          if (name === 'client-side') assert.doesNotMatch(await apply(), /configured|created/)
          else await apply()
          // While an execution runs, its status may change between the two requests of a diff.
          await until('nothing differs', async () => (await diff()) === '')
          assert.deepEqual((await objects()).map(written), first)
          return (await stateOf('asks')) === state
        })
      }

      it('writes nothing through a whole life of a task, and each decision is taken once', async () => {
        await commit({})
        await syncUntil('PENDING')
        for (const [i, [action, more, state]] of COMMITS.entries()) {
          const annotations = Object.entries({ action, 'action-id': `commit-${i}`, ...more })
          const values = annotations.map(([key, value]) => [`slipway.dev/${key}`, key === 'agent' ? id(value) : value])
          await commit(Object.fromEntries(values))
          await syncUntil(state)
        }
        await until('its dependent is READY', async () => (await stateOf('follows')) === 'READY')
        // The operator notes now and then what a project takes on the disk.
        let settled = await objects()
        await until('an apply leaves all as it is, resourceVersion and managedFields included', async () => {
          settled = await objects()
          await apply()
          return isDeepStrictEqual(await objects(), settled)
        })
        assert.equal(await diff(), '')
        const { status } = asRecord(settled.find(({ metadata }) => asRecord(metadata)['name'] === id('asks')))
        const { decisions, spentActions, executions } = asRecord(status)
        const actions = COMMITS.map(([action]) => action)
        assert.deepEqual(actionsOf(decisions), actions)
        assert.deepEqual(actionsOf(spentActions), actions)
        assert.equal(executions, 3)
        const refused = await live.kubectl('get', 'events', '--field-selector=reason=ActionRefused', '-o', 'name')
        assert.equal(refused, '')
      })

      it('takes back an edit over REST of what the folder names, and leaves one of what it does not name', async () => {
        const edit = async (body: object): Promise<void> => {
          const url = new URL(`/api/tasks/${id('follows')}`, live.program.url)
          const headers = { 'Content-Type': 'application/json' }
          const response = await fetch(url, { method: 'PUT', headers, body: JSON.stringify(body) })
          assert.equal(response.status, 200, await response.clone().text())
          assert.match(response.headers.get('Warning') ?? '', /the next sync may undo this edit/)
        }
        const spec = async (): Promise<unknown[]> => {
          const found = (await objects()).find(({ metadata }) => asRecord(metadata)['name'] === id('follows'))
          const { title, priority } = asRecord(found?.['spec'])
          return [title, priority]
        }
        await edit({ priority: 3 })
        assert.equal(await diff(), '')
        await edit({ name: 'Renamed' })
        if (name === 'client-side') {
          assert.match(await diff(), /^-\s+title: Renamed$/m)
          await apply()
        } else {
          // As Flux and Argo CD do by themselves.
          await assert.rejects(apply(), /conflict with "slipway-api-server".*: \.spec\.title/)
          await live.kubectl('apply', ...flags, '--force-conflicts', '-k', folder())
        }
        assert.deepEqual([await spec(), await diff()], [['Follows', 3], ''])
      })
    })
  }

  it('server-side is refused by the embedded control plane, with the way out', async function () {
    if (IS_CLUSTER) this.skip()
    const folder = join(live.folder, 'refused')
    await writeCommit(folder, live.namespace, remote, (part) => `${part}-refused`, {})
    const applying = live.kubectl('apply', '--server-side', '-k', folder)
    await assert.rejects(applying, /server-side apply/i)
  })
})

function actionsOf(list: unknown): unknown[] {
  assert.ok(Array.isArray(list))
  return list.map((one) => asRecord(one)['action'])
}

/** What of an object an apply may write: everything but status, and what managers of status and others own. */
function written(object: Readonly<Record<string, unknown>>): unknown {
  const metadata = asRecord(object['metadata'])
  const { managedFields = [] } = metadata
  assert.ok(Array.isArray(managedFields))
  const ours = managedFields.filter((entry) => asRecord(entry)['subresource'] !== 'status')
  const kept = { ...omit(metadata, ['resourceVersion']), managedFields: ours }
  return { ...omit(object, ['status']), metadata: kept }
}

/** A folder in the form of examples/gitops: what is there, and a patch with the latest decision. */
async function writeCommit(
  folder: string,
  namespace: string,
  remoteUrl: string,
  id: (part: string) => string,
  annotations: Annotations,
): Promise<void> {
  const make = (kind: string, name: string, spec: object, metadata: object = {}): object => ({
    apiVersion: 'slipway.dev/v1alpha1',
    kind,
    metadata: { name: id(name), ...metadata },
    spec,
  })
  const agent = { type: id('codemods'), instructions: SCRIPT }
  const story = { 'slipway.dev/action': 'move', 'slipway.dev/status': 'BACKLOG', 'slipway.dev/action-id': 'first' }
  const undrain = { 'slipway.dev/action': 'undrain', 'slipway.dev/action-id': 'first' }
  const common = { project: id('shop'), storyId: id('cart') }
  const objects = [
    make('Project', 'shop', { title: 'Shop', remoteUrl }),
    make('Agent', 'codemods', { adapter: 'script', classifier: { enabled: false } }, { annotations: undrain }),
    make('Story', 'cart', { title: 'One cart', projectId: id('shop') }, { annotations: story }),
    make('Task', 'asks', { title: 'Asks', ...common, agent }),
    make('Task', 'follows', {
      title: 'Follows',
      ...common,
      runPolicy: 'Auto',
      dependsOn: [id('asks')],
      agent: { type: id('codemods'), instructions: 'true' },
    }),
  ]
  const kustomization = {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    namespace,
    resources: ['objects.yaml'],
    patches: [
      {
        target: { kind: 'Task', name: id('asks') },
        patch: stringify({
          apiVersion: 'slipway.dev/v1alpha1',
          kind: 'Task',
          metadata: { name: id('asks'), annotations },
        }),
      },
    ],
  }
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'objects.yaml'), objects.map((object) => stringify(object)).join('---\n'))
  await writeFile(join(folder, 'kustomization.yaml'), stringify(kustomization))
}
