import type { Pod } from '../kube/builtin.ts'
import { CONFIG_MAPS, SECRETS } from '../kube/resources.ts'
import type { KubeClient } from '../kube/types.ts'
import type { Contents } from './environment.ts'

type Values = ReadonlyMap<string, Uint8Array>

/** Reads every Secret and ConfigMap that a pod names; what does not exist is left out. */
export async function readContents(client: KubeClient, pod: Pod): Promise<Contents> {
  const names = referencedBy(pod)
  const namespace = pod.metadata.namespace
  const secrets = await readAll(names.secrets, async (name) => {
    const secret = await client.find(SECRETS, { namespace, name })
    return secret && decode(secret.data)
  })
  const configMaps = await readAll(names.configMaps, async (name) => {
    const configMap = await client.find(CONFIG_MAPS, { namespace, name })
    if (configMap === undefined) return undefined
    const texts = Object.entries(configMap.data ?? {}).map(([key, value]) => [key, Buffer.from(value)] as const)
    return new Map([...texts, ...decode(configMap.binaryData)])
  })
  return { secrets, configMaps }
}

async function readAll(
  names: ReadonlySet<string>,
  read: (name: string) => Promise<Values | undefined>,
): Promise<Map<string, Values>> {
  const found = new Map<string, Values>()
  for (const name of names) {
    const values = await read(name)
    if (values !== undefined) found.set(name, values)
  }
  return found
}

function decode(base64: Readonly<Record<string, string>> | undefined): Map<string, Uint8Array> {
  return new Map(Object.entries(base64 ?? {}).map(([key, value]) => [key, Buffer.from(value, 'base64')]))
}

interface Names {
  readonly secrets: ReadonlySet<string>
  readonly configMaps: ReadonlySet<string>
}

function referencedBy({ spec }: Pod): Names {
  const containers = [...(spec.initContainers ?? []), ...spec.containers]
  const env = containers.flatMap((container) => container.env ?? [])
  const envFrom = containers.flatMap((container) => container.envFrom ?? [])
  const volumes = spec.volumes ?? []
  const present = (names: readonly (string | undefined)[]): Set<string> =>
    new Set(names.filter((name) => name !== undefined))
  return {
    secrets: present([
      ...env.map(({ valueFrom }) => valueFrom?.secretKeyRef?.name),
      ...envFrom.map(({ secretRef }) => secretRef?.name),
      ...volumes.map(({ secret }) => secret?.secretName),
    ]),
    configMaps: present([
      ...env.map(({ valueFrom }) => valueFrom?.configMapKeyRef?.name),
      ...envFrom.map(({ configMapRef }) => configMapRef?.name),
      ...volumes.map(({ configMap }) => configMap?.name),
    ]),
  }
}
