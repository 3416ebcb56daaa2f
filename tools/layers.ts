import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { format } from 'prettier'

/** Which folders each source folder may import from, besides itself. A new folder must be entered here first. */
export const LAYERS: Readonly<Record<string, readonly string[]>> = {
  core: [],
  lib: ['core'],
  kube: ['core', 'lib'],
  operator: ['core', 'lib', 'kube'],
  'api-server': ['core', 'lib', 'kube'],
  runner: ['core', 'lib'],
  node: ['lib', 'kube'],
  embedded: ['lib'],
  web: ['core'],
  cli: ['core', 'lib', 'kube', 'operator', 'api-server', 'runner', 'node', 'embedded', 'web'],
  tools: ['core', 'lib'],
  // The measurements of the UI start the same browser and installation as its tests.
  bench: ['core', 'lib', 'kube', 'operator', 'api-server', 'runner', 'node', 'embedded', 'web', 'cli', 'test'],
  test: ['core', 'lib', 'kube', 'operator', 'api-server', 'runner', 'node', 'embedded', 'web', 'cli', 'tools', 'bench'],
}

/** Folders that may import every program, so that the linter has nothing to refuse beyond tests and tools. */
export const UNRESTRICTED: readonly string[] = ['test', 'bench']

/** Folders of which the parts of one level may import one another: the kinds of the domain refer to each other. */
export const OPEN: readonly string[] = ['core']

/**
 * What stands on what inside a folder, from the top: folders, and files by their names. Each imports only what stands
 * below it; those of one level never import one another, but for {@link OPEN}.
 */
export const LEVELS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  core: [
    ['rest', 'kinds', 'query'],
    (
      'agent answer backup environment execution prompts review schema stats story task transcript webhook attention.ts conditions.ts ' +
      'decision.ts decision-event.ts errors.ts four-eyes.ts notify.ts script-parameters.ts spent-actions.ts typed-commands.ts'
    ).split(' '),
    ['sentences'],
    (
      'crd bidi-controls.ts crd-field.ts deep-freeze.ts drop-name.ts enum-values.ts hash-text.ts ids.ts json.ts money.ts multi-map.ts names.ts omit.ts ' +
      'ordered-set.ts quantity.ts reconnect.ts redact-urls.ts shell.ts text.ts time.ts trim.ts'
    ).split(' '),
  ],
  'api-server': [
    ['main.ts'],
    ['app.ts'],
    ['http'],
    ['handlers'],
    ['checkout', 'drops', 'logs', 'streams', 'push', 'approval', 'queries', 'scripts', 'webhook'],
    ['live'],
    ['commands'],
    ['deployment'],
    ['records'],
    ['auth'],
    ['context.ts'],
    ['cache'],
    ['metrics.ts', 'refusal.ts'],
  ],
  runner: [
    ['start.ts'],
    ['main.ts'],
    ['steps'],
    ['checks'],
    ['environment'],
    ['adapters', 'deliveries'],
    ['agent', 'hosts'],
    ['git'],
    ['failure.ts', 'full-volume.ts', 'limits.ts', 'redact.ts', 'result-file.ts', 'run-spec.ts'],
    ['context.ts', 'validate.ts', 'validators.ts'],
  ],
  web: [
    ['app', 'index.html', 'tsconfig.json'],
    ['features'],
    ['components', 'api'],
    ['model'],
    ['styles'],
    ['public'],
    ['assets.d.ts'],
  ],
}

/** What parts of a folder may not import beside that, by their paths. */
const MORE: Readonly<Record<string, readonly object[]>> = {
  'web/features/*': [{ regex: '^\\.\\./[^.]', message: 'a feature never imports another one' }],
  'web/components': [{ group: ['@tanstack/react-query'], message: 'a component is given its data' }],
  'web/model': [{ regex: '^[^.]', message: 'the model is pure: it imports core and itself' }],
}

interface Override {
  readonly files: readonly string[]
  readonly rules: Readonly<Record<string, unknown>>
}

/** .oxlintrc.json with the rules of the layers and levels in the place of those that it has; all else is by hand. */
export function renderLintConfig(root: string): Promise<string> {
  const config: { overrides: Override[] } = JSON.parse(readFileSync(join(root, '.oxlintrc.json'), 'utf8'))
  const others = config.overrides.filter(({ rules }) => rules[RULE] === undefined)
  const folders = Object.keys(LAYERS).filter((folder) => !UNRESTRICTED.includes(folder))
  const overrides = [
    ...folders.flatMap((folder) => [restrict([`${folder}/**/*.{ts,tsx}`], layerPatterns(folder)), ...toLevels(folder)]),
    ...others,
  ]
  return format(JSON.stringify({ ...config, overrides }), { parser: 'json', printWidth: 120 })
}

const RULE = 'no-restricted-imports'

function restrict(files: readonly string[], patterns: readonly object[]): Override {
  return { files, rules: { [RULE]: ['error', { patterns }] } }
}

function layerPatterns(folder: string): readonly object[] {
  const allowed = LAYERS[folder] ?? []
  const forbidden = Object.keys(LAYERS).filter((other) => other !== folder && !allowed.includes(other))
  const message = `${folder}/ may import only: ${allowed.join(', ') || 'nothing of ours'} (see docs/architecture.md)`
  return [
    { regex: `^(\\.\\./)+(${forbidden.join('|')})/`, message },
    ...(folder === 'kube'
      ? []
      : [{ group: ['@kubernetes/client-node'], message: 'only kube/ talks to @kubernetes/client-node' }]),
    ...(folder === 'core'
      ? [{ group: ['*', '!typebox', '!./**', '!../**'], message: 'core/ imports typebox and itself only' }]
      : []),
    ...(folder === 'web' ? [{ regex: '^node:', message: 'web/ runs in a browser' }] : []),
  ]
}

/** The last override that fits a file counts, so each level says what its folder may not import either. */
function toLevels(folder: string): Override[] {
  const levels = LEVELS[folder] ?? []
  const parts = levels.flatMap((all, level) =>
    [all.filter(isFile), all.filter((unit) => !isFile(unit))].map((units) => ({ units, level })),
  )
  return parts.flatMap(({ units, level }) => {
    const files = units.map((unit) => (isFile(unit) ? `${folder}/${unit}` : `${folder}/${unit}/**/*.{ts,tsx}`))
    // Within its own folder a file imports by ./ alone, so that a level may forbid all that stands on it.
    const forbidden = levels
      .slice(0, OPEN.includes(folder) ? level : level + 1)
      .flat()
      .map(toPattern)
    if (units.length === 0 || forbidden.length === 0) return []
    const regex = `^${units.some(isFile) ? '\\./' : '(\\.\\./)+'}(${forbidden.join('|')})`
    const message = `${units.join(', ')} may import only what stands below (see docs/architecture.md)`
    // First, because oxlint looks at nothing more once a group lets an import pass.
    const patterns = [{ regex, message }, ...layerPatterns(folder)]
    const strict = Object.entries(MORE).filter(([path]) => units.some((unit) => path.startsWith(`${folder}/${unit}`)))
    const stricter = strict.map(([path, more]) => restrict([`${path}/**/*.{ts,tsx}`], [...patterns, ...more]))
    return [restrict(files, patterns), ...stricter]
  })
}

function isFile(unit: string): boolean {
  return unit.endsWith('.ts')
}

function toPattern(unit: string): string {
  return isFile(unit) ? `${unit.replace('.', '\\.')}$` : `${unit}/`
}
