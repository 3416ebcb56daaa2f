import { ANSWER_SCHEMA_VALUES, DELIVERY_KIND_VALUES, HOST_TYPE_VALUES } from '../core/crd/enums.ts'
import type { HostType } from '../core/crd/types.ts'
import { RUN_SPEC_VARIABLE } from '../core/execution/steps.ts'
import type { RunSpec } from '../core/execution/run-spec.ts'

/** The runner was started with something else than what the operator writes: a bug or a version too old. */
export class BadRunSpec extends Error {
  readonly code = 'BAD_RUN_SPEC'
  override readonly name = 'BadRunSpec'
}

/**
 * Reads the operator's instructions. Written by hand against {@link RunSpec} (whose type it must satisfy), because
 * loading a schema library would cost each of the three steps more than all the rest of its start.
 *
 * @throws BadRunSpec naming the field.
 */
export function readRunSpec(text: string | undefined): RunSpec {
  const root = new Fields(parse(text), RUN_SPEC_VARIABLE)
  if (root.number('schemaVersion') !== 1) throw new BadRunSpec(`${RUN_SPEC_VARIABLE}.schemaVersion must be 1`)
  const agent = new Fields(root.value('agent'), `${RUN_SPEC_VARIABLE}.agent`)
  return {
    schemaVersion: 1,
    task: root.name('task'),
    ...(root.value('sandbox') === undefined ? {} : { sandbox: root.name('sandbox') }),
    execution: root.name('execution'),
    jobNumber: root.number('jobNumber'),
    volumeRoot: root.text('volumeRoot'),
    title: root.text('title'),
    repositoryUrl: root.text('repositoryUrl'),
    branch: root.text('branch'),
    keepClone: root.flag('keepClone'),
    deliverOnly: root.flag('deliverOnly'),
    timeoutSeconds: root.number('timeoutSeconds'),
    maxLogBytes: root.number('maxLogBytes'),
    ...root.optionalTexts([
      'baseBranch',
      'baseCommit',
      'answer',
      'gitCredentialsDir',
      'gitHost',
      'gitHome',
      'gitCaBundle',
    ]),
    ...root.optionalLists(['passEnv']),
    ...root.optionalNumbers(['budgetUSD']),
    ...root.credentialFiles(),
    ...root.answerSchema(),
    ...root.delivery(),
    agent: {
      name: agent.text('name'),
      adapter: agent.text('adapter'),
      ...agent.optionalTexts(['model', 'sessionId']),
      ...agent.optionalLists(['command', 'allowedTools']),
      ...agent.prices(),
    },
  }
}

function parse(text: string | undefined): unknown {
  if (text === undefined) throw new BadRunSpec(`${RUN_SPEC_VARIABLE} is not set: the operator starts the runner`)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new BadRunSpec(`${RUN_SPEC_VARIABLE} is not JSON`, { cause: error })
  }
}

/** The fields of an object that the operator wrote, each checked as it is asked for. @throws BadRunSpec naming the field */
export class Fields {
  readonly #fields: ReadonlyMap<string, unknown>
  readonly #path: string

  constructor(value: unknown, path: string) {
    if (typeof value !== 'object' || value === null) throw new BadRunSpec(`${path} must be an object`)
    this.#fields = new Map(Object.entries(value))
    this.#path = path
  }

  value(key: string): unknown {
    return this.#fields.get(key)
  }

  text(key: string): string {
    const value = this.value(key)
    return typeof value === 'string' ? value : this.#refuse(key, 'a string')
  }

  number(key: string): number {
    const value = this.value(key)
    return typeof value === 'number' && value > 0 ? value : this.#refuse(key, 'a positive number')
  }

  flag(key: string): boolean {
    const value = this.value(key)
    return typeof value === 'boolean' ? value : this.#refuse(key, 'true or false')
  }

  /** A DNS-1123 label: these become path segments. */
  name(key: string): string {
    const value = this.text(key)
    return /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(value) ? value : this.#refuse(key, 'a resource name')
  }

  optionalTexts<const K extends string>(keys: readonly K[]): Partial<Record<K, string>> {
    const found: Partial<Record<K, string>> = {}
    for (const key of keys) if (this.value(key) !== undefined) found[key] = this.text(key)
    return found
  }

  optionalNumbers<const K extends string>(keys: readonly K[]): Partial<Record<K, number>> {
    const found: Partial<Record<K, number>> = {}
    for (const key of keys) if (this.value(key) !== undefined) found[key] = this.number(key)
    return found
  }

  credentialFiles(): Pick<RunSpec, 'credentialFiles'> {
    const files = this.optionalObjects('credentialFiles')
    if (files === undefined) return {}
    return { credentialFiles: files.map((file) => ({ from: file.text('from'), path: file.text('path') })) }
  }

  prices(): Pick<RunSpec['agent'], 'prices'> {
    if (this.value('prices') === undefined) return {}
    const fields = new Fields(this.value('prices'), `${this.#path}.prices`)
    const [inputPerMillion, outputPerMillion] = [fields.price('inputPerMillion'), fields.price('outputPerMillion')]
    const cached = fields.value('cachedInputPerMillion')
    const prices = { inputPerMillion, outputPerMillion }
    if (cached === undefined) return { prices }
    return { prices: { ...prices, cachedInputPerMillion: fields.price('cachedInputPerMillion') } }
  }

  price(key: string): number {
    const value = this.value(key)
    return typeof value === 'number' && value >= 0 ? value : this.#refuse(key, 'an amount of money')
  }

  optionalObjects(key: string): Fields[] | undefined {
    const list: unknown = this.value(key)
    if (list === undefined) return undefined
    if (!Array.isArray(list)) return this.#refuse(key, 'a list')
    return list.map((item: unknown, n) => new Fields(item, `${this.#path}.${key}[${n}]`))
  }

  answerSchema(): Pick<RunSpec, 'answerSchema'> {
    const name = this.value('answerSchema')
    if (name === undefined) return {}
    return { answerSchema: this.#oneOf('answerSchema', name, ANSWER_SCHEMA_VALUES) }
  }

  delivery(): Pick<RunSpec, 'delivery'> {
    const value = this.value('delivery')
    if (value === undefined) return {}
    const fields = new Fields(value, `${this.#path}.delivery`)
    const kind = fields.#oneOf('kind', fields.value('kind'), DELIVERY_KIND_VALUES)
    const texts = fields.optionalTexts(['base', 'title', 'text'])
    return { delivery: { kind, branch: fields.text('branch'), ...fields.#commit(), ...texts, ...fields.#host() } }
  }

  /** It becomes an argument of git. */
  #commit(): { commit?: string } {
    if (this.value('commit') === undefined) return {}
    const commit = this.text('commit')
    return /^[0-9a-f]{40,64}$/.test(commit) ? { commit } : this.#refuse('commit', 'the full hash of a commit')
  }

  #host(): { host?: { type?: HostType; apiUrl?: string } } {
    const value = this.value('host')
    if (value === undefined) return {}
    const fields = new Fields(value, `${this.#path}.host`)
    const type = fields.value('type')
    const named = type === undefined ? {} : { type: fields.#oneOf('type', type, HOST_TYPE_VALUES) }
    return { host: { ...named, ...fields.optionalTexts(['apiUrl']) } }
  }

  #oneOf<const T extends string>(key: string, value: unknown, allowed: readonly T[]): T {
    return allowed.find((one) => one === value) ?? this.#refuse(key, `one of ${allowed.join(', ')}`)
  }

  optionalLists<const K extends string>(keys: readonly K[]): Partial<Record<K, string[]>> {
    const found: Partial<Record<K, string[]>> = {}
    for (const key of keys) if (this.value(key) !== undefined) found[key] = this.#list(key)
    return found
  }

  #list(key: string): string[] {
    const value: unknown = this.value(key)
    const isText = (item: unknown): item is string => typeof item === 'string'
    return Array.isArray(value) && value.every(isText) ? value : this.#refuse(key, 'a list of strings')
  }

  #refuse(key: string, wanted: string): never {
    throw new BadRunSpec(`${this.#path}.${key} must be ${wanted}`)
  }
}
