import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { describeApi } from '../../core/rest/openapi/document.ts'
import { ROUTES } from '../../core/rest/routes.ts'
import { toStoredFile } from '../records/stored-files.ts'
import { type Representation, entityTag, shortHash } from '../records/representation.ts'
import type { VersionRecord } from '../../core/rest/records/server.ts'
import type { Handlers } from './handler.ts'

export interface DocumentParts {
  readonly version: VersionRecord
  /** Absolute path of the files of the page at /api/docs, as the build put them together. */
  readonly apiDocsFolder: string
}

/** An hour: they change with the version of the server only. */
const CACHING = { 'Cache-Control': 'public, max-age=3600' }

/** The API's own documentation. */
export function documentHandlers({ version, apiDocsFolder }: DocumentParts) {
  let document: Representation<never> | undefined
  const asset = async (name: string) => ({
    status: 200 as const,
    body: await toStoredFile(await open(join(apiDocsFolder, name))),
    headers: CACHING,
  })
  return {
    // Made at the first request: a start would pay for it.
    getOpenApiDocument: async () => ({ status: 200, body: (document ??= printDocument(version.version)) }),
    getDocsPage: () => asset('page.html'),
    getDocsPageScript: () => asset('page.js'),
    getDocsRenderer: () => asset('swagger-ui.js'),
    getDocsStyle: () => asset('swagger-ui.css'),
  } satisfies Partial<Handlers>
}

function printDocument(version: string): Representation<never> {
  const json = JSON.stringify(describeApi(ROUTES, { version }))
  return { json: Buffer.from(json), etag: entityTag(shortHash(json)) }
}
