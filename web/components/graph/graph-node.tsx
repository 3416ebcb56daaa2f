import { type KeyboardEvent, memo } from 'react'
import { SMALL_ICON, STATE_ICONS } from '../icons.tsx'
import type { GraphItem } from './graph-types.ts'
import css from './graph.module.css'
import { type PlacedNode, NODE_HEIGHT, NODE_WIDTH } from './layout.ts'

const PADDING = 12
/** About as many letters as fit; the title, which is the tooltip and what screen readers say, has all. */
const NAME_LETTERS = 22
/** What does not fit beside the state is left out, and stands in the list and on the task's page. */
const STATE_LETTERS = 24

const ROLE_WORDS: Readonly<Record<GraphItem['role'], string>> = {
  root: 'first task',
  task: 'task',
  subtask: 'subtask',
  validation: 'check at the end',
}

interface GraphNodeProps {
  readonly item: GraphItem
  readonly place: PlacedNode
  readonly isActive: boolean
  readonly isBlocked: boolean
  readonly onFocus: (id: string) => void
  readonly onOpen: ((id: string) => void) | undefined
}

/** One node: its name, and its state as icon, word and colour. */
export const GraphNode = memo(function GraphNode(props: GraphNodeProps) {
  const { item, place, isActive, isBlocked, onFocus, onOpen } = props
  const { id, name, role, words, detail } = item
  const Icon = STATE_ICONS[words.icon]
  const said = [words.text, role === 'subtask' ? 'subtask' : undefined, detail]
    .filter((part) => part !== undefined)
    .join(' · ')
  const open = (): void => onOpen?.(id)
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    open()
  }
  return (
    <g
      className={css['node']}
      transform={`translate(${place.x} ${place.y})`}
      data-node={id}
      data-tone={words.tone}
      data-role={role}
      data-opens={onOpen !== undefined || undefined}
      role={onOpen === undefined ? 'img' : 'button'}
      tabIndex={isActive ? 0 : -1}
      onFocus={() => onFocus(id)}
      onClick={open}
      onKeyDown={onKeyDown}
    >
      <title>{`${name}, ${ROLE_WORDS[role]}: ${words.text}${isBlocked && words.tone === 'wait' ? ', held up' : ''}`}</title>
      <rect width={NODE_WIDTH} height={NODE_HEIGHT} rx={role === 'subtask' ? NODE_HEIGHT / 2 : 8} />
      <svg x={PADDING} width={NODE_WIDTH - 2 * PADDING} height={NODE_HEIGHT} aria-hidden>
        <text className={css['name']} y={20}>
          {clip(name, NAME_LETTERS)}
        </text>
        <Icon x={0} y={26} size={SMALL_ICON - 1} className={css['icon']} />
        <text className={css['state']} x={SMALL_ICON + 4} y={37}>
          {clip(said.length <= STATE_LETTERS ? said : words.text, STATE_LETTERS)}
        </text>
      </svg>
    </g>
  )
})

function clip(text: string, letters: number): string {
  const all = Array.from(text)
  return all.length <= letters
    ? text
    : `${all
        .slice(0, letters - 1)
        .join('')
        .trimEnd()}…`
}
