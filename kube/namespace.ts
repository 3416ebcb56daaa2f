import type { Namespace } from './builtin.ts'
import { NAMESPACES } from './resources.ts'
import { type KubeClient, isForbidden } from './types.ts'

interface Reader {
  readonly client: Pick<KubeClient, 'find'>
}

/** metadata.uid of a Namespace, which another control plane gives another; undefined without the right to read it. */
export async function findNamespaceUid(reader: Reader, name: string): Promise<string | undefined> {
  return (await findNamespace(reader, name))?.metadata.uid
}

/** Undefined without the right to read it, too. */
export async function findNamespace({ client }: Reader, name: string): Promise<Namespace | undefined> {
  try {
    return await client.find(NAMESPACES, { name })
  } catch (error) {
    if (isForbidden(error)) return undefined
    throw error
  }
}
