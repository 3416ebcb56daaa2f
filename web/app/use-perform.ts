import { useNavigate } from '@tanstack/react-router'
import { undrainAgent } from '../api/decisions.ts'
import { useDecision } from '../api/use-decision.ts'
import { setTheme } from '../components/theme.ts'
import { notify, refuse } from '../components/toast.tsx'
import type { Deed } from './goals.ts'

/** Does what a goal of the palette is for. */
export function usePerform(): (deed: Deed) => void {
  const navigate = useNavigate()
  const { decide } = useDecision(undrainAgent, { onDone: notify, onRefused: refuse })
  return (deed) => {
    switch (deed.do) {
      case 'go':
        return void navigate({ to: deed.path })
      case 'theme':
        return setTheme(deed.theme)
      case 'undrain':
        return decide(deed.agent)
      default:
        return deed satisfies never
    }
  }
}
