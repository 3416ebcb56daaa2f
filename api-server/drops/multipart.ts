/**
 * Files of a multipart/form-data body (RFC 7578) as streams, with the back-pressure of whoever takes them: what is held
 * in memory does not grow with a file.
 *
 * The first failure, whoever meets it, ends everything: no more is parsed, the streams that are being taken are
 * destroyed, and the call rejects once their takers are done, so that these can remove what they have begun.
 */
import { type Readable, finished } from 'node:stream'
import { type BusboyInstance, Busboy } from '@fastify/busboy'
import { type ApiError, apiError } from '../../core/errors.ts'
import { messageOf } from '../../lib/error-message.ts'

export interface MultipartBody {
  /** As sent, with its boundary. */
  readonly contentType: string
  readonly stream: Readable
}

export interface FilePart {
  /** Not judged yet: it may be empty, or a path. */
  readonly filename: string
  readonly content: Readable
}

export interface MultipartRule {
  /** The only field that is read; any other is refused. */
  readonly field: string
  readonly maxFiles: number
  readonly maxFileBytes: number
}

/** Memory for one file on its way; more of it means fewer system calls. */
export const BUFFER_BYTES = 256 * 1024

/**
 * Hands each file to `take` as it arrives; resolves when all are taken and the body has ended.
 *
 * @throws ApiError `invalid_request` for a body that is malformed, ends early, or holds anything but files in the one field
 * @throws ApiError `payload_too_large` naming the file that is
 * @throws whatever `take` throws
 */
export async function takeFiles(
  body: MultipartBody,
  rule: MultipartRule,
  take: (part: FilePart) => Promise<void>,
): Promise<void> {
  const parser = createParser(body, rule)
  const takers: Promise<void>[] = []
  const contents: Readable[] = []
  try {
    await new Promise<void>((resolve, reject) => {
      parser.on('file', (field, content, filename) => {
        contents.push(content)
        content.on('error', reject)
        content.on('limit', () => reject(apiError('payload_too_large', rule.maxFileBytes, `${rule.field} ${filename}`)))
        const problem = field === rule.field ? undefined : unknownField(field)
        const taken = problem === undefined ? take({ filename, content }) : Promise.reject(problem)
        takers.push(taken)
        taken.catch(reject)
      })
      parser.on('field', (field) => reject(field === rule.field ? withoutName(field) : unknownField(field)))
      parser.on('filesLimit', () =>
        reject(apiError('invalid_request', `${rule.field}: at most ${rule.maxFiles} at once`)),
      )
      parser.on('error', (error) => reject(malformed(error)))
      parser.on('finish', resolve)
      finished(body.stream, { writable: false }, (error) => error && reject(malformed(error)))
      body.stream.pipe(parser)
    })
    await Promise.all(takers)
  } catch (error) {
    body.stream.unpipe(parser)
    for (const content of contents) content.destroy()
    await Promise.allSettled(takers)
    throw error
  }
}

function createParser({ contentType }: MultipartBody, { maxFiles, maxFileBytes }: MultipartRule): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: { files: maxFiles, fileSize: maxFileBytes, fields: 1, fieldSize: 1024, headerPairs: 100 },
      fileHwm: BUFFER_BYTES,
      // A path is refused by whoever judges the name, not quietly cut down to its last segment.
      preservePath: true,
    })
  } catch (error) {
    // All that it looks at by now is the content type: the boundary is missing or too long.
    throw malformed(error)
  }
}

function unknownField(field: string | undefined): ApiError {
  return apiError('invalid_request', `${field ?? ''}: unknown field`)
}

function withoutName(field: string): ApiError {
  return apiError('invalid_request', `${field}: needs a filename`)
}

function malformed(cause: unknown): ApiError {
  const reason = messageOf(cause)
  return apiError('invalid_request', `malformed multipart body: ${reason}`).causedBy(cause)
}
