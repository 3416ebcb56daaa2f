/**
 * The files that a view's first picture needs, as the build has listed them, for the header `Link` of the page: so a
 * browser loads all of them at once, and not each when the one before it has run.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseObject } from '../../../core/json.ts'
import { ifThere } from '../../../lib/files.ts'

/**
 * The header for the page at a path (RFC 8288; HTML's `modulepreload` and `preload`); empty where no view is known there.
 * The list is read each time, since somebody may have built anew.
 *
 * @param folder absolute; where the build puts the UI, with the list beside the page
 */
export async function preloadLink(folder: string, path: string): Promise<string> {
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
