import { useParams, useSearch, useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useState } from 'react'
import type { HumanTrigger } from '../../core/task/transitions.ts'
import { undrainAgent } from '../api/decisions.ts'
import { useRecords } from '../api/queries.ts'
import { useSession } from '../api/session.ts'
import { useDecision } from '../api/use-decision.ts'
import { Dialog } from '../components/dialog.tsx'
import { setTheme } from '../components/theme.ts'
import { refuse, telling } from '../components/toast.tsx'
import { type Open, parseOpen } from '../model/open.ts'
import { type Goal, type Deed, findActions, findGoals } from './goals.ts'
import css from './overlays.module.css'
import { VIEWS } from './views.ts'

/** Goes to a view, a story or a task, or does something, by a few letters of its name. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const { data: stories = [] } = useRecords('stories')
  const { data: tasks = [] } = useRecords('tasks')
  const { data: agents } = useRecords('agents')
  const { may } = useSession()
  const [text, setText] = useState('')
  const [current, setCurrent] = useState(0)
  const open = useShown()
  const shown = {
    task: open?.kind === 'task' ? tasks.find(({ id }) => id === open.id) : undefined,
    story: open?.kind === 'story' ? stories.find(({ id }) => id === open.id) : undefined,
  }
  const actions = findActions(agents ?? [], may, shown)
  const goals = findGoals(text, { views: VIEWS, actions, stories, tasks })
  const perform = usePerform()
  const go = (goal: Goal | undefined): void => {
    if (goal === undefined) return
    onClose()
    perform(goal.deed)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && goals.length > 0) {
      event.preventDefault()
      setCurrent((current + step + goals.length) % goals.length)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      go(goals[current])
    }
  }
  return (
    <Dialog title="Go to" onClose={onClose}>
      <input
        className={css['input']}
        role="combobox"
        aria-label="Name of a view, an action, a story or a task"
        aria-expanded
        aria-controls="palette-goals"
        aria-activedescendant={goals.length === 0 ? undefined : `palette-goal-${current}`}
        autoFocus
        value={text}
        onChange={({ target }) => {
          setText(target.value)
          setCurrent(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div id="palette-goals" role="listbox" aria-label="Found" className={css['goals']}>
        {goals.map((goal, index) => (
          <div
            key={`${goal.kind} ${goal.id}`}
            id={`palette-goal-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === current}
            onClick={() => go(goal)}
            onPointerMove={() => setCurrent(index)}
          >
            {goal.label}
            <span>{goal.kind}</span>
          </div>
        ))}
      </div>
      {goals.length === 0 && <p className={css['none']}>Nothing has that name.</p>}
    </Dialog>
  )
}

/** What is in the panel, or on the page. */
function useShown(): Open | undefined {
  const { taskId, storyId } = useParams({ strict: false })
  const open = parseOpen(useSearch({ strict: false }).open)
  if (open !== undefined) return open
  if (taskId !== undefined) return { kind: 'task', id: taskId }
  return storyId === undefined ? undefined : { kind: 'story', id: storyId }
}

/** Presses the button of the record that is shown; a question is brought into sight. */
function pressDecision(action: HumanTrigger): void {
  const frame = document.querySelector('[data-panel]') ?? document
  if (action === 'answer') {
    const question = frame.querySelector<HTMLElement>('[data-question]')
    question?.scrollIntoView({ block: 'nearest' })
    question?.focus({ preventScroll: true })
    return
  }
  const button = frame.querySelector<HTMLButtonElement>(`[data-decisions] [data-action="${action}"]`)
  if (button === null || button.disabled) refuse('The page does not offer that now: it says why beside its buttons.')
  else button.click()
}

/** Does what a goal of the palette is for. */
function usePerform(): (deed: Deed) => void {
  const navigate = useNavigate()
  const { decide } = useDecision(undrainAgent, telling())
  return (deed) => {
    switch (deed.do) {
      case 'go':
        return void navigate({ to: deed.path })
      case 'theme':
        return setTheme(deed.theme)
      case 'undrain':
        return decide(deed.agent)
      case 'decide':
        // Once the palette has gone, and has given the focus back.
        return void setTimeout(() => pressDecision(deed.action))
      default:
        return deed satisfies never
    }
  }
}
