import { useState } from 'react'
import type { StoryTab } from './search.ts'
import { StoryView } from './story-view.tsx'

/** A story in the side panel. */
export function StoryPanel({ storyId }: { readonly storyId: string }) {
  const [tab, setTab] = useState<StoryTab>('overview')
  return <StoryView storyId={storyId} tab={tab} onTab={setTab} />
}
