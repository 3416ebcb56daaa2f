/** Whose work a person last looked at, task by task; kept in this browser. */
import { useMemo } from 'react'
import { asRecord, parseJson } from '../../core/json.ts'
import { tryToStore } from './draft-store.ts'
import { useSession } from './session.ts'

/** Tasks that are remembered; those looked at longest ago go first. */
const MAX_TASKS = 300

export interface Looked {
  /** The execution whose diff was looked at before there was `latest`; undefined where none was. */
  readonly before: string | undefined
  /** Remembers that the person looks at `latest` now. */
  readonly note: () => void
}

/** @param latest the execution that the task's work is of now */
export function useLooked(taskId: string, latest: string | undefined): Looked {
  const key = `slipway.looked.${useSession().name}`
  return useMemo(() => {
    // As it was when this work was first seen: looking at it changes nothing on the page.
    const before = readLooked(key).get(taskId)
    return {
      before: before === latest ? undefined : before,
      note() {
        const looked = readLooked(key)
        if (latest === undefined || looked.get(taskId) === latest) return
        looked.delete(taskId)
        looked.set(taskId, latest)
        // Where there is no room, nothing is offered the next time.
        tryToStore(localStorage, key, JSON.stringify(Object.fromEntries([...looked].slice(-MAX_TASKS))))
      },
    }
  }, [key, taskId, latest])
}

function readLooked(key: string): Map<string, string> {
  const entries = Object.entries(asRecord(parseJson(localStorage.getItem(key) ?? '')))
  return new Map(entries.flatMap(([id, value]) => (typeof value === 'string' ? [[id, value]] : [])))
}
