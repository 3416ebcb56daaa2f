/**
 * The browser UI, as the build put it together: files under the names that the build gave them, and its page for every
 * other address that a browser asks for, so that a link into the UI works.
 *
 * The files need no token and no caches: they hold nothing of anybody's, and tell a person that the server is starting.
 */
import { open, readdir, readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { Middleware, ParameterizedContext } from 'koa'
import { parseObject } from '../../../core/json.ts'
import { ifThere } from '../../../lib/files.ts'
import { toStoredFile } from '../../records/stored-files.ts'
import { sendFile } from './send.ts'
import type { RequestState } from './state.ts'

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
}

/** Forms in which the build keeps a file, by their names in `Accept-Encoding`, the smallest first. */
const ENCODINGS = { br: '.br', gzip: '.gz' } as const

/** What an asset's name changes with; the page and what it names unhashed are asked about each time. */
const HASHED = /^\/assets\//
const FOR_EVER = 'public, max-age=31536000, immutable'
const ASK_EACH_TIME = 'no-cache'

/** Addresses that are no views: they have answers of their own, also when they are misspelt. */
const NOT_UI = /^\/+(api|healthz|readyz)(\/|$)/i

const PAGE = '/index.html'

const NOT_BUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Slipway</title>
<p>The browser UI of this checkout is not built. Run <code>npm run build</code>, and load this page again.</p>
<p>The API works: <a href="/api/docs">/api/docs</a>.</p></html>
`

/** @param folder absolute; where the build puts the UI */
export function ui(folder: string): Middleware<RequestState> {
  let names: Promise<ReadonlySet<string>> | undefined
  const list = (): Promise<ReadonlySet<string>> => {
    const listed = listFiles(folder)
    // One that failed is not kept: the next request lists anew.
    listed.catch(() => (names = undefined))
    return (names = listed)
  }
  return async (ctx, next) => {
    if ((ctx.method !== 'GET' && ctx.method !== 'HEAD') || NOT_UI.test(ctx.path)) return next()
    // Read at the first request, and again for what is not known: somebody may have built anew.
    let known = await (names ?? list())
    if (!known.has(PAGE) || (HASHED.test(ctx.path) && !known.has(ctx.path))) known = await list()
    if (known.has(ctx.path) && (await isThere(join(folder, ctx.path))))
      return send(ctx, folder, { name: ctx.path, known })
    if (ctx.path !== '/' && !asksForPage(ctx)) return next()
    if (!known.has(PAGE)) return sendNotBuilt(ctx)
    const link = await preloadLink(folder, ctx.path)
    if (link !== '') ctx.set('Link', link)
    return send(ctx, folder, { name: PAGE, known })
  }
}

/** A browser that opens an address names HTML; a program that takes anything does not mean the page. */
function asksForPage(ctx: ParameterizedContext<RequestState>): boolean {
  return ctx.get('Accept').includes('text/html') && !HASHED.test(ctx.path)
}

/** Whether a build since the last list has left the file. */
async function isThere(path: string): Promise<boolean> {
  return (await ifThere(stat(path))) !== undefined
}

async function listFiles(folder: string): Promise<ReadonlySet<string>> {
  const entries = (await ifThere(readdir(folder, { recursive: true, withFileTypes: true }))) ?? []
  const files = entries.filter((entry) => entry.isFile())
  return new Set(files.map((entry) => join(entry.parentPath, entry.name).slice(folder.length)))
}

interface UiFile {
  /** As the address has it, with its slash. */
  readonly name: string
  readonly known: ReadonlySet<string>
}

async function send(ctx: ParameterizedContext<RequestState>, folder: string, { name, known }: UiFile): Promise<void> {
  ctx.set('Cache-Control', HASHED.test(name) ? FOR_EVER : ASK_EACH_TIME)
  ctx.vary('Accept, Accept-Encoding')
  const encodings = Object.entries(ENCODINGS).filter(([, suffix]) => known.has(`${name}${suffix}`))
  const accepted = ctx.acceptsEncodings(...encodings.map(([encoding]) => encoding), 'identity')
  const [encoding, suffix = ''] = encodings.find(([offered]) => offered === accepted) ?? []
  const file = await toStoredFile(await open(join(folder, `${name}${suffix}`)))
  if (encoding !== undefined) ctx.set('Content-Encoding', encoding)
  ctx.status = 200
  await sendFile(ctx, file, CONTENT_TYPES[extname(name)] ?? 'application/octet-stream')
}

function sendNotBuilt(ctx: ParameterizedContext<RequestState>): void {
  ctx.status = 503
  ctx.set('Cache-Control', ASK_EACH_TIME)
  ctx.set('Content-Type', 'text/html; charset=utf-8')
  ctx.body = NOT_BUILT
}

/**
 * The files that a view's first picture needs, as the build has listed them, for the header `Link` of the page: so a
 * browser loads all of them at once, and not each when the one before it has run.
 *
 * The header for the page at a path (RFC 8288; HTML's `modulepreload` and `preload`); empty where no view is known there.
 * The list is read each time, since somebody may have built anew.
 *
 * @param folder absolute; where the build puts the UI, with the list beside the page
 */
async function preloadLink(folder: string, path: string): Promise<string> {
  const asked = toSegments(path)
  const fitting = Object.entries(await readList(folder)).filter(([pattern]) => isMatch(toSegments(pattern), asked))
  // An address that is spelt out goes before a pattern that fits it too: `/tasks/new` before `/tasks/$taskId`.
  const [, files] = fitting.find(([pattern]) => !pattern.includes('$')) ?? fitting[0] ?? []
  const names = Array.isArray(files) ? files.filter((name) => typeof name === 'string') : []
  return names.map((name) => `<${name}>; ${kindOf(name)}`).join(', ')
}

/** As the page itself asks for it: else it would be loaded twice. A script beside the assets is no module. */
function kindOf(name: string): string {
  if (name.endsWith('.css')) return 'rel=preload; as=style; crossorigin'
  return name.startsWith('/assets/') ? 'rel=modulepreload; crossorigin' : 'rel=preload; as=script'
}

/** By the pattern of a view's address its files; empty for a build without the list, whose page loads as it can. */
async function readList(folder: string): Promise<Readonly<Record<string, unknown>>> {
  const text = await ifThere(readFile(join(folder, 'preload.json'), 'utf8'))
  return text === undefined ? {} : parseObject(text)
}

function toSegments(path: string): readonly string[] {
  return path.split('/').filter((segment) => segment !== '')
}

function isMatch(pattern: readonly string[], asked: readonly string[]): boolean {
  return pattern.length === asked.length && pattern.every((part, n) => part.startsWith('$') || part === asked[n])
}
