import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { capture } from './commands.ts'
import { lockPackages } from './lock-packages.ts'

/** A package by its name, imported by a file of the UI: no relative path, no file of a package. */
const IMPORTED = /\bfrom '((?:@[\w.-]+\/)?[a-z][\w.-]*)/g

/** The page at /api/docs, whose files the build copies. */
const COPIED = 'swagger-ui-dist'

/** What `npm sbom` prints, as far as this reads it. */
interface Bill {
  readonly metadata: { readonly component: object }
  readonly components: readonly { readonly 'bom-ref': string }[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

/**
 * Writes what ships as a CycloneDX document: of the packages that `npm sbom` lists those that are bundled into programs
 * and UI or installed beside them. What only builds or tests is left out; Debian's packages are listed in the images.
 */
export function writeBillOfMaterials(root: string, file: string, epoch: number): void {
  const { name, version } = readJson(join(root, 'package.json'))
  const kept = new Set([`${String(name)}@${String(version)}`, ...shippedPackages(root)])
  const printed = capture({ cwd: root }, 'npm', 'sbom', '--sbom-format=cyclonedx', '--package-lock-only')
  // Without the random number and the time of the run: the same commit gives the same document.
  const { serialNumber: _, ...all }: Bill & { serialNumber: string } = JSON.parse(printed)
  const bill = {
    ...all,
    // npm takes the name from the folder.
    metadata: { ...all.metadata, timestamp: timeOf(epoch), component: { ...all.metadata.component, name } },
    components: all.components.filter((component) => kept.has(component['bom-ref'])),
    dependencies: all.dependencies
      .filter(({ ref }) => kept.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((needed) => kept.has(needed)) })),
  }
  writeFileSync(file, `${JSON.stringify(bill, undefined, 2)}\n`)
}

/** As `npm sbom` refers to them: `name@version`. */
function shippedPackages(root: string): string[] {
  const { dependencies, devDependencies } = readJson(join(root, 'package.json'))
  const imported = browserPackages(root)
  const inBrowser = Object.keys(Object(devDependencies)).filter((name) => imported.has(name))
  const { packages } = lockPackages(readJson(join(root, 'package-lock.json')), [
    ...Object.keys(Object(dependencies)),
    ...inBrowser,
  ])
  return Object.entries(packages)
    .map(([path, { version }]) => `${path.slice(path.lastIndexOf('node_modules/') + 13)}@${version}`)
    .filter((reference) => !reference.startsWith('@types/'))
}

function browserPackages(root: string): Set<string> {
  const paths = readdirSync(join(root, 'web'), { recursive: true, encoding: 'utf8' })
  const texts = paths
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => readFileSync(join(root, 'web', path), 'utf8'))
  return new Set([COPIED, ...texts.flatMap((text) => [...text.matchAll(IMPORTED)].map(([, name = '']) => name))])
}

function timeOf(epoch: number): string {
  return new Date(epoch * 1000).toISOString()
}

function readJson(path: string): Readonly<Record<string, unknown>> {
  const content: unknown = JSON.parse(readFileSync(path, 'utf8'))
  return { ...Object(content) }
}
