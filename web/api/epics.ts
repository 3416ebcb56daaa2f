/** What people do with epics. */
import type { Epic, Input } from '../../core/rest/client/client.ts'
import { api } from './client.ts'
import { queryClient, store } from './queries.ts'

export type EpicInput = Input<'createEpic'>['body']

/** Creates an epic. @throws ApiFailure that names the fields */
export async function createEpic(body: EpicInput): Promise<string> {
  const epic = await store.readOne('epics', () => api.createEpic({ body }))
  return `${epic.name}: created`
}

/**
 * Changes an epic that is still as the person saw it.
 *
 * @throws ApiFailure that names the fields, or says what has changed meanwhile
 */
export async function updateEpic(seen: EpicVersion, body: Input<'updateEpic'>['body']): Promise<string> {
  const params = { id: seen.epic.id }
  await api.updateEpic({ params, body, ifMatch: seen.etag })
  const epic = await store.readOne('epics', () => api.getEpic({ params }))
  return `${epic.name}: saved`
}

/** An epic as it was read when an edit of it began. */
export interface EpicVersion {
  readonly epic: Epic
  readonly etag: string | undefined
}

/** Reads an epic to be edited. @throws ApiFailure */
export async function readEpicVersion(id: string): Promise<EpicVersion> {
  let etag: string | undefined
  const onHeaders = (headers: Headers): void => {
    etag = headers.get('ETag') ?? undefined
  }
  const epic = await store.readOne('epics', () => api.getEpic({ params: { id } }, { onHeaders }))
  return { epic, etag }
}

/** Deletes an epic that no story refers to. @throws ApiFailure the server's refusal */
export async function deleteEpic({ id, name }: Epic): Promise<string> {
  await api.deleteEpic({ params: { id } })
  await queryClient.invalidateQueries({ queryKey: ['epics'] })
  return `${name}: deleted`
}
