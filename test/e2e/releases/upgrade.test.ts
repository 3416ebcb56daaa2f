import assert from 'node:assert/strict'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { ApiFailure } from '../../../core/rest/client/call.ts'
import { until } from '../../helpers/until.ts'
import { IMAGE, MINUTE } from '../cluster.ts'
import { type Board, type LogReader, followLog, followTasks } from './followers.ts'
import { type Release, discard, helm, imageValues, install, namespaceOf } from '../release.ts'

const PREVIOUS_IMAGE = process.env['SLIPWAY_E2E_PREVIOUS_IMAGE'] ?? IMAGE
const NAMESPACE = namespaceOf('upgrade')
const PARTS = ['operator', 'api-server'] as const
const BETWEEN_TASKS_MS = 250

/** Counts until it is let go, so that whoever reads its log sees a line that is missing or comes twice. */
const counting = (id: string): string =>
  `n=0; until [ -e "$SERVICE_DROP_DIR/${id}-goes" ]; do n=$((n+1)); echo "line $n"; sleep 0.2; done; echo x > ${id}.txt`

/** The charts of the previous version: those that are named, else ours with a lower version. */
async function previousCharts(folder: string): Promise<string> {
  const given = process.env['SLIPWAY_E2E_PREVIOUS_CHARTS']
  if (given !== undefined) return given
  await cp('charts', folder, { recursive: true })
  const file = join(folder, 'slipway', 'Chart.yaml')
  const chart = await readFile(file, 'utf8')
  await writeFile(file, chart.replace(/^((?:app)?[vV]ersion): .*$/gm, '$1: 0.0.9'))
  return folder
}

describe('an upgrade from the previous version, and back', function () {
  this.timeout(4 * MINUTE)
  // Each step stands on the one before.
  this.bail(true)
  let release: Release
  let boards: Board[] = []
  const logs: Record<string, LogReader> = {}
  let folder: string
  let made: Promise<string[]>
  const ending = new AbortController()

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-previous-'))
    const charts = await previousCharts(folder)
    release = await install(NAMESPACE, [], { SLIPWAY_CHARTS: charts, SLIPWAY_E2E_IMAGE: PREVIOUS_IMAGE })
    await release.submit('reviewed', 'echo reviewed; echo x > reviewed.txt')
    // The agent runs one at a time, and the next one does not end by itself.
    await release.untilState('reviewed', 'READY', 2 * MINUTE)
    await release.submit('old', counting('old'))
    await release.submit('queued', 'echo y > queued.txt', { depends_on: ['old'] })
    await release.untilAgentRuns('old')
    // One for each API server.
    boards = [followTasks(release), followTasks(release)]
    logs['old'] = followLog(release.api, 'old')
    await until('both boards show the task that runs', () =>
      boards.every(({ tasks }) => tasks.get('old') === 'RUNNING'),
    )
    made = createAllTheWhile()
  })
  after(async () => {
    ending.abort()
    for (const one of [...boards, ...Object.values(logs)]) one.stop()
    await made
    await discard(NAMESPACE)
    await rm(folder, { recursive: true })
  })

  /** Creates one task after the other, so that there is no moment in which nothing could be missed. */
  async function createAllTheWhile(): Promise<string[]> {
    const ids: string[] = []
    while (!ending.signal.aborted) {
      const id = `while-${ids.length}`
      try {
        await release.api.createTask({ body: { id, name: id, project: 'sample' } })
      } catch (error) {
        // The answer was lost with the pod: asked again, the server says whether the task was made.
        if (error instanceof TypeError) continue
        if (!(error instanceof ApiFailure) || error.status !== 409) throw error
      }
      ids.push(id)
      await delay(BETWEEN_TASKS_MS)
    }
    return ids
  }

  /** Images of the pods of a part, or of a task, without those that are about to end. */
  const imagesOf = async (label: string): Promise<string[]> => {
    const image = '{{(index .spec.containers 0).image}}{{"\\n"}}'
    const template = `go-template={{range .items}}{{if not .metadata.deletionTimestamp}}${image}{{end}}{{end}}`
    const images = await release.kubectl('get', 'pods', '-l', label, '-o', template)
    return [...new Set(images.trim().split('\n'))]
  }

  it('goes on with a running task in the same pod, and starts the one that waited for it', async () => {
    const job = await release.field('job/old-1-run', '.metadata.uid')
    const image = imageValues(IMAGE)
    await helm('upgrade', 'slipway', 'charts/slipway', '-n', NAMESPACE, '--reset-then-reuse-values', ...image, '--wait')
    for (const part of PARTS) {
      assert.deepEqual(await imagesOf(`app.kubernetes.io/component=${part}`), [IMAGE])
    }
    assert.deepEqual(await imagesOf('slipway.dev/task=old'), [PREVIOUS_IMAGE])
    await release.letGo('old-goes')
    await release.untilState('old', 'READY')
    assert.equal(await release.field('job/old-1-run', '.metadata.uid'), job)
    await release.untilState('queued', 'READY')
    assert.deepEqual(await imagesOf('slipway.dev/task=queued'), [IMAGE])
  })

  it('goes on with a task of the new version after a rollback', async () => {
    await release.submit('new', counting('new'))
    await release.submit('behind', 'echo y > behind.txt', { depends_on: ['new'] })
    await release.untilAgentRuns('new')
    logs['new'] = followLog(release.api, 'new')
    const job = await release.field('job/new-1-run', '.metadata.uid')
    await helm('rollback', 'slipway', '-n', NAMESPACE, '--wait')
    for (const part of PARTS) assert.deepEqual(await imagesOf(`app.kubernetes.io/component=${part}`), [PREVIOUS_IMAGE])
    assert.deepEqual(await imagesOf('slipway.dev/task=new'), [IMAGE])
    await release.letGo('new-goes')
    await release.untilState('new', 'READY')
    assert.equal(await release.field('job/new-1-run', '.metadata.uid'), job)
    await release.untilState('behind', 'READY')
  })

  it('lets work be accepted that was READY before, whichever version made it', async () => {
    for (const id of ['reviewed', 'old', 'queued', 'new']) {
      await release.api.acceptTask({ params: { id } })
      await release.untilState(id, 'COMPLETED')
    }
  })

  it('shows every change to the WebSocket clients, which connected again by themselves', async () => {
    ending.abort()
    const ids = await made
    assert.ok(ids.length > 20, `${ids.length} tasks were made all the while`)
    const tasks = await release.api.listTasks({ query: {} })
    assert.deepEqual(
      ids.filter((id) => !tasks.some((task) => task.id === id)),
      [],
    )
    const expected = new Map(tasks.map(({ id, state }) => [id, state]))
    for (const board of boards) {
      await until('a board shows what the server has', () => isDeepStrictEqual(new Map(board.tasks), expected))
      assert.ok(board.connections() > 2, `${board.connections()} connections`)
    }
  })

  it('shows every line of output once, in order, to who reads a log all the while', async () => {
    for (const [id, { end, lines }] of Object.entries(logs)) {
      assert.equal(await end, 'READY')
      const counted = lines.filter((line) => line.startsWith('line '))
      assert.ok(counted.length > 20, `${id}: ${counted.length} lines`)
      assert.deepEqual(
        counted,
        counted.map((_, i) => `line ${i + 1}`),
      )
    }
  })
})
