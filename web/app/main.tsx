/** The entry: asks the server for what every view needs, while the code that draws it is still being loaded. */
import { connectPage } from '../api/page-connection.ts'
import { prefetchSession, prefetchRecords } from '../api/queries.ts'
import '../styles/tokens.css'
import '../styles/base.css'

async function start(): Promise<void> {
  connectPage()
  void prefetchSession()
  // For the number of things that wait for a person and for the names of what is shown, so for every view.
  for (const kind of ['tasks', 'stories', 'agents', 'epics', 'projects'] as const) void prefetchRecords(kind)
  const { render } = await import('./render.tsx')
  render()
}

void start()
