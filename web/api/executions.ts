/** What the page of an execution reads beside the lists. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { taskOfExecution } from '../../core/execution/state.ts'
import type { Answer, Execution } from '../../core/rest/client/client.ts'
import { EXECUTION_STATE_IS_FINAL } from '../../core/enum-values.ts'
import { type Reading, toReading } from '../model/reading.ts'
import { api } from './client.ts'

/** Where no live message tells of a change: an execution beside the tasks. */
const POLL_MS = 3_000

/** One execution, kept current: live messages about its task's executions have it read again. */
export function useExecution(id: string): Reading<Execution> {
  return toReading(
    useQuery({
      queryKey: ['task-executions', taskOfExecution(id), id],
      queryFn: ({ signal }) => api.getExecution({ params: { id } }, { signal }),
      refetchInterval: ({ state }) => (state.data === undefined || hasEnded(state.data) ? false : POLL_MS),
    }),
  )
}

/** The most that one answer holds. */
const PAGE = 1_000

/** The executions of a task: read again with each live message about them. */
export function executionsOf(taskId: string) {
  return queryOptions({
    queryKey: ['task-executions', taskId],
    queryFn: ({ signal }) => api.listTaskExecutions({ params: { id: taskId }, query: { limit: PAGE } }, { signal }),
  })
}

/** The execution that goes on where this one has ended: with the answer to its question, or after a failure. */
export function useNextExecution(execution: Execution | undefined) {
  const isAsked = execution?.task_id !== undefined && hasEnded(execution)
  const { data, isLoading } = useQuery({ ...executionsOf(execution?.task_id ?? ''), enabled: isAsked })
  return { next: data?.find(({ resumes }) => resumes === execution?.id), isLoading }
}

/** Whether its record changes no more. */
export function hasEnded({ state }: Pick<Execution, 'state'>): boolean {
  return EXECUTION_STATE_IS_FINAL[state]
}

/** What the services beside the agent print; more comes while it runs. */
export function useServiceLogs(id: string, isLive: boolean): Reading<Awaited<Answer<'getServiceLogs'>>['services']> {
  return toReading(
    useQuery({
      queryKey: ['service-logs', id, isLive],
      queryFn: async ({ signal }) => (await api.getServiceLogs({ params: { id } }, { signal })).services,
      refetchInterval: isLive ? POLL_MS : false,
      placeholderData: (previous, query) => (query?.queryKey[1] === id ? previous : undefined),
    }),
  )
}

/** The files that the execution left; new ones come while it runs. */
export function useArtifacts(id: string, isLive: boolean): Reading<Awaited<Answer<'listArtifacts'>>> {
  return toReading(
    useQuery({
      queryKey: ['artifacts', id, isLive],
      queryFn: ({ signal }) => api.listArtifacts({ params: { id } }, { signal }),
      refetchInterval: isLive ? POLL_MS : false,
      placeholderData: (previous, query) => (query?.queryKey[1] === id ? previous : undefined),
    }),
  )
}
