import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient, sessionOptions } from '../api/queries.ts'
import '../styles/tokens.css'
import '../styles/base.css'
import { router } from './router.ts'

/** Reads who asks while the code of the view is still being loaded. */
function start(): void {
  const root = document.getElementById('root')
  if (root === null) throw new Error('index.html has no element #root')
  void queryClient.prefetchQuery(sessionOptions)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
}

start()
