import { usePanelTab } from '../../components/use-panel.ts'
import { STORY_TABS } from './search.ts'
import { StoryView } from './story-view.tsx'

/** A story in the side panel. */
export function StoryPanel({ storyId }: { readonly storyId: string }) {
  const [tab = 'overview', setTab] = usePanelTab(STORY_TABS)
  return <StoryView storyId={storyId} tab={tab} onTab={setTab} />
}
