import { getRouteApi } from '@tanstack/react-router'
import { StoryView } from './story-view.tsx'

const route = getRouteApi('/stories/$storyId')

/** The view at /stories/:id. */
export function StoryPage() {
  const { storyId } = route.useParams()
  const { tab = 'overview' } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <StoryView
      key={storyId}
      storyId={storyId}
      isPage
      tab={tab}
      onTab={(next) =>
        void navigate({
          search: ({ tab: _tab, ...rest }) => (next === 'overview' ? rest : { ...rest, tab: next }),
          replace: true,
          resetScroll: false,
        })
      }
    />
  )
}
