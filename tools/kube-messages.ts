// `node dist/tools/kube-messages.js` writes embedded/protobuf/messages.ts: the numbers and names of the fields of the kinds
// that the embedded control plane reads as protobuf, a line for each message. Their source is Kubernetes' published modules, which Go downloads:
// types and numbers from the .proto files, the names in JSON, pointers and inlined structs from the tags of the Go types.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseObject } from '../core/json.ts'

const VERSION = 'v0.34.4'

/** Folders of a module, by the protobuf package that each one declares. */
const PACKAGES: Readonly<Record<string, readonly [module: string, folder: string]>> = {
  'k8s.io.api.core.v1': ['k8s.io/api', 'core/v1'],
  'k8s.io.api.batch.v1': ['k8s.io/api', 'batch/v1'],
  'k8s.io.api.coordination.v1': ['k8s.io/api', 'coordination/v1'],
  'k8s.io.api.authentication.v1': ['k8s.io/api', 'authentication/v1'],
  'k8s.io.api.authorization.v1': ['k8s.io/api', 'authorization/v1'],
  'k8s.io.apimachinery.pkg.apis.meta.v1': ['k8s.io/apimachinery', 'pkg/apis/meta/v1'],
  'k8s.io.apimachinery.pkg.runtime': ['k8s.io/apimachinery', 'pkg/runtime'],
}

/** Read in a way of their own, each to one JSON value (embedded/protobuf/decode.ts). */
const SPECIAL = /\.(Quantity|IntOrString|Time|MicroTime|FieldsV1)$/

const ROOTS = [
  ...[
    'ConfigMap',
    'Secret',
    'Namespace',
    'ServiceAccount',
    'Event',
    'Node',
    'PersistentVolumeClaim',
    'Pod',
    'Binding',
  ].map((kind) => `k8s.io.api.core.v1.${kind}`),
  'k8s.io.api.batch.v1.Job',
  'k8s.io.api.coordination.v1.Lease',
  'k8s.io.api.authentication.v1.SelfSubjectReview',
  'k8s.io.api.authorization.v1.SelfSubjectAccessReview',
  'k8s.io.api.authorization.v1.SelfSubjectRulesReview',
  'k8s.io.apimachinery.pkg.apis.meta.v1.DeleteOptions',
]

interface Field {
  readonly id: number
  readonly name: string
  readonly type: string
}

const HEADER = `/**
 * The fields of Kubernetes' messages by number: name in JSON, then the type. Of the type, \`*\` means that absent and zero
 * differ, \`[]\` a list, \`{}\` a map from strings, \`^\` fields that stand in the message around it.
 *
 * Written by tools/kube-messages.ts from k8s.io/api and k8s.io/apimachinery ${VERSION}; do not edit.
 */
export const MESSAGES: Readonly<Record<string, Readonly<Record<number, string>>>> = `

function folderOf(module: string): string {
  const answer = execFileSync('go', ['mod', 'download', '-json', `${module}@${VERSION}`], { cwd: tmpdir() })
  return String(parseObject(answer.toString('utf8'))['Dir'])
}

/** Messages of all packages by their full name. */
function readMessages(folders: ReadonlyMap<string, string>): Map<string, Field[]> {
  const messages = new Map<string, Field[]>()
  for (const [name, folder] of folders) {
    const tags = readTags(folder)
    const text = readFileSync(join(folder, 'generated.proto'), 'utf8')
    for (const [, message = '', body = ''] of text.matchAll(/^message (\w+) \{\n(.*?)^\}/gms))
      messages.set(`${name}.${message}`, fieldsOf(name, body, tags.get(message)))
  }
  return messages
}

function fieldsOf(home: string, body: string, tags: ReadonlyMap<number, Tag> | undefined): Field[] {
  const pattern = /^ {2}(optional|repeated|map<string, *([\w.]+)>) *([\w.]*?) *(\w+) = (\d+)/gm
  return [...body.matchAll(pattern)].map(([, label = '', value, type = '', proto = '', id = '']) => {
    const tag = tags?.get(Number(id))
    const shape = value !== undefined ? '{}' : label === 'repeated' ? '[]' : ''
    const flags = tag?.isInline === true ? '^' : tag?.isPointer === true ? '*' : ''
    return { id: Number(id), name: tag?.name ?? proto, type: `${shape}${flags}${fullName(home, value ?? type)}` }
  })
}

function fullName(home: string, type: string): string {
  if (/^(string|bytes|bool|int32|int64|double)$/.test(type)) return type
  return type.replace(/^\./, '').includes('.') ? type.replace(/^\./, '') : `${home}.${type}`
}

interface Tag {
  readonly name: string
  readonly isPointer: boolean
  readonly isInline: boolean
}

/** The tags of each struct, by the number of the field. */
function readTags(folder: string): Map<string, Map<number, Tag>> {
  const structs = new Map<string, Map<number, Tag>>()
  const files = readdirSync(folder).filter(
    (file) => file.endsWith('.go') && !file.endsWith('_test.go') && !file.startsWith('generated'),
  )
  for (const file of files) {
    const text = readFileSync(join(folder, file), 'utf8')
    for (const [, name = '', body = ''] of text.matchAll(/^type (\w+) struct \{\n(.*?)^\}/gms)) {
      const fields = [...body.matchAll(/^\s+(?:\w+ +)?(\*?)[\w.[\]*]+ +`(.*?)`/gm)].flatMap(([, star, tag = '']) => {
        const [, id] = /protobuf:"\w+,(\d+),/.exec(tag) ?? []
        const [, json = '', inline] = /json:"(\w*)(,inline)?/.exec(tag) ?? []
        if (id === undefined) return []
        return [[Number(id), { name: json, isPointer: star === '*', isInline: inline !== undefined }] as const]
      })
      structs.set(name, new Map(fields))
    }
  }
  return structs
}

function reachable(messages: ReadonlyMap<string, Field[]>): string[] {
  const found = new Set<string>()
  const waiting = [...ROOTS]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (found.has(next) || SPECIAL.test(next)) continue
    const fields = messages.get(next)
    if (fields === undefined) throw new Error(`no message is called ${next}`)
    found.add(next)
    for (const { type } of fields) {
      const bare = type.replace(/^[^\w]+/, '')
      if (bare.includes('.')) waiting.push(bare)
    }
  }
  return [...found].sort()
}

const short = (name: string): string =>
  name.replace(/k8s\.io\.(api|apimachinery\.pkg)\.(apis\.)?/, '').replace(/\b(api\.resource|util\.intstr)\./, '')

const folders = new Map<string, string>()
for (const [name, [module, folder]] of Object.entries(PACKAGES)) folders.set(name, join(folderOf(module), folder))
const messages = readMessages(folders)
const rows = reachable(messages).map((name) => {
  const fields = (messages.get(name) ?? []).map((field) => `${field.id}: '${field.name} ${short(field.type)}'`)
  return `  '${short(name)}': { ${fields.join(', ')} },`
})
const target = join(import.meta.dirname, '..', '..', 'embedded', 'protobuf', 'messages.ts')
writeFileSync(target, `${HEADER}{\n${rows.join('\n')}\n}\n`)
