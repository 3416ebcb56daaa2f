import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { LOCK_FILES, proposeEnvironment } from '../../../core/environment/proposal.ts'
import { API_VERSION } from '../../../core/names.ts'
import { type StructuralSchema, compileSchema } from '../../../embedded/schema/structural.ts'
import type { JsonObject } from '../../../embedded/schema/json.ts'
import { readDocuments, schemaOf } from '../../crds/documents.ts'

describe('what is proposed as the environment of a project', () => {
  for (const [file, setup, cache] of [
    ['package-lock.json', 'npm ci\n', 'node_modules'],
    ['npm-shrinkwrap.json', 'npm ci\n', 'node_modules'],
    ['pnpm-lock.yaml', 'pnpm install --frozen-lockfile\n', 'node_modules'],
    ['yarn.lock', 'yarn install --frozen-lockfile\n', 'node_modules'],
    ['uv.lock', 'uv sync --frozen\n', '.venv'],
    ['requirements.txt', 'set -e\npython3 -m venv .venv\n.venv/bin/pip install -r requirements.txt\n', '.venv'],
    ['go.sum', 'go mod download -modcacherw\n', '~/go/pkg/mod'],
    ['Cargo.lock', 'cargo fetch --locked\n', '~/.cargo/registry'],
  ] as const)
    it(`for ${file} installs what it locks, keeps ${cache}, and begins anew when the file changes`, () => {
      assert.deepEqual(proposeEnvironment([file]), { setup, cache: [{ path: cache }], keys: [file] })
    })

  it('for several languages is one setup that ends at its first failure', () => {
    assert.deepEqual(proposeEnvironment(['go.sum', 'package-lock.json', 'README.md']), {
      setup: 'set -e\nnpm ci\ngo mod download -modcacherw\n',
      cache: [{ path: 'node_modules' }, { path: '~/go/pkg/mod' }],
      keys: ['package-lock.json', 'go.sum'],
    })
  })

  it('follows one package manager where a repository has the files of two', () => {
    assert.deepEqual(
      [
        ['package-lock.json', 'pnpm-lock.yaml'],
        ['requirements.txt', 'uv.lock'],
      ].map((files) => proposeEnvironment(files)?.setup),
      ['pnpm install --frozen-lockfile\n', 'uv sync --frozen\n'],
    )
  })

  it('is nothing without a lock file', () => {
    assert.deepEqual(
      [proposeEnvironment([]), proposeEnvironment(['README.md', 'package.json'])],
      [undefined, undefined],
    )
  })

  it('always fits the rules of the resource, whichever files there are and in whichever order', () => {
    const schema = projectSchema()
    const someFiles = fc.uniqueArray(fc.oneof(fc.constantFrom(...LOCK_FILES), fc.string()))
    fc.assert(
      fc.property(someFiles, (files) => {
        const environment = proposeEnvironment(files)
        assert.equal(environment === undefined, !files.some((file) => LOCK_FILES.includes(file)))
        assert.deepEqual(environment, proposeEnvironment(files.toReversed()))
        if (environment === undefined) return
        const spec = { title: 'Shop', remoteUrl: 'https://example.org/shop.git', environment }
        const project = { apiVersion: API_VERSION, kind: 'Project', metadata: { name: 'shop' }, spec }
        assert.deepEqual(schema.validate(toJson(project)), [])
      }),
    )
  })
})

function projectSchema(): StructuralSchema {
  const found = readDocuments().find(({ spec }) => spec.names.kind === 'Project')
  assert.ok(found !== undefined)
  return compileSchema(toJson(schemaOf(found)))
}

function toJson(value: unknown): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject
}
