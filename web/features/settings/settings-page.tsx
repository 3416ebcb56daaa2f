import { ViewHeader } from '../../components/view-header.tsx'
import { About } from './about.tsx'
import { Access } from './access.tsx'
import { Keys } from './keys.tsx'
import { Notifications } from './notifications.tsx'
import css from './settings.module.css'
import { ThemeChoice } from './theme-choice.tsx'

/** The view at /settings: what this browser keeps, who it is signed in as, and what it talks to. */
export function SettingsPage() {
  return (
    <>
      <ViewHeader title="Settings">
        <span>of this browser</span>
      </ViewHeader>
      <div className={css['page']}>
        <Notifications />
        <ThemeChoice />
        <Access />
        <About />
        <Keys />
      </div>
    </>
  )
}
