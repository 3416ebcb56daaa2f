/**
 * Which images a task or project may have an agent run in: the agent's credentials are given to that image. Source:
 * docs/specification.md §3.19.
 */
import type { Agent } from '../crd/types.ts'

/** An image reference as registries read it (github.com/distribution/reference), or a pattern of such. */
interface ImageName {
  /** Registry and path, such as `docker.io`, `library`, `node`. */
  readonly parts: readonly string[]
  readonly tag: string | undefined
  readonly digest: string | undefined
}

const DEFAULT_REGISTRY = 'docker.io'

/** Completes what a short name leaves out: `node:24` is `docker.io/library/node:24`. */
function parseImage(reference: string): ImageName {
  const [name = '', digest] = reference.split('@', 2)
  const parts = name.split('/')
  const last = parts.pop() ?? ''
  const colon = last.indexOf(':')
  const [base, tag] = colon < 0 ? [last, undefined] : [last.slice(0, colon), last.slice(colon + 1)]
  return { parts: withRegistry([...parts, base]), tag, digest }
}

function withRegistry(parts: readonly string[]): string[] {
  const [first = '', ...rest] = parts
  // A star alone makes no registry of a name: acme-* means names of the default registry, and nobody's host.
  const namesRegistry = rest.length > 0 && (first === 'localhost' || /[.:A-Z]/.test(first))
  if (namesRegistry || first === '**') return [...parts]
  return [DEFAULT_REGISTRY, ...(rest.length === 0 ? ['library'] : []), ...parts]
}

/**
 * Whether an image is one of a pattern. `*` stands for any text within a part of the name or in the tag, `**` as a part of
 * its own for any number of parts. A pattern without tag and digest takes every one; a tag takes no image that names a
 * digest, because runtimes take the digest then and not the tag.
 */
export function isImageOf(image: string, pattern: string): boolean {
  const [given, wanted] = [parseImage(image), parseImage(pattern)]
  return (
    arePartsOf(given.parts, wanted.parts) &&
    (wanted.tag === undefined || (given.digest === undefined && isTextOf(given.tag ?? 'latest', wanted.tag))) &&
    (wanted.digest === undefined || given.digest === wanted.digest)
  )
}

/** In time of the product of both lengths: which beginnings of `parts` fit the pattern up to here. */
function arePartsOf(parts: readonly string[], pattern: readonly string[]): boolean {
  let fits = parts.map(() => false)
  let fitsNone = true
  for (const wanted of pattern) {
    const before = [fitsNone, ...fits]
    fitsNone = fitsNone && wanted === '**'
    fits = []
    let any = before[0] === true
    for (const [i, part] of parts.entries()) {
      any ||= before[i + 1] === true
      fits.push(wanted === '**' ? any : before[i] === true && isTextOf(part, wanted))
    }
  }
  return parts.length === 0 ? fitsNone : fits.at(-1) === true
}

/** A text between stars must follow the one before it; the earliest place is never worse than a later one. */
function isTextOf(text: string, pattern: string): boolean {
  const pieces = pattern.split('*')
  const [first = ''] = pieces
  if (pieces.length === 1) return text === first
  const last = pieces.at(-1) ?? ''
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false
  let at = first.length
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return at <= text.length - last.length
}

/** Why an agent may not run in an image that a task or project names; undefined when it may. The agent's own always may. */
export function findImageProblem({ metadata, spec }: Agent, image: string | undefined): string | undefined {
  const { allowedImages: allowed, image: own } = spec
  if (image === undefined || image === own || allowed === undefined) return undefined
  if (allowed.some((pattern) => isImageOf(image, pattern))) return undefined
  const list = allowed.length === 0 ? 'none but its own' : allowed.join(', ')
  return `agent ${metadata.name} may not run image ${image}: allowedImages of the agent has ${list}; name another containerImage or agent, or none to run in the agent's own image`
}
