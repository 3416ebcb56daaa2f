import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')
const START = 'docs/README.md'
const FENCE = /^ *(`{3,}|~{3,})[^]*?^ *\1 *$/gm

/** What people look for first, as docs/README.md names it, and the guide that it leads to. */
const LOOKED_FOR: Readonly<Record<string, string>> = {
  'with an API key': 'first-agent-api-key.md',
  'with a login': 'first-agent-login.md',
  'A private repository': 'private-repository.md',
  'Time-out, budget, retry': 'limits.md',
  'Never review red work': 'never-review-red-work.md',
  'Two agents at once': 'two-agents.md',
  'What it cost this month': 'costs.md',
  'Told on the phone': 'phone.md',
  'GitHub CI failures become tasks': 'ci-failures.md',
  'MCP servers': 'mcp-servers.md',
  'A database for tests': 'test-database.md',
  'npm, pnpm, Yarn': 'npm.md',
  Python: 'python.md',
  'Go and Rust': 'go.md',
  'a monorepo': 'monorepo.md',
  'Several people, one server': 'several-people.md',
}

describe('the pages', () => {
  const pages = readPages()

  it('have every heading and file that their relative links lead to', () => {
    const anchors = new Map([...pages].map(([path, text]) => [path, new Set(anchorsOf(text))]))
    const broken = [...pages].flatMap(([path, text]) =>
      linksOf(text)
        .filter(({ target }) => !isReached(path, target, anchors))
        .map(({ target }) => `${path}: ${target}`),
    )
    assert.deepEqual(broken, [])
  })

  it('are all reached from docs/README.md', () => {
    const reached = new Set([START])
    for (const path of reached) {
      for (const { target } of linksOf(pages.get(path) ?? '')) reached.add(resolve(path, target).path)
    }
    const docs = [...pages.keys()].filter((path) => path.startsWith('docs/'))
    const folders = [...reached].filter((path) => path.startsWith('docs/') && !path.endsWith('.md'))
    const lost = docs.filter((path) => !reached.has(path) && !folders.includes(dirname(path)))
    assert.deepEqual(lost, [])
  })

  it('of what people look for first are one click away from docs/README.md', () => {
    const links = linksOf(pages.get(START) ?? '')
    const found = Object.keys(LOOKED_FOR).map((text) => [text, links.find((link) => link.text === text)?.target])
    const wanted = Object.entries(LOOKED_FOR).map(([text, file]) => [text, `guides/${file}`])
    assert.deepEqual(found, wanted)
  })

  it('of docs/guides are all among what people look for first', () => {
    assert.deepEqual(readdirSync(join(ROOT, 'docs', 'guides')).sort(), Object.values(LOOKED_FOR).sort())
  })
})

/** Every page of the repository by its path; prompts and what tests read are no pages. */
function readPages(): Map<string, string> {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '*.md'], {
    cwd: ROOT,
    encoding: 'utf8',
  }).split('\0')
  return new Map(
    listed
      .filter((path) => path !== '' && !/^(prompts|test)\//.test(path) && existsSync(join(ROOT, path)))
      .map((path) => [path, readFileSync(join(ROOT, path), 'utf8').replaceAll(FENCE, '')]),
  )
}

interface Link {
  readonly text: string
  readonly target: string
}

/** Links that lead into the repository. A code span keeps its text, for it may be that of a link. */
function linksOf(markdown: string): Link[] {
  return [...markdown.matchAll(/\[((?:[^\][]|\[[^\][]*\])*)\]\(([^)\s]+)\)/g)]
    .map(([, text = '', target = '']) => ({ text: text.replaceAll(/\s+/g, ' '), target }))
    .filter(({ target }) => !/^[a-z]+:/.test(target))
}

function resolve(from: string, target: string): { readonly path: string; readonly anchor: string | undefined } {
  const [path = '', anchor] = target.split('#')
  return { path: path === '' ? from : relative(ROOT, join(ROOT, dirname(from), path)), anchor }
}

function isReached(from: string, target: string, anchors: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const { path, anchor } = resolve(from, target)
  if (!existsSync(join(ROOT, path))) return false
  return anchor === undefined || anchors.get(path)?.has(anchor) === true
}

/** As GitHub makes them of headings: a second one of the same name gets `-1`. */
function anchorsOf(markdown: string): string[] {
  const counts = new Map<string, number>()
  const headings = [...markdown.matchAll(/^#{1,6} (.+?)(?: #+)?$/gm)].map(([, text = '']) => {
    const slug = slugOf(text)
    const count = counts.get(slug) ?? 0
    counts.set(slug, count + 1)
    return count === 0 ? slug : `${slug}-${count}`
  })
  const given = [...markdown.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, id = '']) => id)
  return [...headings, ...given]
}

function slugOf(heading: string): string {
  const text = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')
}
