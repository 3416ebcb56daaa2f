import assert from 'node:assert/strict'
import { API_VERSION, GROUP } from '../../core/names.ts'
import { type SchemaNode, findField, readDocuments, schemaOf, walk } from './documents.ts'

const documents = readDocuments()

describe('the CRDs', () => {
  it('are the seven kinds', () => {
    const kinds = documents.map((crd) => crd.spec.names.kind).sort()
    assert.deepEqual(kinds, ['Agent', 'Epic', 'Execution', 'Project', 'Story', 'StoryEvent', 'Task'])
  })

  it('have short names that no other kind of ours has', () => {
    const shortNames = documents.flatMap((crd) => crd.spec.names.shortNames)
    assert.equal(new Set(shortNames).size, documents.length)
  })
})

for (const crd of documents) {
  const { names, group, scope, versions } = crd.spec
  const [version] = versions
  const fields = [...walk(schemaOf(crd))].filter(({ path }) => !['', 'apiVersion', 'kind', 'metadata'].includes(path))

  describe(`the CRD of ${names.kind}`, () => {
    it('is namespaced, in our group, version and category', () => {
      assert.equal(`${group}/${version.name}`, API_VERSION)
      assert.deepEqual(
        [crd.metadata.name, scope, names.categories],
        [`${names.plural}.${GROUP}`, 'Namespaced', ['slipway']],
      )
    })

    it('has a status subresource exactly when it has a status', () => {
      assert.equal(version.subresources?.status !== undefined, schemaOf(crd).properties?.['status'] !== undefined)
    })

    it('describes every field in a sentence', () => {
      const bare = fields
        .filter(({ path }) => !path.endsWith('{}'))
        .filter(({ node }) => !/^\S.*\.$/s.test(node.description ?? ''))
      assert.deepEqual(paths(bare), [])
    })

    it('limits the length of every text', () => {
      const free = fields.filter(
        ({ node }) => node.type === 'string' && node.enum === undefined && node.format !== 'date-time',
      )
      assert.deepEqual(paths(free.filter(({ node }) => node.maxLength === undefined)), [])
    })

    it('limits every list and says how it is merged', () => {
      const lists = fields.filter(({ node }) => node.type === 'array')
      assert.deepEqual(paths(lists.filter(({ node }) => node.maxItems === undefined)), [])
      assert.deepEqual(paths(lists.filter(({ node }) => node['x-kubernetes-list-type'] === undefined)), [])
    })

    it('requires the keys of lists that are merged by key', () => {
      const keyed = fields.filter(({ node }) => node['x-kubernetes-list-type'] === 'map')
      const lax = keyed.filter(({ node }) => {
        const required = new Set(node.items?.required)
        return !(node['x-kubernetes-list-map-keys'] ?? []).every((key) => required.has(key))
      })
      assert.deepEqual(paths(lax), [])
    })

    it('limits the number of entries of every map', () => {
      const maps = fields.filter(({ node }) => node.additionalProperties !== undefined)
      assert.deepEqual(paths(maps.filter(({ node }) => node.maxProperties === undefined)), [])
    })

    it('requires only fields that exist', () => {
      const ghosts = fields.flatMap(({ path, node }) =>
        (node.required ?? []).filter((name) => node.properties?.[name] === undefined).map((name) => `${path}.${name}`),
      )
      assert.deepEqual(ghosts, [])
    })

    it('shows columns of fields that exist', () => {
      const own = version.additionalPrinterColumns.filter(({ jsonPath }) => !jsonPath.startsWith('.metadata.'))
      assert.deepEqual(
        own.filter(({ jsonPath }) => findField(crd, jsonPath) === undefined),
        [],
      )
    })

    it('selects by at most eight fields, each a text, a number or a truth value', () => {
      const selectable = version.selectableFields ?? []
      assert.ok(selectable.length <= 8)
      for (const { jsonPath } of selectable)
        assert.ok(['string', 'integer', 'boolean'].includes(findField(crd, jsonPath)?.type ?? ''), jsonPath)
    })

    it('says in words what each rule refuses', () => {
      const rules = [...walk(schemaOf(crd))].flatMap(({ node }) => node['x-kubernetes-validations'] ?? [])
      assert.deepEqual(
        rules.filter(({ message }) => (message ?? '') === ''),
        [],
      )
    })
  })
}

it('kubectl get tasks shows state, agent, story, what is waited for, and age', () => {
  const task = documents.find((crd) => crd.spec.names.kind === 'Task')
  const columns = task?.spec.versions[0].additionalPrinterColumns.filter(({ priority }) => (priority ?? 0) === 0)
  assert.deepEqual(
    columns?.map(({ name }) => name.toUpperCase()),
    ['STATE', 'AGENT', 'STORY', 'WAITING FOR', 'AGE'],
  )
})

function paths(found: readonly { readonly path: string; readonly node: SchemaNode }[]): string[] {
  return found.map(({ path }) => path)
}
