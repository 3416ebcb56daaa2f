/** What package-lock.json says of one package, as far as this needs it. */
interface LockedPackage {
  readonly version?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  /** npm installs them too, unless they are optional. */
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
  /** Whether only development needs the package; false once something that ships needs it. */
  readonly dev?: boolean
}

type Locked = Readonly<Record<string, LockedPackage>>

/** The part of a lock file that some packages need. */
export interface LockedPart {
  /** By path, as in the lock file; those for other platforms too. */
  readonly packages: Locked
  /** The named packages, each with its exact version. */
  readonly dependencies: Readonly<Record<string, string>>
}

/**
 * The named packages of a lock file and all that they need at run time.
 *
 * @throws Error if the lock file lacks one
 */
export function lockPackages(lock: Readonly<Record<string, unknown>>, names: readonly string[]): LockedPart {
  const all: Locked = { ...Object(lock['packages']) }
  const found = new Set<string>()
  for (const name of names) collect(all, name, '', found)
  const entries = Object.entries(all).filter(([path]) => found.has(path))
  const shipped = entries.map(([path, locked]) => [path, withoutDev(locked)] as const)
  const dependencies = names.map((name) => [name, all[`node_modules/${name}`]?.version ?? ''] as const)
  return { packages: Object.fromEntries(shipped), dependencies: Object.fromEntries(dependencies) }
}

function withoutDev(locked: LockedPackage): LockedPackage {
  const { dev: _, ...shipped } = locked
  return shipped
}

function collect(all: Locked, name: string, from: string, found: Set<string>): void {
  const path = find(all, name, from)
  if (found.has(path)) return
  found.add(path)
  const { dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta: meta } = all[path] ?? {}
  const peers = Object.keys(peerDependencies).filter((peer) => meta?.[peer]?.optional !== true)
  for (const needed of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers])
    collect(all, needed, path, found)
}

/** Node's own search: the nearest node_modules, going outwards. */
function find(all: Locked, name: string, from: string): string {
  const path = `${from === '' ? '' : `${from}/`}node_modules/${name}`
  if (all[path] !== undefined) return path
  if (from === '') throw new Error(`package-lock.json has no package ${name}: run npm install`)
  return find(all, name, from.replace(/\/?node_modules\/(@[^/]+\/)?[^/]+$/, ''))
}
