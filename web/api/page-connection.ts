/** The connection of this page: begun before anything is drawn, ended while nobody is signed in. */
import { startConnection } from './connection.ts'
import { queryClient, store } from './queries.ts'
import { askWhoAgain } from './session.ts'

let end: (() => void) | undefined

/** Connects, unless the page is connected already. */
export function connectPage(): void {
  end ??= startConnection({
    onMessages: store.apply,
    onGap: () => void queryClient.invalidateQueries(),
    onAway: askWhoAgain,
  })
}

export function disconnectPage(): void {
  end?.()
  end = undefined
}
