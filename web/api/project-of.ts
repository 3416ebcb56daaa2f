/** The project that decides what Accept does, and what reads it again. */
import type { ReadProjectOf } from '../model/on-accept.ts'
import { projectOf } from '../model/on-accept.ts'
import { useRecord } from './queries.ts'

/** @param id of the project; undefined where there is none */
export function useProjectOf(id: string | undefined): ReadProjectOf {
  const { data, error, refetch } = useRecord('projects', id ?? '')
  return { ...projectOf(id, { data, error }), readAgain: () => void refetch() }
}
