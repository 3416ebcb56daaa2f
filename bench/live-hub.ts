// Our live messages without the rest: GET /publish makes one event. The bytes after `"project":` come from a file.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { WebSocketServer } from 'ws'
import { createAccess } from '../api-server/auth/access.ts'
import { createHub } from '../api-server/live/hub.ts'
import { createLiveConnections } from '../api-server/live/websocket.ts'
import { createSessions } from '../api-server/auth/sessions.ts'
import { createTokens } from '../api-server/auth/tokens.ts'
import { systemClock } from '../lib/clock.ts'
import { makeLogger } from '../lib/log.ts'

const record = readFileSync(process.argv[2] ?? '')
const hub = createHub({ clock: systemClock, epoch: 'bench' })
const tokens = createTokens({ clock: systemClock, logger: makeLogger('silent') })
const sessions = createSessions({ tokens, clock: systemClock, isSecure: false })
const access = createAccess({ host: '127.0.0.1', tokens, sessions })
const live = createLiveConnections({ access, hub, clock: systemClock })
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
