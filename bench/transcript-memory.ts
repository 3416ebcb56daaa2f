// Reads a transcript of as many megabytes as its argument says, made piece by piece, as the runner reads one; prints
// the most memory that it held in the first tenth and after it, in MB, as JSON.
import { open } from 'node:fs/promises'
import { devNull } from 'node:os'
import { createClaudeTranscript } from '../core/transcript/claude.ts'
import { systemClock } from '../lib/clock.ts'
import { createConversation } from '../runner/agent/conversation.ts'
import { residentMB } from './program.ts'
import { chunksOf, makeTranscript } from './transcript.ts'

const PIECE_MB = 10
const pieces = Math.max(10, Number(process.argv[2]) / PIECE_MB)
const file = await open(devNull, 'a')
const target = { file, sizeBytes: 0, maxBytes: Number.MAX_SAFE_INTEGER, clock: systemClock }
const conversation = createConversation(createClaudeTranscript(), {
  ...target,
  secrets: [],
  reply: () => Promise.resolve(),
  onOver: () => Promise.resolve(),
})
const piece = makeTranscript('claude', PIECE_MB * 1e6)
let [early, late] = [0, 0]
for (let n = 0; n < pieces; n++) {
  for (const chunk of chunksOf(piece)) await conversation.take(chunk)
  if (n < pieces / 10) early = Math.max(early, residentMB(process.pid))
  else late = Math.max(late, residentMB(process.pid))
}
await conversation.end()
await file.close()
process.stdout.write(JSON.stringify({ early, late }))
