import { type TSchema, Type } from 'typebox'
import { ById } from '../schema/fields.ts'
import { PageQuery } from './requests/shapes.ts'
import { type Scope, body, json, manifest, nothing, route } from './route.ts'

/** A kind that people create and edit, as core/kinds describes it. */
interface RoutedKind<
  One extends string,
  Many extends string,
  Create extends TSchema,
  Edit extends TSchema,
  Item extends TSchema,
> {
  /** As in operation ids, with a capital: `Epic`, `Epics`. */
  readonly one: One
  readonly many: Many
  readonly path: string
  readonly create: Create
  readonly edit: Edit
  readonly record: Item
}

/** The words of the summaries that differ between kinds. */
interface Words {
  /** With its article. */
  readonly one: string
  /** Default: newest first. */
  readonly order?: string
  readonly create?: string
  readonly read?: string
  readonly delete: string
  /** What the manifest has as comments; default: its events. */
  readonly comments?: string
  /** The scope that create and edit need; default `decide`. */
  readonly scope?: Scope
}

/** List, create, read, edit and delete the records of a kind, and read one as a manifest. */
export function recordRoutes<
  const One extends string,
  const Many extends string,
  Create extends TSchema,
  Edit extends TSchema,
  Item extends TSchema,
>(kind: RoutedKind<One, Many, Create, Edit, Item>, words: Words) {
  const { one, many, path } = kind
  const record = json(kind.record)
  const scope = words.scope === undefined ? {} : { scope: words.scope }
  const byId = { path: `${path}/{id}`, params: ById }
  return [
    route({
      id: `list${many}`,
      method: 'GET',
      path,
      summary: `List ${many.toLowerCase()}${words.order ?? ', newest first'}`,
      query: PageQuery,
      responses: { 200: json(Type.Array(kind.record)) },
      errors: [400],
    }),
    route({
      id: `create${one}`,
      method: 'POST',
      path,
      summary: words.create ?? `Create ${words.one}`,
      ...scope,
      body: body(kind.create),
      responses: { 201: record },
      errors: [400, 409, 413, 415],
    }),
    route({
      id: `get${one}`,
      method: 'GET',
      ...byId,
      summary: words.read ?? `Read ${words.one}`,
      responses: { 200: record },
      errors: [404],
    }),
    route({
      id: `update${one}`,
      method: 'PUT',
      ...byId,
      summary: `Change ${words.one} by merging; null clears a field`,
      ...scope,
      body: body(kind.edit),
      responses: { 200: record },
      errors: [400, 404, 409, 412, 413, 415],
    }),
    route({
      id: `delete${one}`,
      method: 'DELETE',
      ...byId,
      summary: `Delete ${words.one} ${words.delete}`,
      scope: 'admin',
      responses: { 204: nothing },
      errors: [404, 409, 412],
    }),
    route({
      id: `get${one}Manifest`,
      method: 'GET',
      path: `${path}/{id}/manifest`,
      summary: `The ${one} resource as YAML, with ${words.comments ?? 'its events'} as comments`,
      params: ById,
      responses: { 200: manifest },
      errors: [404],
    }),
  ] as const
}
