import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import type { KubeObject } from '../../kube/types.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
/** Files beside them are for other programs, such as Kustomize, and name our kinds only inside texts. */
const OURS = /^apiVersion: slipway\.dev\//m
const YAML_BLOCK = /^```yaml\n(.*?)^```$/gms

/** Manifests of ours: a file below examples/ or of the chart's agents, or all YAML blocks of a page of docs/resources/. */
export interface Example {
  readonly source: string
  readonly yaml: string
}

export function readExamples(): Example[] {
  const names = [...namesIn('examples', '.yaml'), 'charts/slipway/files/agents.yaml']
  const files = names.map((source) => ({ source, yaml: read(source) })).filter(({ yaml }) => OURS.test(yaml))
  const pages = namesIn('docs/resources', '.md').map((source) => {
    const blocks = [...read(source).matchAll(YAML_BLOCK)].map(([, block]) => block ?? '')
    return { source, yaml: blocks.join('---\n') }
  })
  return [...files, ...pages]
}

/** The objects of an example; YAML that cannot be read throws. */
export function objectsOf(example: Example): KubeObject[] {
  return parseAllDocuments(example.yaml).map((document) => {
    if (document.errors[0] !== undefined) throw document.errors[0]
    return document.toJS() as KubeObject
  })
}

function namesIn(folder: string, extension: string): string[] {
  const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith(extension),
  )
  return names.sort().map((name) => `${folder}/${name}`)
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}
