/** The drop directory: its list, and uploads whose progress can be seen and which can be stopped. */
import { formatSize } from '../../core/sentences/amounts.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { isErrorCode, ERROR_HEADER } from '../../core/errors.ts'
import { asRecord, parseJson } from '../../core/json.ts'
import { ApiFailure } from '../../core/rest/client/call.ts'
import { OPERATIONS } from '../../core/rest/client/operations.ts'
import { MAX_DROP_BYTES } from '../../core/rest/limits.ts'
import { api } from './client.ts'
import { queryClient } from './queries.ts'

const dropsOptions = queryOptions({
  queryKey: ['drops'],
  queryFn: ({ signal }) => api.listDrops({ query: { limit: 1_000 } }, { signal }),
})

const REFRESH_MS = 15_000

/** Agents write there too, and nothing tells of it. */
export function useDrops() {
  return useQuery({ ...dropsOptions, staleTime: 0, refetchInterval: REFRESH_MS, structuralSharing: true })
}

export function readDropsAgain(): void {
  void queryClient.invalidateQueries(dropsOptions)
}

/** Where a file is downloaded; the server sends it as an attachment. */
export function dropPath(name: string): string {
  return OPERATIONS.getDrop.path.replace('{filename}', encodeURIComponent(name))
}

export interface UploadOptions {
  readonly signal: AbortSignal
  /** @param sent bytes, of `file.size` */
  readonly onProgress: (sent: number) => void
}

/**
 * Uploads one file in a request of its own, so that a refusal is about that file alone. By XMLHttpRequest and not by the
 * typed client, because fetch does not tell how much of a body was sent.
 *
 * @throws ApiFailure in the server's words; DOMException AbortError; Error where the connection broke
 */
export function uploadDrop(file: File, { signal, onProgress }: UploadOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const { method, path } = OPERATIONS.uploadDrops
    const request = new XMLHttpRequest()
    const body = new FormData()
    body.append('file', file)
    request.open(method, path)
    request.upload.onprogress = ({ loaded }) => onProgress(Math.min(loaded, file.size))
    request.onload = () => (request.status < 400 ? resolve() : reject(toFailure(request)))
    request.onerror = () =>
      reject(
        new Error(`The connection broke. If the file is larger than ${formatSize(MAX_DROP_BYTES)}, it is refused.`),
      )
    request.onabort = () => reject(new DOMException('stopped', 'AbortError'))
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(body)
  })
}

function toFailure(request: XMLHttpRequest): ApiFailure {
  const code = request.getResponseHeader(ERROR_HEADER) ?? ''
  const { error } = asRecord(parseJson(request.responseText))
  const message = typeof error === 'string' ? error : request.responseText
  return new ApiFailure(request.status, isErrorCode(code) ? code : undefined, message)
}
