/** What people do with epics. */
import type { Epic, Input } from '../../core/rest/client/client.ts'
import { api } from './client.ts'
import { writeAsSeen } from './decisions.ts'
import { createNamed } from './new-id.ts'
import { queryClient, readWritten, store } from './queries.ts'

export type EpicInput = Input<'createEpic'>['body']

/** Creates an epic. @throws ApiFailure that names the fields */
export async function createEpic(body: EpicInput): Promise<string> {
  const epic = await store.readOne('epics', () =>
    createNamed('epic', body.name, (id) => api.createEpic({ body: { id, ...body } })),
  )
  return `${epic.name}: created`
}

/**
 * Changes an epic that is still as the person saw it; the progress of its stories does not count.
 *
 * @throws ChangedMeanwhile
 * @throws ApiFailure that names the fields
 */
export async function updateEpic(seen: Epic, body: Input<'updateEpic'>['body']): Promise<string> {
  const params = { id: seen.id }
  const { name } = await writeAsSeen('epics', seen, (ifMatch) => api.updateEpic({ params, body, ifMatch }))
  await readWritten('epics', seen.id)
  return `${name}: saved`
}

/** Deletes an epic that no story refers to. @throws ChangedMeanwhile @throws ApiFailure the server's refusal */
export async function deleteEpic(seen: Epic): Promise<void> {
  const params = { id: seen.id }
  await writeAsSeen('epics', seen, (ifMatch) => api.deleteEpic({ params, ifMatch }))
  await queryClient.invalidateQueries({ queryKey: ['epics'] })
}
