/** When an agent that works can be told something, by how its program is driven. Source: docs/adr/0014-a-voice.md. */
import type { AgentAdapter, AgentSpec, MessageMode } from '../crd/types.ts'

const MODES: Readonly<Record<AgentAdapter, readonly MessageMode[]>> = {
  claude: ['Queue', 'Steer', 'Interrupt'],
  codex: ['Queue'],
  gemini: ['Queue'],
  acp: ['Queue'],
  script: [],
}

/** The modes that a running agent takes; none: it can be told nothing. */
export function messageModesOf({ adapter, acp }: Pick<AgentSpec, 'adapter' | 'acp'>): readonly MessageMode[] {
  return adapter === 'acp' && acp?.secondPrompt === 'Joins' ? MODES.claude : MODES[adapter]
}
