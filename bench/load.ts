import { Agent, get } from 'node:http'

export interface Load {
  readonly connections: number
  readonly seconds: number
}

/** Requests per second that the server answers while `connections` clients ask one after another. */
export async function measureRate(url: string, { connections, seconds }: Load): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const startedAt = performance.now()
  const until = startedAt + seconds * 1000
  let done = 0
  const client = async (): Promise<void> => {
    while (performance.now() < until) {
      await request(url, agent)
      done++
    }
  }
  await Promise.all(Array.from({ length: connections }, client))
  const elapsed = (performance.now() - startedAt) / 1000
  agent.destroy()
  return done / elapsed
}

/** Milliseconds of each of `count` requests, one after another. */
export async function measureTimes(url: string, count: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const times: number[] = []
  for (let i = 0; i < count; i++) {
    const startedAt = performance.now()
    await request(url, agent)
    times.push(performance.now() - startedAt)
  }
  agent.destroy()
  return times
}

/** Reads the body to its end and throws it away. @throws Error for an answer other than 200 */
function request(url: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`))
      response.on('error', reject)
      response.on('end', resolve)
      response.resume()
    }).on('error', reject)
  })
}
