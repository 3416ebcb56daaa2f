/** The files that a person is uploading, as the view shows them: pure. Each is a request of its own. */

/** One file on its way. */
export interface Upload {
  readonly id: number
  readonly file: File
  readonly sentBytes: number
  /** `asks`: a drop has its name, and the server would replace it. */
  readonly phase: 'asks' | 'waiting' | 'sending' | 'stored' | 'failed' | 'stopped'
  /** Why it failed, in the server's words. */
  readonly problem?: string
}

export type UploadEvent =
  | {
      readonly kind: 'chosen'
      readonly files: readonly File[]
      readonly firstId: number
      readonly taken: ReadonlySet<string>
    }
  | { readonly kind: 'sends'; readonly id: number }
  | { readonly kind: 'progress'; readonly id: number; readonly sentBytes: number }
  | { readonly kind: 'ended'; readonly id: number; readonly phase: 'stored' | 'stopped' }
  | { readonly kind: 'failed'; readonly id: number; readonly problem: string }
  | { readonly kind: 'again'; readonly id: number }
  | { readonly kind: 'forgotten'; readonly ids: ReadonlySet<number> }

/** Requests under way at a time: more would only share the same line. */
const MAX_SENDING = 2

/** The uploads after an event. */
export function afterEvent(uploads: readonly Upload[], event: UploadEvent): readonly Upload[] {
  const change = (id: number, changed: Partial<Upload>): readonly Upload[] =>
    uploads.map((upload) => (upload.id === id ? { ...upload, ...changed } : upload))
  switch (event.kind) {
    case 'chosen':
      return [
        ...uploads,
        ...event.files.map((file, index): Upload => ({
          id: event.firstId + index,
          file,
          sentBytes: 0,
          phase: event.taken.has(file.name) ? 'asks' : 'waiting',
        })),
      ]
    case 'sends':
      return change(event.id, { phase: 'sending', sentBytes: 0 })
    case 'progress':
      return change(event.id, { sentBytes: event.sentBytes })
    case 'ended':
      return change(event.id, { phase: event.phase })
    case 'failed':
      return change(event.id, { phase: 'failed', problem: event.problem })
    case 'again':
      return change(event.id, { phase: 'waiting' })
    case 'forgotten':
      return uploads.filter(({ id }) => !event.ids.has(id))
    default:
      return event satisfies never
  }
}

/** The files to send now, in the order in which they were chosen; of two files of one name the second waits. */
export function nextToSend(uploads: readonly Upload[]): readonly Upload[] {
  const sending = uploads.filter(({ phase }) => phase === 'sending')
  const names = new Set(sending.map(({ file }) => file.name))
  const next: Upload[] = []
  for (const upload of uploads) {
    if (upload.phase !== 'waiting' || names.has(upload.file.name)) continue
    if (sending.length + next.length >= MAX_SENDING) break
    names.add(upload.file.name)
    next.push(upload)
  }
  return next
}

/** Ids of what has ended, however it did. */
export function endedUploads(uploads: readonly Upload[]): ReadonlySet<number> {
  const ended = uploads.filter(({ phase }) => phase === 'stored' || phase === 'failed' || phase === 'stopped')
  return new Set(ended.map(({ id }) => id))
}
