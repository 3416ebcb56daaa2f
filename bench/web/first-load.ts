import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Figure } from '../figure.ts'
import { alternate } from '../measure.ts'
import { type WebRig, withPage } from './rig.ts'

const REPEATS = 5

/** The board from a cold cache over loopback: its JavaScript, and when the largest part of it is painted. */
export async function measureFirstLoad({ browser, server }: WebRig): Promise<Figure[]> {
  await server.call('POST', '/api/stories', { id: 'first', name: 'First story', status: 'BACKLOG' })
  const url = `${server.program.url}/stories`
  const load = () =>
    withPage(browser, async (page) => {
      let scripts = 0
      let bytes = 0
      const sizes: Promise<void>[] = []
      page.on('requestfinished', (request) => {
        sizes.push(
          (async () => {
            const { responseBodySize } = await request.sizes()
            bytes += responseBodySize
            if (request.resourceType() === 'script') scripts += responseBodySize
          })(),
        )
      })
      await page.goto(url)
      await page.waitForSelector('[data-story]')
      await page.evaluate('new Promise((done) => setTimeout(done, 300))')
      await Promise.all(sizes)
      return { scripts, bytes, paintMs: Number(await page.evaluate('noted.paint')) }
    })
  const first = await load()
  const paint = await withStaticPage(first.bytes, (staticUrl) =>
    alternate(
      REPEATS,
      async () => (await load()).paintMs,
      () =>
        withPage(browser, async (page) => {
          await page.goto(staticUrl)
          await page.waitForFunction('window.noted.paint > 0')
          return Number(await page.evaluate('noted.paint'))
        }),
    ),
  )
  return [
    { name: 'JavaScript of the board, compressed', unit: 'kB', ours: first.scripts / 1000, aim: { atMost: 180 } },
    {
      name: 'largest paint of the board, cold cache',
      unit: 'ms',
      ours: paint.ours,
      floor: { what: 'a static page with as many bytes', value: paint.floor },
      // The static page runs no script and asks for no lists (docs/ui.md, "Size and speed").
      aim: { atMost: 500 },
    },
  ]
}

/** A page whose text comes behind a script of that many bytes, which does nothing. */
async function withStaticPage<T>(bytes: number, use: (url: string) => Promise<T>): Promise<T> {
  const page = '<!doctype html><title>static</title><script src="/script.js"></script><h1>A static page</h1>'
  const script = `/*${' '.repeat(Math.max(0, bytes - page.length - 4))}*/`
  const server = createServer(({ url }, response) => {
    response.setHeader('Content-Type', url === '/' ? 'text/html' : 'text/javascript')
    response.end(url === '/' ? page : script)
  })
  const address = await new Promise<AddressInfo>((resolve, reject) => {
    server.listen(0, '127.0.0.1', () => {
      const found = server.address()
      if (typeof found === 'object' && found !== null) resolve(found)
      else reject(new Error('the static page has no port'))
    })
  })
  try {
    return await use(`http://127.0.0.1:${address.port}/`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}
