import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import type { GitSetting } from '../../lib/git.ts'
import type { GitUrl } from '../../lib/git-url.ts'

/**
 * Lets git trust the authorities of a project beside the usual ones, at this one host (http.<url>.sslCAInfo). Git takes
 * one file in place of its own list, so the usual ones are in it too: Mozilla's, as Node brings them.
 *
 * @param tmp the step's own folder
 */
export async function trustSettings(url: GitUrl, caBundle: string | undefined, tmp: string): Promise<GitSetting[]> {
  if (caBundle === undefined || url.protocol !== 'https') return []
  const file = join(tmp, 'git-authorities.pem')
  await writeFile(file, `${[...rootCertificates, caBundle].join('\n')}\n`, { mode: 0o600 })
  return [[`http.https://${url.host}/.sslCAInfo`, file]]
}
