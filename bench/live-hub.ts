// Our live messages without the rest: GET /publish makes one event. The bytes after `"project":` come from a file.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { WebSocketServer } from 'ws'
import { createHub } from '../api-server/live/hub.ts'
import { createLiveConnections } from '../api-server/live/websocket.ts'
import { systemClock } from '../lib/clock.ts'
import { openAccess, scopesOnly } from '../test/helpers/open-access.ts'

const record = readFileSync(process.argv[2] ?? '')
const hub = createHub({ clock: systemClock, epoch: 'bench' })
const live = createLiveConnections({ access: openAccess(), authorization: scopesOnly(), hub, clock: systemClock })
const server = createServer((_, response) => {
  hub.publish('project_updated', { project_id: 'bench' }, record)
  response.end()
})
const { verifyClient, handleProtocols } = live
new WebSocketServer({ server, verifyClient, handleProtocols }).on('connection', live.accept)
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  process.stdout.write(`ready http://127.0.0.1:${port}\n`)
})
process.on('SIGTERM', () => process.exit(0))
