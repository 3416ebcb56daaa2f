import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { startConnection } from '../api/connection.ts'
import { queryClient, sessionOptions, store } from '../api/queries.ts'
import { askWhoAgain } from '../api/session.ts'
import '../styles/tokens.css'
import '../styles/base.css'
import { router } from './router.tsx'

/** Reads who asks while the code of the view is still being loaded, and connects only as somebody. */
function start(): void {
  const root = document.getElementById('root')
  if (root === null) throw new Error('index.html has no element #root')
  void queryClient.prefetchQuery(sessionOptions)
  startConnection({
    onMessages: store.apply,
    onGap: () => void queryClient.invalidateQueries(),
    onAway: askWhoAgain,
  })
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
}

start()
