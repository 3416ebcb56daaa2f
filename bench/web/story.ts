import { type Figure, median } from '../figure.ts'
import { type WebRig, takeLongest, timeUntil, withPage } from './rig.ts'

const [SIZE, DEPTH] = [200, 10]
const REPEATS = 3

/** The page of a story whose graph is as large as graphs are drawn: chains of ten tasks beside each other. */
export async function measureStory({ browser, server }: WebRig): Promise<Figure[]> {
  await makeStory(server, 'small', DEPTH)
  await makeStory(server, 'large', SIZE)
  const open = (id: string) =>
    withPage(browser, async (page) => {
      const url = `${server.program.url}/stories/${id}`
      const ms = await timeUntil(page, () => page.goto(url), 'svg [data-node]')
      return { ms, longestMs: await takeLongest(page) }
    })
  const small: Opening[] = []
  const large: Opening[] = []
  for (let i = 0; i < REPEATS; i++) {
    small.push(await open('small'))
    large.push(await open('large'))
  }
  return [
    {
      name: 'story with a graph of 200 tasks opens, cold cache',
      unit: 'ms',
      ours: median(large.map(({ ms }) => ms)),
      floor: { what: 'the same page, a graph of ten', value: median(small.map(({ ms }) => ms)) },
      aim: { atMost: 1.5, of: 'ratio' },
    },
    {
      name: 'longest task meanwhile',
      unit: 'ms',
      ours: median(large.map(({ longestMs }) => longestMs)),
      floor: { what: 'the same page, a graph of ten', value: median(small.map(({ longestMs }) => longestMs)) },
      aim: { atMost: 100 },
    },
  ]
}

interface Opening {
  readonly ms: number
  readonly longestMs: number
}

/** Each task names the one before it, which has to be there. */
async function makeStory(server: WebRig['server'], id: string, size: number): Promise<void> {
  await server.call('POST', '/api/stories', { id, name: `The ${id} story` })
  const chains = Array.from({ length: size / DEPTH }, (_, chain) => chain * DEPTH)
  for (let depth = 0; depth < DEPTH; depth += 1) {
    const create = (first: number) =>
      server.create(`${id}-${first + depth}`, 'true', {
        story_id: id,
        ...(depth === 0 ? {} : { depends_on: [`${id}-${first + depth - 1}`] }),
      })
    await Promise.all(chains.map(create))
  }
}
