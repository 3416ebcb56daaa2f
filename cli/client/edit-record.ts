/**
 * Edits a record as kubectl does: its writable fields in the person's editor, then one PUT of what changed, with the
 * version that was read as If-Match. What the server refuses comes back into the editor with the reason above the text.
 *
 * What was typed is never lost: the file goes when the server has taken it or nothing was changed, and in every other
 * case its path is printed. If somebody else has changed the record, the person's own changes are sent again only when
 * they say so; they stay a patch of what was read first, so fields that only the other one changed are left alone.
 */
import { type JsonObject, asRecord } from '../../core/json.ts'
import { ApiFailure } from '../../core/rest/client/call.ts'
import { toMergePatch } from '../../core/rest/edit.ts'
import type { Terminal } from '../command.ts'
import { formatChanges, formatEdit, parseEdit, pickWritable, UnreadableEdit, withRefusal } from './edit-text.ts'
import type { EditedFile } from './editor.ts'
import type { Session } from './session.ts'

export interface EditOptions {
  readonly session: Pick<Session, 'transport'>
  readonly terminal: Terminal
  readonly signal: AbortSignal
  /** The record's path, with `{id}` in it. */
  readonly path: string
  readonly id: string
  /** Names the record for a person. */
  readonly title: string
  readonly writable: readonly string[]
  /** Opened when the record has been read. */
  readonly open: () => Promise<EditedFile>
}

export type EditOutcome =
  | { readonly kind: 'saved'; readonly record: object; readonly fields: readonly string[] }
  | { readonly kind: 'unchanged' }
  /** The person gave up; what they typed is in a file that has been named. */
  | { readonly kind: 'kept' }

interface Seen {
  readonly fields: JsonObject
  readonly tag: string | undefined
}

/** @throws ApiFailure, ServerUnreachable what is no fault of the text, after the file has been named */
export async function editRecord(options: EditOptions): Promise<EditOutcome> {
  const seen = await read(options)
  const file = await options.open()
  let isKept = false
  try {
    const outcome = await editInFile(options, seen, file, () => (isKept = true))
    if (outcome.kind !== 'kept') isKept = false
    return outcome
  } finally {
    if (isKept) options.terminal.err(`What you typed is in ${file.path}\n`)
    else await file.remove()
  }
}

/** @param onTyped when something is in the file that must not be lost */
async function editInFile(
  options: EditOptions,
  first: Seen,
  file: EditedFile,
  onTyped: () => void,
): Promise<EditOutcome> {
  let { tag } = first
  let latest = first.fields
  const original = formatEdit(options.title, first.fields, options.writable)
  let text = original
  for (;;) {
    const typed = await editText(file, text, onTyped)
    if (typed === text) return text === original ? { kind: 'unchanged' } : { kind: 'kept' }
    try {
      const patch = toMergePatch(first.fields, typed.trim() === '' ? first.fields : parseEdit(typed))
      const fields = Object.keys(patch)
      if (fields.length === 0) return { kind: 'unchanged' }
      return { kind: 'saved', record: await put(options, patch, tag), fields }
    } catch (error) {
      if (!isAboutText(error)) throw error
      let reason = error.message
      if (error instanceof ApiFailure && error.status === 412) {
        const now = await read(options)
        reason = [reason, formatChanges(latest, now.fields)].join('\n')
        tag = now.tag
        latest = now.fields
      }
      text = withRefusal(typed, reason)
    }
  }
}

/** What a failing editor has left in the file is kept, too. */
async function editText(file: EditedFile, text: string, onTyped: () => void): Promise<string> {
  const typed = await file.edit(text).catch(async (error: unknown) => {
    onTyped()
    throw error
  })
  if (typed !== text) onTyped()
  return typed
}

/** Refusals that the person can mend in the editor. */
function isAboutText(error: unknown): error is ApiFailure | UnreadableEdit {
  const refusals: readonly unknown[] = [400, 409, 412, 413, 422]
  return error instanceof UnreadableEdit || (error instanceof ApiFailure && refusals.includes(error.status))
}

async function read({ session, path, id, writable, signal }: EditOptions): Promise<Seen> {
  let tag: string | undefined
  const onHeaders = (headers: Headers): void => {
    tag = headers.get('ETag') ?? undefined
  }
  const record = asRecord(await session.transport.json({ method: 'GET', path, params: { id } }, { signal, onHeaders }))
  return { fields: pickWritable(record, writable), tag }
}

function put({ session, path, id, signal }: EditOptions, body: object, ifMatch: string | undefined): Promise<object> {
  return session.transport.json({ method: 'PUT', path, params: { id }, body, ifMatch }, { signal })
}
