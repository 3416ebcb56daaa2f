/** The project that decides what Accept does, and what reads it again. */
import { type AcceptEffect, type AcceptingProject, acceptQuestion } from '../../core/sentences/accept.ts'
import { useCallback } from 'react'
import { type ReadProjectOf, projectOf } from '../model/on-accept.ts'
import { useRecord, useRecords } from './queries.ts'

/** @param id of the project; undefined where there is none */
export function useProjectOf(id: string | undefined): ReadProjectOf {
  const { data, error, refetch } = useRecord('projects', id ?? '')
  return { ...projectOf(id, { data, error }), readAgain: () => void refetch() }
}

/** Makes the question about many records by what accepting each of them does. */
export function useAcceptQuestion<R>(
  projectIdOf: (record: R) => string | undefined,
  effectOf: (record: R, project: AcceptingProject) => AcceptEffect,
): (records: readonly R[]) => string {
  const { data } = useRecords('projects')
  return useCallback(
    (records) => {
      const byId = data && new Map(data.map((project) => [project.id, project]))
      const effects = byId && records.map((record) => effectOf(record, byId.get(projectIdOf(record) ?? '') ?? 'none'))
      return acceptQuestion(records.length, effects)
    },
    [data, projectIdOf, effectOf],
  )
}
