/** What Kubernetes has of a record: the resource behind it, its events, and its pod. */
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { Execution, Kubernetes } from '../../core/rest/client/client.ts'
import type { CallOptions } from '../../core/rest/client/call.ts'
import { type Workspace, findWorkspace } from '../model/failed-run.ts'
import type { Reading } from '../model/reading.ts'
import { api } from './client.ts'

type Read<T> = (input: { readonly params: { readonly id: string } }, options: CallOptions) => Promise<T>

const MANIFESTS = {
  task: api.getTaskManifest,
  execution: api.getExecutionManifest,
  story: api.getStoryManifest,
  project: api.getProjectManifest,
  agent: api.getAgentManifest,
} satisfies Readonly<Record<string, Read<string>>>

const FACTS = {
  task: api.getTaskKubernetes,
  execution: api.getExecutionKubernetes,
  story: api.getStoryKubernetes,
} satisfies Readonly<Record<string, Read<Kubernetes>>>

/** A record as it stands: its resource is read again when `version` is another one, such as the record itself. */
export interface Shown<K extends string> {
  readonly kind: K
  readonly id: string
  readonly version: unknown
}

/** A pod tells of itself by no message. */
const POD_READ_MS = 10_000

/**
 * The resource behind a record as YAML, with its events and its pod as comments.
 *
 * @param isLive it has a pod that changes without a message
 */
export function useManifest({ kind, id, version }: Shown<keyof typeof MANIFESTS>, isLive = false) {
  const query = useQuery({
    queryKey: ['manifest', kind, id],
    queryFn: ({ signal }) => MANIFESTS[kind]({ params: { id } }, { signal }),
    staleTime: 0,
    refetchInterval: isLive ? POD_READ_MS : false,
  })
  return useReadingAt(version, query)
}

/**
 * The events and the pod of a record.
 *
 * @param isLive it has a pod that changes without a message
 */
export function useKubernetes({ kind, id, version }: Shown<keyof typeof FACTS>, isLive = false) {
  const query = useQuery({
    queryKey: ['kubernetes', kind, id],
    queryFn: ({ signal }) => FACTS[kind]({ params: { id } }, { signal }),
    staleTime: 0,
    refetchInterval: isLive ? POD_READ_MS : false,
    enabled: id !== '',
  })
  return useReadingAt(version, query)
}

/** Where the clone of a run is kept; undefined without one. */
export function useWorkspace(execution: Execution | undefined): Workspace | undefined {
  const { data } = useKubernetes({ kind: 'execution', id: execution?.id ?? '', version: undefined })
  return findWorkspace(execution, data?.namespace)
}

/** Both of them, as one part of a view. */
export function useResource(shown: Shown<keyof typeof FACTS>, isLive = false): ReadingAgain<Resource> {
  const manifest = useManifest(shown, isLive)
  const kubernetes = useKubernetes(shown, isLive)
  const isRead = manifest.data !== undefined && kubernetes.data !== undefined
  return {
    data: isRead ? { manifest: manifest.data, kubernetes: kubernetes.data } : undefined,
    error: manifest.error ?? kubernetes.error,
    retry() {
      manifest.retry()
      kubernetes.retry()
    },
    isFetching: manifest.isFetching || kubernetes.isFetching,
  }
}

export interface Resource {
  readonly manifest: string
  readonly kubernetes: Kubernetes
}

interface ReadingAgain<T> extends Reading<T> {
  readonly isFetching: boolean
}

/** The version is no part of the query's key: what was read under the last one stays if it cannot be read again. */
function useReadingAt<T>(version: unknown, query: UseQueryResult<T>): ReadingAgain<T> {
  const { data, error, refetch, isFetching } = query
  const last = useRef(version)
  useEffect(() => {
    if (last.current === version) return
    last.current = version
    void refetch()
  }, [version, refetch])
  return { data, error: error ?? undefined, retry: () => void refetch(), isFetching }
}
