import { NAMESPACES } from './resources.ts'
import type { KubeClient } from './types.ts'
import { isForbidden } from './types.ts'

/** metadata.uid of a Namespace, which another control plane gives another; undefined without the right to read it. */
export async function findNamespaceUid(
  { client }: { readonly client: Pick<KubeClient, 'find'> },
  name: string,
): Promise<string | undefined> {
  try {
    return (await client.find(NAMESPACES, { name }))?.metadata.uid
  } catch (error) {
    if (isForbidden(error)) return undefined
    throw error
  }
}
