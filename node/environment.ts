/** A container's variables, command and arguments, resolved as a kubelet resolves them; pure. */
import type { Container, EnvVar, Pod } from '../kube/builtin.ts'
import { ContainerConfigError, ContainerRefused } from './errors.ts'

/** Decoded contents of the Secrets and ConfigMaps that a pod names, by object name; absent ones do not exist. */
export interface Contents {
  readonly secrets: ReadonlyMap<string, ReadonlyMap<string, Uint8Array>>
  readonly configMaps: ReadonlyMap<string, ReadonlyMap<string, Uint8Array>>
}

type Variables = Readonly<Record<string, string>>

/**
 * `envFrom`, then `env` in order; a value may refer to what stands before it.
 *
 * @throws ContainerConfigError a Secret, ConfigMap or key is missing and not optional
 * @throws ContainerRefused a field reference that this node does not know
 */
export function resolveEnvironment(pod: Pod, container: Container, contents: Contents, base: Variables): Variables {
  const variables: Record<string, string> = { ...base, ...allKeys(container, contents) }
  for (const variable of container.env ?? []) {
    const value = valueOf(pod, variable, contents, variables)
    if (value !== undefined) variables[variable.name] = value
  }
  return variables
}

/** The command line, variables expanded. @throws ContainerRefused the container names no command */
export function resolveCommand(container: Container, variables: Variables): string[] {
  const words = [...(container.command ?? []), ...(container.args ?? [])].map((word) => expand(word, variables))
  if (container.command === undefined || words.length === 0) {
    throw new ContainerRefused(
      `container ${container.name} has no command: this node runs programs of its machine, not of an image`,
    )
  }
  return words
}

/** `$(NAME)` becomes the variable's value, `$$(NAME)` stays `$(NAME)`, an unknown name stays as it is. */
export function expand(text: string, variables: Variables): string {
  return text.replaceAll(/\$\$|\$\(([^)]*)(\))?/g, (whole, name?: string, end?: string) => {
    if (name === undefined) return '$'
    // Without an end there is none in all that follows: it is taken at once, not looked through for each `$(` in it.
    if (end === undefined) return whole.replaceAll('$$', '$')
    return Object.hasOwn(variables, name) ? (variables[name] ?? whole) : whole
  })
}

function allKeys(container: Container, contents: Contents): Variables {
  const found: Record<string, string> = {}
  for (const { prefix = '', secretRef, configMapRef } of container.envFrom ?? []) {
    const [kind, ref] =
      secretRef === undefined ? (['configmap', configMapRef] as const) : (['secret', secretRef] as const)
    if (ref === undefined) continue
    const values = (kind === 'secret' ? contents.secrets : contents.configMaps).get(ref.name)
    if (values === undefined && ref.optional !== true) throw new ContainerConfigError(`${kind} "${ref.name}" not found`)
    for (const [key, value] of values ?? []) found[`${prefix}${key}`] = text(value)
  }
  return found
}

function valueOf(pod: Pod, variable: EnvVar, contents: Contents, before: Variables): string | undefined {
  const from = variable.valueFrom
  if (from === undefined) return expand(variable.value ?? '', before)
  if (from.fieldRef !== undefined) return fieldOf(pod, from.fieldRef.fieldPath)
  const [kind, ref] =
    from.secretKeyRef === undefined
      ? (['ConfigMap', from.configMapKeyRef] as const)
      : (['Secret', from.secretKeyRef] as const)
  if (ref === undefined)
    throw new ContainerRefused(`variable ${variable.name}: this source of a value is not supported`)
  const values = (kind === 'Secret' ? contents.secrets : contents.configMaps).get(ref.name)
  const value = values?.get(ref.key)
  if (value !== undefined) return text(value)
  if (ref.optional === true) return undefined
  throw new ContainerConfigError(
    values === undefined
      ? `${kind.toLowerCase()} "${ref.name}" not found`
      : `couldn't find key ${ref.key} in ${kind} ${pod.metadata.namespace ?? ''}/${ref.name}`,
  )
}

const FIELDS: Readonly<Record<string, (pod: Pod) => string | undefined>> = {
  'metadata.name': ({ metadata }) => metadata.name,
  'metadata.namespace': ({ metadata }) => metadata.namespace,
  'metadata.uid': ({ metadata }) => metadata.uid,
  'spec.nodeName': ({ spec }) => spec.nodeName,
  'spec.serviceAccountName': ({ spec }) => spec.serviceAccountName,
  'status.hostIP': () => '127.0.0.1',
  'status.podIP': () => '127.0.0.1',
}

function fieldOf(pod: Pod, path: string): string {
  const entry = /^metadata\.(labels|annotations)\['([^']+)'\]$/.exec(path)
  const [, map, key] = entry ?? []
  if (map !== undefined && key !== undefined) {
    return (map === 'labels' ? pod.metadata.labels : pod.metadata.annotations)?.[key] ?? ''
  }
  const read = FIELDS[path]
  if (read === undefined) throw new ContainerRefused(`fieldRef ${path} is not supported`)
  return read(pod) ?? ''
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8')
}
