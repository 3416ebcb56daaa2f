/** Two namespaces of one control plane with a volume each, and what a backup has to bring from one to the other. */
import assert from 'node:assert/strict'
import { createWriteStream, readdirSync, readFileSync, lstatSync, readlinkSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type ExportOptions, exportBackup } from '../../../cli/backup/export.ts'
import { type Imported, type ImportOptions, importBackup } from '../../../cli/backup/import.ts'
import { contentOf, replaceUids, statusContent } from '../../../core/backup/objects.ts'
import { isJsonObject } from '../../../core/json.ts'
import { acceptanceEvent } from '../../../core/story/events.ts'
import { toTimestamp } from '../../../core/time.ts'
import { formatOwner, parseOwner } from '../../../core/execution/owner.ts'
import {
  AGENTS,
  EPICS,
  EXECUTIONS,
  OUR_RESOURCES,
  PROJECTS,
  SECRETS,
  STORIES,
  STORY_EVENTS,
  TASKS,
} from '../../../kube/resources.ts'
import type { KubeClient, KubeObject, Resource } from '../../../kube/types.ts'
import type { End } from '../../../lib/backup/format.ts'
import { openBackup } from '../../../lib/backup/read.ts'
import { openArchive } from '../../../lib/archive/archive.ts'
import { aProject, aStory, aTask, anAgent, anExecution } from '../../helpers/build.ts'
import type { TestControlPlane } from '../../helpers/control-plane.ts'

export interface Place {
  readonly client: KubeClient
  readonly namespace: string
  readonly volumeRoot: string
}

export async function makePlace({
  client,
  makeNamespace,
}: Pick<TestControlPlane, 'client' | 'makeNamespace'>): Promise<Place> {
  return { client, namespace: await makeNamespace(), volumeRoot: await mkdtemp(join(tmpdir(), 'slipway-backup-')) }
}

export const removePlace = ({ volumeRoot }: Place): Promise<void> => rm(volumeRoot, { recursive: true, force: true })

/** Where a backup comes from and where it goes, and a folder outside of both for its file. */
export interface Places {
  readonly from: Place
  readonly to: Place
  readonly outside: string
  /** Of the backup. */
  readonly path: string
  remove(): Promise<void>
}

export async function makePlaces(controlPlane: TestControlPlane): Promise<Places> {
  const [from, to] = [await makePlace(controlPlane), await makePlace(controlPlane)]
  const outside = await mkdtemp(join(tmpdir(), 'slipway-outside-'))
  return {
    from,
    to,
    outside,
    path: join(outside, 'backup.jsonl.gz'),
    async remove() {
      for (const place of [from, to]) await removePlace(place)
      await rm(outside, { recursive: true, force: true })
    },
  }
}

export function exportFrom(place: Place, path: string, options: Partial<ExportOptions> = {}): Promise<End> {
  return exportBackup({
    ...place,
    sink: createWriteStream(path),
    version: '0.1.0',
    now: new Date('2026-11-25T12:00:00Z'),
    hasSecrets: false,
    hasWorkspaces: true,
    allowsRunning: false,
    maxFileBytes: 2 ** 32,
    warn: (text) => assert.fail(text),
    signal: new AbortController().signal,
    ...options,
  })
}

export async function importInto(place: Place, path: string, options: Partial<ImportOptions> = {}): Promise<Imported> {
  const backup = await openBackup(path)
  try {
    return await importBackup({
      ...place,
      backup,
      skipsExisting: false,
      withoutOperator: async (begin, write) => {
        await begin()
        await write()
      },
      warn: (text) => assert.fail(text),
      signal: new AbortController().signal,
      ...options,
    })
  } finally {
    await backup.handle.close()
  }
}

/** Creates an object in the place, and writes its status. */
export async function given<T extends KubeObject>(place: Place, resource: Resource<T>, object: T): Promise<T> {
  const { uid: _, ...metadata } = { ...object.metadata, namespace: place.namespace }
  const made = await place.client.create(resource, { ...object, metadata })
  const { status }: KubeObject & { readonly status?: unknown } = object
  return status === undefined ? made : place.client.replaceStatus(resource, { ...made, status })
}

export const ownedBy = ({ apiVersion = '', kind = '', metadata }: KubeObject) => [
  { apiVersion, kind, name: metadata.name, uid: metadata.uid ?? '', controller: true, blockOwnerDeletion: true },
]

export async function write(place: Place, path: string, content: string | Buffer): Promise<void> {
  const file = join(place.volumeRoot, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, content, { mode: 0o640 })
}

/** Something of every kind, of every folder, and what must not come along. */
export async function fill(place: Place): Promise<void> {
  const { volumeRoot, namespace } = place
  await given(place, AGENTS, anAgent({ status: { conditions: [] } }))
  await given(place, PROJECTS, aProject({ metadata: { labels: { team: 'shop' } } }))
  await given(place, EPICS, {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Epic',
    metadata: { name: 'epic-a' },
    spec: { title: 'An epic' },
  })
  const accepted = { at: '2026-11-25T00:00:00Z', by: 'ada' }
  const story = await given(
    place,
    STORIES,
    aStory({ metadata: { annotations: { note: 'zwölf' } }, status: { accepted } }),
  )
  const event = acceptanceEvent(story)
  assert.ok(event)
  await given(place, STORY_EVENTS, event)
  const status = {
    state: 'READY',
    execution: 'task-a-1',
    executions: 1,
    observedGeneration: 1,
    workspace: 'sandboxes/task-a',
  } as const
  const task = await given(place, TASKS, aTask({ spec: { runPolicy: 'Auto', storyId: 'story-a' }, status }))
  const finalizers = ['slipway.dev/cleanup']
  const execution = await given(
    place,
    EXECUTIONS,
    anExecution({ metadata: { ownerReferences: ownedBy(task), finalizers }, status: { state: 'COMPLETED', jobs: 1 } }),
  )
  const query = `evaluate-${(story.metadata.uid ?? '').replaceAll('-', '')}-1-first1`
  await given(
    place,
    EXECUTIONS,
    anExecution({
      name: query,
      metadata: { ownerReferences: ownedBy(story) },
      spec: { purpose: 'Evaluate' },
      // An operator removes queries that ended long ago.
      status: { state: 'COMPLETED', finishedAt: toTimestamp(new Date()) },
    }),
  )
  const labels = { 'slipway.dev/usable-by': 'agent' }
  await given(place, SECRETS, { metadata: { name: 'key', labels }, type: 'Opaque', data: { key: 'c2VjcmV0' } })
  const mark = { uid: execution.metadata.uid ?? '', namespace, name: 'task-a-1', task: task.metadata.uid ?? '' }
  await write(place, 'executions/task-a-1/owner', formatOwner(mark))
  await write(place, 'executions/task-a-1/agent/stdout.log', 'Grüße\n')
  await write(place, `executions/${query}/agent/answer.json`, '{}')
  await write(place, 'sandboxes/task-a.owner', formatOwner({ uid: task.metadata.uid ?? '', namespace, name: 'task-a' }))
  await write(place, 'sandboxes/task-a/repo/.git/objects/pack', Buffer.from([0, 1, 255, 254, 195]))
  await symlink('../../../../etc/passwd', join(volumeRoot, 'sandboxes/task-a/repo/link'))
  await write(place, 'drops/page.html', '')
  await write(place, 'mirrors/a/HEAD', 'not in it')
  const past = {
    archivedAt: '2026-11-24T00:00:00Z',
    task: aTask({ name: 'past', metadata: { namespace } }),
    executions: [],
  }
  await openArchive(volumeRoot).add(past)
  await utimes(join(volumeRoot, 'drops/page.html'), 1000, 1000)
}

/** Everything that a backup has to bring, as it is to be equal on both sides. @param uids of `place` to those of the other one */
export async function contentsOf(place: Place, uids: ReadonlyMap<string, string> = new Map()): Promise<string[]> {
  const objects = await objectsOf(place)
  const shown = objects.map((object) => {
    const { status } = object
    return replaceUids(JSON.stringify({ ...contentOf({ ...object }), status: statusContent(status) }, inOrder), uids)
  })
  return [
    ...shown,
    ...filesOf(place.volumeRoot, '').map((line) => replaceUids(line, uids).replaceAll(place.namespace, '<ns>')),
  ].toSorted()
}

/** Uids of the objects of one place to those of the other. */
export async function matchUids(from: Place, to: Place): Promise<Map<string, string>> {
  const uids = new Map<string, string>()
  const there = await objectsOf(to)
  for (const { kind, metadata } of await objectsOf(from)) {
    const name = replaceUids(metadata.name, uids)
    const match = there.find((object) => object.kind === kind && object.metadata.name === name)
    assert.ok(match, `${kind} ${name} is missing`)
    uids.set(metadata.uid ?? '', match.metadata.uid ?? '')
  }
  return uids
}

type Shown = KubeObject & { readonly kind: string; readonly status?: unknown }

export async function objectsOf({ client, namespace }: Place): Promise<Shown[]> {
  const lists = await Promise.all(
    OUR_RESOURCES.map(async (resource) =>
      (await client.list(resource, { namespace })).items.map((object) => ({ ...object, kind: resource.kind })),
    ),
  )
  return lists.flat()
}

function filesOf(root: string, path: string): string[] {
  return readdirSync(join(root, path)).flatMap((name) => {
    const below = path === '' ? name : `${path}/${name}`
    if (below === 'mirrors' || below === 'belongs') return []
    const at = join(root, below)
    const stat = lstatSync(at)
    if (stat.isDirectory()) return [`${below} ${stat.mode.toString(8)}`, ...filesOf(root, below)]
    if (stat.isSymbolicLink()) return [`${below} -> ${readlinkSync(at)}`]
    const isMark = below.endsWith('owner')
    const content = isMark ? JSON.stringify(parseOwner(readFileSync(at, 'utf8'))) : readFileSync(at).toString('base64')
    return [`${below} ${stat.mode.toString(8)} ${isMark ? '' : Math.trunc(stat.mtimeMs)} ${content}`]
  })
}

/** For JSON.stringify: each API server has an order of its own for fields. */
function inOrder(_: string, value: unknown): unknown {
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value
}
