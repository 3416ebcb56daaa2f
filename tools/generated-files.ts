import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROUTES } from '../core/rest/routes.ts'
import { writeChartValues } from './chart-page.ts'
import { renderEnums } from './crd-data.ts'
import { renderTypes } from './crd-types.ts'
import { type Crd, readCrds } from './crds.ts'
import { writeFields } from './field-pages.ts'
import { renderLintConfig } from './layers.ts'
import { renderOperations } from './operations.ts'
import { renderMessagesPage } from './messages-page.ts'
import { writePromptValues } from './prompt-page.ts'
import { renderTemplates } from './prompt-templates.ts'
import { printRestDocs } from './rest-page.ts'
import { writeRights } from './rights-page.ts'
import { STATE_RULES, writeStateRule } from './state-rules.ts'
import { renderStatesPage } from './states-page.ts'

export interface GeneratedFile {
  /** Relative to the repository's root. */
  readonly path: string
  readonly content: string
}

/** Everything that is generated and in git, from the CRDs, prompts and chart below `root` and the tables of this build; writes nothing. */
export async function renderAll(root: string): Promise<GeneratedFile[]> {
  const crds = readCrds(join(root, 'crds'))
  return [
    ...crds.flatMap((crd) => renderCrd(root, crd)),
    { path: 'core/crd/types.ts', content: await renderTypes(crds) },
    { path: 'core/crd/enums.ts', content: await renderEnums(crds) },
    { path: 'core/prompts/templates.ts', content: await renderTemplates(join(root, 'prompts')) },
    { path: 'docs/states.md', content: renderStatesPage() },
    { path: 'docs/operate/messages.md', content: renderMessagesPage() },
    { path: 'core/rest/client/operations.ts', content: await renderOperations(ROUTES) },
    { path: 'docs/rest.md', content: printRestDocs(ROUTES) },
    { path: '.oxlintrc.json', content: await renderLintConfig(root) },
    ...crds.map((crd) => renderFieldPage(root, crd)),
    { path: PROMPTS_PAGE, content: writePromptValues(readFileSync(join(root, PROMPTS_PAGE), 'utf8')) },
    renderChartPage(root),
    renderInstallerRole(root),
  ]
}

const PROMPTS_PAGE = 'docs/prompts.md'
const CHART = 'charts/slipway'

/** Only CRDs with a rule of ours are written; the others are wholly by hand. */
function renderCrd(root: string, crd: Crd): GeneratedFile[] {
  const path = `crds/${crd.file}`
  return STATE_RULES.filter(({ kind }) => kind === crd.kind).map((rule) => ({
    path,
    content: writeStateRule(readFileSync(join(root, path), 'utf8'), rule),
  }))
}

/** The page is by hand but for its list of fields. */
function renderFieldPage(root: string, crd: Crd): GeneratedFile {
  const path = `docs/resources/${crd.kind.toLowerCase()}.md`
  return { path, content: writeFields(readFileSync(join(root, path), 'utf8'), crd) }
}

function renderChartPage(root: string): GeneratedFile {
  const path = `${CHART}/README.md`
  const [page, values] = [path, `${CHART}/values.yaml`].map((file) => readFileSync(join(root, file), 'utf8'))
  return { path, content: writeRights(writeChartValues(page ?? '', values ?? ''), readRoles(root)) }
}

function readRoles(root: string) {
  const folder = join(root, CHART, 'files', 'roles')
  return readdirSync(folder)
    .sort()
    .map((file) => ({
      account: `slipway-${file.replace('.yaml', '')}`,
      yaml: readFileSync(join(folder, file), 'utf8'),
    }))
}

/** What whoever installs the chart must be able to give: all that its accounts have. */
function renderInstallerRole(root: string): GeneratedFile {
  const note = '# Generated from the roles of the chart slipway: npm run generate\n'
  const ofIdentity =
    '# For identity.kubernetes\n- apiGroups: [authorization.k8s.io]\n  resources: [localsubjectaccessreviews]\n  verbs: [create]\n'
  const rules = readRoles(root).map(({ account, yaml }) => `# ${account}\n${yaml}`)
  return { path: `${CHART}-crds/roles/installer.yaml`, content: `${note}${rules.join('')}${ofIdentity}` }
}

/** Writes the files that differ below `root` and returns their paths. */
export function writeStale(root: string, files: readonly GeneratedFile[]): string[] {
  const stale = findStale(root, files)
  for (const { path, content } of files.filter((file) => stale.includes(file.path))) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  return stale
}

/** Paths of the files below `root` that are missing or differ from what would be generated. */
export function findStale(root: string, files: readonly GeneratedFile[]): string[] {
  return files.filter(({ path, content }) => readIfThere(join(root, path)) !== content).map(({ path }) => path)
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
