import { Type } from 'typebox'
import { closed } from '../../schema/fields.ts'
import { ScriptRecord, ScriptResult } from '../records/script.ts'
import { PageQuery } from '../requests/shapes.ts'
import { json, route } from '../route.ts'

/** Parameters of a script: core/script-parameters.ts checks which ones there may be. */
const ScriptQuery = Type.Object({}, { additionalProperties: Type.String() })

/** Rows of the route table about scripts. */
export const SCRIPT_ROUTES = [
  route({
    id: 'listScripts',
    method: 'GET',
    path: '/api/scripts',
    summary: 'List the scripts that can be run, by name',
    query: PageQuery,
    responses: { 200: json(Type.Array(ScriptRecord)) },
    errors: [400],
  }),
  route({
    id: 'runScript',
    method: 'POST',
    path: '/api/scripts/{name}',
    summary: 'Run a script to its end; query parameters that it names become environment variables',
    scope: 'admin',
    params: closed({ name: Type.String() }),
    query: ScriptQuery,
    responses: { 200: json(ScriptResult) },
    errors: [400, 404, 409, 504],
  }),
] as const
