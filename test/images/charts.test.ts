import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeCharts } from '../../tools/release/charts.ts'

const RELEASE = { version: '1.2.3', epoch: 1_700_000_000 }

describe('the charts of a release', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-charts-'))
    for (const name of ['first', 'second', 'none'])
      mkdirSync(join(folder, 'charts', name, 'templates'), { recursive: true })
    for (const name of ['first', 'second']) {
      const chart = `apiVersion: v2\nname: ${name}\nversion: 0.0.0\n`
      writeFileSync(join(folder, 'charts', name, 'Chart.yaml'), chart)
      writeFileSync(join(folder, 'charts', name, 'templates', 'a.yaml'), '')
    }
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  function pack(name: string): string {
    const [work, to] = [join(folder, `${name}-work`), join(folder, name)]
    mkdirSync(to)
    writeCharts(folder, work, to, RELEASE)
    return to
  }

  it('are all folders with a Chart.yaml, each with the version of the release', () => {
    const packed = pack('packed')
    assert.deepEqual(readdirSync(packed), ['first-1.2.3.tgz', 'second-1.2.3.tgz'])
    const shown = execFileSync('helm', ['show', 'chart', join(packed, 'first-1.2.3.tgz')], { encoding: 'utf8' })
    assert.match(shown, /appVersion: 1\.2\.3\n[^]*version: 1\.2\.3\n/)
  })

  it('are equal whenever they are packed', () => {
    const [one, two] = [pack('one'), pack('two')]
    for (const name of readdirSync(one)) assert.deepEqual(readFileSync(join(one, name)), readFileSync(join(two, name)))
  })

  it('are refused where helm refuses one', () => {
    writeFileSync(join(folder, 'charts', 'first', 'Chart.yaml'), 'apiVersion: v2\nname: first\n')
    assert.throws(() => pack('packed'), { message: /^helm package charts\/first .* failed/ })
  })
})
