import {
  type LucideIcon,
  Bot,
  ChartColumn,
  CircleCheck,
  CircleHelp,
  CirclePause,
  CircleSlash,
  CircleX,
  Clock,
  Eye,
  FolderGit2,
  Inbox,
  ListTodo,
  PackageOpen,
  Play,
  Settings,
  SquareKanban,
  SquareTerminal,
  Zap,
} from 'lucide-react'
import type { StateIcon } from '../model/state-words.ts'

/** One icon for each sign of a state. */
export const STATE_ICONS: Readonly<Record<StateIcon, LucideIcon>> = {
  clock: Clock,
  play: Play,
  eye: Eye,
  question: CircleHelp,
  failed: CircleX,
  done: CircleCheck,
  stopped: CircleSlash,
  pause: CirclePause,
}

/** One icon for each view. */
export const VIEW_ICONS = {
  inbox: Inbox,
  stories: SquareKanban,
  tasks: ListTodo,
  epics: Zap,
  projects: FolderGit2,
  agents: Bot,
  stats: ChartColumn,
  scripts: SquareTerminal,
  drops: PackageOpen,
  settings: Settings,
} as const satisfies Readonly<Record<string, LucideIcon>>

/** Size of icons beside text, in pixels. */
export const ICON = 16
export const SMALL_ICON = 14
