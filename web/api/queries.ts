/** Every list that the views show: its key, how it is read, and the hooks that give it. */
import { type UseQueryResult, QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { type CallOptions, ApiFailure } from '../../core/rest/client/call.ts'
import type { Answer } from '../../core/rest/client/client.ts'
import type { SignInOffer } from '../../core/rest/records/server.ts'
import { type Facts, createFacts } from '../model/facts.ts'
import { showUnseen } from '../model/hostile-text.ts'
import { api, whenRefused } from './client.ts'
import type { Kind, Kinds } from './fold.ts'
import { whenFirstSettled } from './connection.ts'
import { createStore } from './store.ts'
import { type Table, recordsOf } from './table.ts'
import { unsavedNow } from './unsaved.ts'

const RETRIES = 3

/** Refusals are answers. A server that is away or starting is asked again and again; one that fails, a few times. */
function isWorthAnotherTry(failures: number, error: unknown): boolean {
  if (!(error instanceof ApiFailure) || error.code === 'unavailable') return true
  return error.status >= 500 && failures < RETRIES
}

export const queryClient: QueryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Messages keep the lists current; a resync says when that is not so.
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 10 * 60_000,
      retry: isWorthAnotherTry,
      retryDelay: (failures) => Math.min(5_000, 500 * 2 ** failures),
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      structuralSharing: false,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})

export const store = createStore(queryClient)

type Read<K extends Kind> = (signal: AbortSignal) => Promise<readonly Kinds[K][]>

const READ: { readonly [K in Kind]: Read<K> } = {
  tasks: (signal) => api.listTasks({}, { signal }),
  stories: (signal) => api.listStories({}, { signal }),
  epics: (signal) => api.listEpics({}, { signal }),
  projects: (signal) => api.listProjects({}, { signal }),
  agents: (signal) => api.listAgents({}, { signal }),
}

type ReadOne<K extends Kind> = (
  input: { readonly params: { readonly id: string } },
  options?: CallOptions,
) => Promise<Kinds[K]>

const READ_ONE: { readonly [K in Kind]: ReadOne<K> } = {
  tasks: api.getTask,
  stories: api.getStory,
  epics: api.getEpic,
  projects: api.getProject,
  agents: api.getAgent,
}

/** Reads one record anew. @throws ApiFailure */
export function readRecord<K extends Kind>(kind: K, id: string, options?: CallOptions): Promise<Kinds[K]> {
  return store.readOne(kind, () => READ_ONE[kind]({ params: { id } }, options))
}

/** The same after it was written; undefined where it cannot be read (store.ts). */
export function readWritten<K extends Kind>(kind: K, id: string): Promise<Kinds[K] | undefined> {
  return store.readWritten(kind, () => READ_ONE[kind]({ params: { id } }))
}

function listOptions<K extends Kind>(kind: K) {
  return queryOptions<Table<Kinds[K]>>({
    queryKey: [kind],
    queryFn: async ({ signal }) => {
      // Asked for once the messages come, so that nothing is missed in between.
      await whenFirstSettled()
      return store.readList(kind, () => READ[kind](signal))
    },
  })
}

/** All records of a kind, kept current by the WebSocket. */
export function useRecords<K extends Kind>(kind: K): UseQueryResult<readonly Kinds[K][]> {
  return useQuery({ ...listOptions(kind), select: recordsOf<Kinds[K]> })
}

/** One record of a kind, kept current; null where there is none of this id. Renders only with news of its own. */
export function useRecord<K extends Kind>(kind: K, id: string): UseQueryResult<Kinds[K] | null> {
  return useQuery({ ...listOptions(kind), select: (table) => table.rows.get(id)?.record ?? null })
}

/** Whether the agent of a task runs a script, as far as it is known. */
export function useIsScript({ agent }: Pick<Kinds['tasks'], 'agent'>): boolean {
  return useRecord('agents', agent?.type ?? '').data?.adapter === 'script'
}

type NamedKind = 'tasks' | 'stories' | 'projects'

/** What people call a record; its id where the list has no such one, as of a task that is archived. */
export function useNameOf(kind: NamedKind, id: string): string {
  const select = ({ rows }: Table<{ readonly name: string }>): string | null => rows.get(id)?.record?.name ?? null
  const { data } = useQuery({ ...listOptions<NamedKind>(kind), select, notifyOnChangeProps: ['data'] })
  return showUnseen(data ?? id)
}

/** The same as a text of a view. */
export function NameOf({ kind, id }: { readonly kind: NamedKind; readonly id: string }): string {
  return useNameOf(kind, id)
}

/**
 * Something about the list of a kind, as a plain value: renders only when that changes. Undefined while the list is being
 * read.
 */
export function useListSummary<K extends Kind, F extends string>(
  kind: K,
  select: (table: Table<Kinds[K]>) => F,
): F | 'failed' | undefined {
  const { data, isError } = useQuery({ ...listOptions(kind), select, notifyOnChangeProps: ['data', 'isError'] })
  return data ?? (isError ? 'failed' : undefined)
}

/** How many records of a kind are such ones; 0 until they are read. Renders only with another number. */
export function useCount<K extends Kind>(kind: K, isCounted: (record: Kinds[K]) => boolean): number {
  return useNumber(kind, (records) => records.filter(isCounted).length)
}

/** The same for any number that a list makes. */
export function useNumber<K extends Kind>(kind: K, count: (records: readonly Kinds[K][]) => number): number {
  return useQuery({ ...listOptions(kind), select: (table) => count(recordsOf(table)) }).data ?? 0
}

/**
 * A few facts of each record of a kind, empty until they are read. Renders only when one of these facts changes.
 *
 * @param factsOf always the same function
 */
export function useFacts<K extends Kind, F extends Facts>(kind: K, factsOf: (record: Kinds[K]) => F): readonly F[] {
  const [collect] = useState(() => createFacts(factsOf))
  const select = useCallback((table: Table<Kinds[K]>) => collect(recordsOf(table)), [collect])
  return useQuery({ ...listOptions(kind), select }).data ?? NO_FACTS
}

const NO_FACTS: readonly never[] = []

/** Begins to read a list before the view that shows it is there; what fails is told where it is shown. */
export function prefetchRecords(kind: Kind): Promise<void> {
  return queryClient.prefetchQuery(listOptions(kind))
}

export const sessionOptions = queryOptions<SignedInAs | SignedOut>({
  queryKey: ['session'],
  queryFn: ({ signal }) => api.getSession({}, { signal }).then(toGoneOn, toEnded),
  // Somebody may have signed in again in another tab.
  refetchOnWindowFocus: ({ state: { data } }) => (data !== undefined && 'isOver' in data ? 'always' : false),
})

whenRefused(() => {
  const session = queryClient.getQueryData(sessionOptions.queryKey)
  const isOpen = session !== undefined && 'name' in session && session.isOver !== true
  if (isOpen) void queryClient.invalidateQueries(sessionOptions)
})

export function prefetchSession(): Promise<void> {
  return queryClient.prefetchQuery(sessionOptions)
}

type SignedInAs = Awaited<Answer<'getSession'>> & {
  /** The server asks who this is, but the page holds what is not saved, and stays as it is. */
  readonly isOver?: true
}

/** The server asks who this is; it may offer another way than a token. */
export interface SignedOut {
  readonly signIn: SignInOffer | undefined
}

/** After a session that was over: the same person reads again what was refused meanwhile; another one gets a page of their own. */
function toGoneOn(session: SignedInAs): SignedInAs {
  const before = queryClient.getQueryData(sessionOptions.queryKey)
  if (before === undefined || !('name' in before) || before.isOver !== true) return session
  if (before.name === session.name) {
    void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionOptions.queryKey[0] })
    return session
  }
  // The browser asks first, for what is not saved.
  location.reload()
  return before
}

/** That the server asks for a token is an answer, and no failure: it stays while it is asked for again. */
function toEnded(error: unknown): SignedInAs | SignedOut {
  if (!(error instanceof ApiFailure) || error.status !== 401) throw error
  const session = queryClient.getQueryData(sessionOptions.queryKey)
  if (session !== undefined && 'name' in session && unsavedNow().length > 0) return { ...session, isOver: true }
  return { signIn: error.signIn }
}

const versionOptions = queryOptions({
  queryKey: ['version'],
  queryFn: ({ signal }) => api.getVersion({}, { signal }),
})

/** Which build of the server this is. */
export function useVersion() {
  return useQuery(versionOptions)
}
