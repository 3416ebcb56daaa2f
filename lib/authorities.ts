/** Certificate authorities of the installation, beside those that every program trusts. */
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { AUTHORITIES_VARIABLE, AUTHORITY_VARIABLES } from '../core/execution/steps.ts'
import { ifThere, makeFolder, writeFileAtomic } from './files.ts'
import type { GitSetting } from './git.ts'
import type { GitUrl } from './git-url.ts'

/** The environment that names the installation's authorities, and where the file for git goes. */
export interface Place {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly tmp: string
}

/** The certificates of NODE_EXTRA_CA_CERTS, in PEM. Node itself trusts them; other programs do not. */
async function findAuthorities({ env }: Pick<Place, 'env'>): Promise<string | undefined> {
  const file = env[AUTHORITIES_VARIABLE]
  return file === undefined ? undefined : ifThere(readFile(file, 'utf8'))
}

/** Mozilla's authorities, which few steps of the runner need, and which come with all that Node has of TLS. */
async function rootCertificates(): Promise<readonly string[]> {
  return (await import('node:tls')).rootCertificates
}

/** Mozilla's authorities, the installation's and `bundle`. */
export async function allAuthorities(place: Pick<Place, 'env'>, bundle: string): Promise<string[]> {
  return [...(await rootCertificates()), (await findAuthorities(place)) ?? '', bundle].filter((one) => one !== '')
}

/**
 * Writes Mozilla's authorities, which Node ships, and `bundles` to one file: most programs read such a file instead of
 * their own list.
 */
async function writeAuthorities(file: string, ...bundles: readonly string[]): Promise<void> {
  await makeFolder(dirname(file))
  await writeFileAtomic(file, `${[...(await rootCertificates()), ...bundles].join('\n')}\n`, 0o600)
}

/**
 * Lets git trust authorities beside the usual ones: the installation's, and for this one host (http.<url>.sslCAInfo) the
 * project's too.
 */
export async function trustSettings(
  url: GitUrl,
  caBundle: string | undefined,
  { env, tmp }: Place,
): Promise<GitSetting[]> {
  const installation = await findAuthorities({ env })
  const bundles = [installation, caBundle].filter((bundle) => bundle !== undefined)
  if (bundles.length === 0 || url.protocol !== 'https') return []
  const file = join(tmp, 'git-authorities.pem')
  await writeAuthorities(file, ...bundles)
  return [[caBundle === undefined ? 'http.sslCAInfo' : `http.https://${url.host}/.sslCAInfo`, file]]
}

/** Writes such a file for an agent, if the installation has authorities of its own. */
export async function offerAuthorities(context: Place): Promise<void> {
  const bundle = await findAuthorities(context)
  if (bundle !== undefined) await writeAuthorities(pathIn(context), bundle)
}

/** The variables that lead an agent, and the programs that it starts, to the file. */
export function authorityVariables(context: Place): Record<string, string> {
  if (context.env[AUTHORITIES_VARIABLE] === undefined) return {}
  return Object.fromEntries(AUTHORITY_VARIABLES.map((name) => [name, pathIn(context)]))
}

function pathIn({ tmp }: Place): string {
  return join(tmp, 'authorities.pem')
}
