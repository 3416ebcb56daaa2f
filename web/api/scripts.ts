/** Scripts of the installation: their list, and a run of one. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Answer } from '../../core/rest/client/client.ts'
import { api } from './client.ts'

export type ScriptEnd = Awaited<Answer<'runScript'>>

const scriptsOptions = queryOptions({
  queryKey: ['scripts'],
  queryFn: ({ signal }) => api.listScripts({ query: { limit: 1_000 } }, { signal }),
})

/** The list is a folder that others write, and nothing tells of its changes: read again with each look at it. */
export function useScripts() {
  return useQuery({ ...scriptsOptions, staleTime: 0 })
}

/**
 * Runs a script to its end, also when it fails.
 *
 * @param values by the names of its parameters; empty ones are not sent
 * @throws ApiFailure in the server's words
 */
export function runScript(name: string, values: Readonly<Record<string, string>>): Promise<ScriptEnd> {
  const query = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
  // The row of the route table cannot name parameters that each script chooses itself; the client sends what it is given.
  const input = { params: { name }, query }
  return api.runScript(input)
}
