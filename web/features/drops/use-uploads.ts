import { useEffect, useReducer, useRef } from 'react'
import { readDropsAgain, uploadDrop } from '../../api/drops.ts'
import { useUnsaved } from '../../api/unsaved.ts'
import { messageOf } from '../../model/texts.ts'
import { type Upload, afterEvent, endedUploads, nextToSend } from './uploads.ts'

export interface Uploads {
  readonly uploads: readonly Upload[]
  /** @param taken names that drops have already */
  choose(files: readonly File[], taken: ReadonlySet<string>): void
  /** Sends it, after a question or a failure. */
  send(id: number): void
  stop(upload: Upload): void
  /** Takes what has ended off the page. */
  forgetEnded(): void
}

const STOPS_UPLOADS = {
  title: 'Leave and stop the uploads?',
  text: 'What is being sent stops with this page.',
}

/** Sends the chosen files, a few at a time; they are stopped when the page goes elsewhere. */
export function useUploads(): Uploads {
  const [uploads, tell] = useReducer(afterEvent, [])
  const requests = useRef(new Map<number, AbortController>())
  const lastId = useRef(0)

  useEffect(() => {
    const running = requests.current
    const send = async ({ id, file }: Upload): Promise<void> => {
      const request = new AbortController()
      running.set(id, request)
      tell({ kind: 'sends', id })
      try {
        await uploadDrop(file, {
          signal: request.signal,
          onProgress: (sentBytes) => tell({ kind: 'progress', id, sentBytes }),
        })
        tell({ kind: 'ended', id, phase: 'stored' })
        readDropsAgain()
      } catch (error) {
        if (request.signal.aborted) tell({ kind: 'ended', id, phase: 'stopped' })
        else tell({ kind: 'failed', id, problem: messageOf(error) })
      } finally {
        running.delete(id)
      }
    }
    for (const upload of nextToSend(uploads)) if (!running.has(upload.id)) void send(upload)
  }, [uploads])

  useUnsaved(
    uploads.some(({ phase }) => phase === 'waiting' || phase === 'sending'),
    STOPS_UPLOADS,
  )
  useEffect(() => {
    const running = requests.current
    return () => running.forEach((request) => request.abort())
  }, [])

  return {
    uploads,
    choose(files, taken) {
      tell({ kind: 'chosen', files, firstId: lastId.current + 1, taken })
      lastId.current += files.length
    },
    send: (id) => tell({ kind: 'again', id }),
    stop({ id, phase }) {
      if (phase === 'sending') requests.current.get(id)?.abort()
      else tell({ kind: 'ended', id, phase: 'stopped' })
    },
    forgetEnded: () => tell({ kind: 'forgotten', ids: endedUploads(uploads) }),
  }
}
