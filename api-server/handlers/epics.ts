import type { Epic } from '../../core/crd/types.ts'
import { apiError } from '../../core/errors.ts'
import { API_VERSION, LABELS, MANAGED_BY } from '../../core/names.ts'
import { editSpec } from '../../core/rest/edit.ts'
import { toEpicInput, toEpicRecord, toEpicSpec } from '../../core/rest/map/epic.ts'
import type { EpicRecord } from '../../core/rest/records/epic.ts'
import { EpicInput } from '../../core/rest/requests/epic.ts'
import type { ApiContext } from '../context.ts'
import { createEditor, editHeaders } from '../commands/merge-edit.ts'
import { printManifest } from '../records/manifest.ts'
import { BOARD_ORDER, NEWEST_FIRST, newestFirst, sortBy } from '../records/order.ts'
import { paginate } from '../records/pages.ts'
import type { Representation } from '../records/representation.ts'
import { entityTag, joinRepresentations, represent } from '../records/representation.ts'
import { versionOf } from '../cache/versions.ts'
import { changeRecord, createRecord, requireFound } from '../commands/writes.ts'
import type { Preconditions } from '../records/preconditions.ts'
import type { StoryView } from '../records/story-view.ts'
import type { Handlers } from './handler.ts'

/** The themes that stories belong to. */
export function epicHandlers(
  context: ApiContext & { readonly preconditions: Preconditions; readonly stories: StoryView },
) {
  const { client, caches, namespace, makeId, stories } = context
  const all = newestFirst(caches.epics)
  const edit = createEditor(EpicInput)
  const read = async (id: string): Promise<Epic> => requireFound(await caches.epics.read(id), 'epic')
  const toRecord = (epic: Epic): EpicRecord => toEpicRecord(epic, caches.storiesOfEpic(epic.metadata.name))
  const toJson = (epic: Epic): Representation<EpicRecord> => {
    const record = toRecord(epic)
    const { total, done } = record.stories
    return { ...represent(record), etag: entityTag(versionOf(epic), `${total},${done}`) }
  }
  return {
    async listEpics({ query }) {
      const page = paginate(all(), query, NEWEST_FIRST)
      return { status: 200, body: joinRepresentations(page.items.map(toJson)), headers: page.headers('/api/epics') }
    },
    async createEpic({ body }) {
      const { id = makeId('epic'), ...input } = body
      const metadata = { name: id, namespace, labels: { [LABELS.managedBy]: MANAGED_BY } }
      const epic = { apiVersion: API_VERSION, kind: 'Epic', metadata, spec: toEpicSpec(input) } as const
      const created = await createRecord<Epic>(context, caches.epics, 'epic', epic)
      return { status: 201, body: toJson(created), headers: { Location: `/api/epics/${id}` } }
    },
    getEpic: async ({ params }) => ({ status: 200, body: toJson(await read(params.id)) }),
    async updateEpic({ params, body, ifMatch }) {
      const key = { kind: 'epic', id: params.id }
      const { object, result } = await changeRecord(client, caches.epics, key, (epic) => {
        context.preconditions.epic(ifMatch, epic)
        const before = toEpicInput(epic.spec)
        const input = edit(toRecord(epic), before, body)
        const write = input && { ...epic, spec: editSpec(epic.spec, toEpicSpec(before), toEpicSpec(input)) }
        return { write, result: write !== undefined }
      })
      return { status: 200, body: toJson(object), headers: editHeaders('epic', object, result) }
    },
    async deleteEpic({ params, ifMatch }) {
      await changeRecord(client, caches.epics, { kind: 'epic', id: params.id }, (epic) => {
        context.preconditions.epic(ifMatch, epic)
        const users = caches.storiesOfEpic(params.id).map(({ metadata }) => `story ${metadata.name}`)
        if (users.length > 0) throw apiError('in_use', 'epic', params.id, users, ['belongs to it', 'belong to it'])
        return { write: epic, isRemoval: true, result: undefined }
      })
      return { status: 204, body: undefined }
    },
    async listEpicStories({ params, query, caller }) {
      await read(params.id)
      const page = paginate(sortBy(BOARD_ORDER, caches.storiesOfEpic(params.id)), query, BOARD_ORDER)
      return {
        status: 200,
        body: stories.many(page.items, caller),
        headers: page.headers(`/api/epics/${params.id}/stories`),
      }
    },
    async getEpicManifest({ params }) {
      const object = await read(params.id)
      return { status: 200, body: await printManifest(context, { cache: caches.epics, object }) }
    },
  } satisfies Partial<Handlers>
}
