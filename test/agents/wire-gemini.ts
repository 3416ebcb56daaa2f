import type { Answer, Turn } from './turn.ts'

type Answered = Extract<Turn, { kind: 'say' | 'use' }>

/** One answer of the Gemini API, streamed as server-sent events or whole. */
export function writeGemini(response: Answer, turn: Answered, path: string): void {
  const part = turn.kind === 'say' ? { text: turn.text } : { functionCall: { name: turn.tool, args: turn.input } }
  const answer = {
    candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: {
      promptTokenCount: 100,
      candidatesTokenCount: 20,
      totalTokenCount: 120,
      cachedContentTokenCount: 0,
    },
    modelVersion: 'gemini-scripted',
  }
  response.end(path.includes(':stream') ? `data: ${JSON.stringify(answer)}\r\n\r\n` : JSON.stringify(answer))
}
