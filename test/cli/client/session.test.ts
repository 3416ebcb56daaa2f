import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type RequestListener, createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ClientCommand, clientHelp, commandFirst, parseClientArguments } from '../../../cli/client-command.ts'
import { openSession, tokenFor } from '../../../cli/client/session.ts'

async function answering(listener: RequestListener, use: (url: string) => Promise<void>): Promise<void> {
  const server = createServer(listener)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  try {
    await use(typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : '')
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

describe('a session with a server', () => {
  const env = { SLIPWAY_TOKEN: 'a-token-of-mine' }

  it('says how to start one when nobody answers', async () => {
    let gone = ''
    await answering(
      () => undefined,
      async (url) => void (gone = url),
    )
    const { api } = await openSession({ server: gone, form: 'table', env })
    await assert.rejects(api.listTasks(), { message: /^no server answers at .*ECONNREFUSED.*npm start/ })
  })

  it('refuses a token that no request can carry, without repeating it', async () => {
    for (const token of ['top\nsecret', '“top-secret”'])
      await assert.rejects(openSession({ server: undefined, form: 'table', env: { SLIPWAY_TOKEN: token } }), {
        message: 'SLIPWAY_TOKEN is no token: a token is one line of printable ASCII without blanks',
      })
  })

  it('passes on what the server warns of, and not how old its answer is', async () => {
    const warning = String.raw`110 - "Response is Stale", 299 - "say \"hello\"", 299 - "and go"`
    const listener: RequestListener = (_, response) =>
      response.writeHead(200, { 'X-Request-Id': 'r', Warning: warning }).end('[]')
    await answering(listener, async (url) => {
      const said: string[] = []
      await (await openSession({ server: url, form: 'table', env, warn: (text) => said.push(text) })).api.listTasks()
      assert.deepEqual(said, ['say "hello"', 'and go'])
    })
  })

  it('tells another program from a Slipway server', async () => {
    const other: RequestListener = (_, response) => response.writeHead(404).end('<html>')
    await answering(other, async (url) => {
      const { api } = await openSession({ server: url, form: 'table', env })
      await assert.rejects(api.listTasks(), { message: /\(404\) is no Slipway server/ })
    })
  })

  it('says where to put a token that the server asks for, and where one is from that it does not know', async () => {
    const closed: RequestListener = (_, response) =>
      response.writeHead(401, { 'X-Request-Id': '1' }).end('{"error":"x"}')
    const folder = await mkdtemp(join(tmpdir(), 'slipway-session-'))
    try {
      await writeFile(join(folder, 'config.yaml'), 'token: of-the-data-folder\n')
      await answering(closed, async (server) => {
        const there = { SLIPWAY_DATA_DIR: folder }
        const saved = { name: 'mine', server, token: 'of-a-profile' }
        for (const [given, message] of [
          [{ env: {} }, /asks for a token: set SLIPWAY_TOKEN .*, or save one: slipway login http:/],
          [{ env, saved }, /does not know this token: it is the one in SLIPWAY_TOKEN; .*, or unset it/],
          [{ env: there, saved }, /does not know this token: it is the one of profile mine; .*: slipway login http:/],
          [{ env: there }, /does not know this token: it is the one in the configuration of the data folder; /],
        ] as const)
          await assert.rejects((await openSession({ server, form: 'table', ...given })).api.listTasks(), {
            status: 401,
            message,
          })
      })
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('refuses what is no address', async () => {
    for (const server of ['localhost:8080', 'ftp://x', 'http://me:secret@host', ''])
      await assert.rejects(openSession({ server, form: 'table', env }), { name: 'UsageError' })
  })

  it('gives the token of a data folder to a server on this machine only', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'slipway-session-'))
    try {
      await writeFile(join(folder, 'config.yaml'), 'token: of-the-data-folder\n')
      const there = { SLIPWAY_DATA_DIR: folder }
      assert.equal(await tokenFor(true, there), 'of-the-data-folder')
      assert.equal(await tokenFor(false, there), undefined)
      assert.equal(await tokenFor(false, { ...there, ...env }), 'a-token-of-mine')
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})

describe('the words and flags of a client command', () => {
  const command: ClientCommand = {
    kind: 'client',
    name: 'sail',
    summary: 'Go somewhere',
    examples: ['slipway sail home --fast'],
    words: [{ name: 'port' }, { name: 'route', isOptional: true }],
    flags: [
      { name: 'fast', short: 'f', description: 'Hurry' },
      { name: 'via', isRepeated: true, value: 'port', description: 'Call there' },
    ],
    run: () => Promise.resolve(0),
  }

  it('are told apart wherever they stand', () => {
    const parsed = parseClientArguments(command, ['-f', 'Rio', '--via', 'a', '--via', 'b', '-o', 'json'])
    assert.ok(parsed !== 'help')
    assert.deepEqual([parsed.words, [...parsed.switches], parsed.lists.get('via')], [['Rio'], ['fast'], ['a', 'b']])
    assert.equal(parsed.values.get('output'), 'json')
  })

  it('may have the flags that all commands share before the command', () => {
    for (const [given, expected] of [
      [
        ['-n', 'a', '--context=b', 'sail', 'Rio'],
        ['sail', '-n', 'a', '--context=b', 'Rio'],
      ],
      [
        ['-na', '--kubeconfig', 'c', 'sail'],
        ['sail', '-na', '--kubeconfig', 'c'],
      ],
      [
        ['sail', '-n', 'a'],
        ['sail', '-n', 'a'],
      ],
      [
        ['--server', 'http://a', '-ojson', '-o', 'yaml', 'sail', '-f'],
        ['sail', '--server', 'http://a', '-ojson', '-o', 'yaml', '-f'],
      ],
      [
        ['--server=http://a', '--fast', 'sail'],
        ['--fast', '--server=http://a', 'sail'],
      ],
      [
        ['-', 'a', 'b'],
        ['-', 'a', 'b'],
      ],
      [['-n'], ['-n']],
      [['--help'], ['--help']],
    ] as const)
      assert.deepEqual(commandFirst(given), expected)
  })

  it('are refused when one is missing, unknown or too many, with the usage', () => {
    const refused = (args: string[], message: RegExp): void =>
      assert.throws(() => parseClientArguments(command, args), { name: 'UsageError', message })
    refused([], /the port is missing\nUsage: slipway sail <port> \[<route>\]/)
    refused(['a', 'b', 'c'], /one word too many, "c"/)
    refused(['a', '--slow'], /--slow[^]*slipway sail --help/)
  })

  it('are all in the help, with their short forms', () => {
    const help = clientHelp(command)
    for (const text of [
      'slipway sail <port> [<route>] [flags]',
      '-f, --fast',
      '--via <port>',
      '-o, --output',
      'SLIPWAY_SERVER',
    ])
      assert.ok(help.includes(text), text)
  })
})
