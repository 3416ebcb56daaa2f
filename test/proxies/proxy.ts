/** A reverse proxy on loopback, configured as docs/guides/several-people.md has it. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { aCertificate } from '../helpers/certificate.ts'
import { leaveOut } from '../helpers/leave-out.ts'
import { until } from '../helpers/until.ts'

const GUIDE = join(import.meta.dirname, '..', '..', '..', 'docs', 'guides', 'several-people.md')
/** What the guide calls the server. */
export const NAME = 'slipway.example.com'

export const PROXIES = ['nginx', 'caddy'] as const

export interface ProxyPlace {
  /** For configuration and certificate. */
  readonly folder: string
  readonly port: number
  /** `127.0.0.1:<port>` of Slipway. */
  readonly target: string
}

export interface Proxy {
  /** The certificate that it shows. */
  readonly ca: string
  stop(): Promise<void>
}

interface Files extends ProxyPlace {
  readonly certificate: string
  readonly key: string
}

const LAUNCHES = { nginx: launchNginx, caddy: launchCaddy } as const satisfies Record<(typeof PROXIES)[number], unknown>

/** Debian has its servers where only root looks. */
const PATH = `${process.env['PATH'] ?? ''}:/usr/sbin`

/** Leaves out what `context` belongs to where this machine does not have the proxy. */
export function needProxy(context: Mocha.Context, kind: (typeof PROXIES)[number]): void {
  if (spawnSync(kind, ['--help'], { env: { PATH } }).error !== undefined) leaveOut(context, `${kind} is not installed`)
}

/** Starts the one that is installed here. @throws Error with what it printed when it ends before it listens */
export async function startProxy(kind: (typeof PROXIES)[number], place: ProxyPlace): Promise<Proxy> {
  const folder = join(place.folder, kind)
  mkdirSync(folder)
  const pair = aCertificate(NAME)
  const files = { ...place, folder, certificate: join(folder, 'fullchain.pem'), key: join(folder, 'privkey.pem') }
  writeFileSync(files.certificate, pair.certificate)
  writeFileSync(files.key, pair.key)
  const [program, ...args] = LAUNCHES[kind](files)
  const child = spawn(program, args, {
    env: { PATH, HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  const ended = once(child, 'exit')
  await until(`${kind} listens`, async () => {
    if (child.exitCode !== null) throw new Error(`${kind} ended with ${child.exitCode}:\n${printed}`)
    return isListening(place.port)
  })
  return {
    ca: pair.certificate,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

function launchNginx(files: Files): [string, ...string[]] {
  const { folder, port, target, certificate, key } = files
  const server = readGuide('nginx')
    .replace('listen 443 ', `listen 127.0.0.1:${port} `)
    .replace('127.0.0.1:8080', target)
    .replace(`/etc/letsencrypt/live/${NAME}/fullchain.pem`, certificate)
    .replace(`/etc/letsencrypt/live/${NAME}/privkey.pem`, key)
  // As Debian's own file includes those of conf.d; temporary files lie with the test's others.
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  )
  const whole = ['pid nginx.pid;', 'events {}', 'http {', 'access_log off;', ...paths, server, '}']
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, whole.join('\n'))
  return ['nginx', '-p', folder, '-c', file, '-e', 'stderr', '-g', 'daemon off; error_log stderr;']
}

function launchCaddy({ folder, port, target, certificate, key }: Files): [string, ...string[]] {
  // A certificate of an authority cannot be had here, nor port 80 for the redirect.
  const site = readGuide('caddy')
    .replace(`${NAME} {`, `https://${NAME}:${port} {\n  bind 127.0.0.1\n  tls ${certificate} ${key}`)
    .replace('127.0.0.1:8080', target)
  const file = join(folder, 'Caddyfile')
  writeFileSync(file, `{\n  admin off\n  auto_https disable_redirects\n}\n${site}`)
  return ['caddy', 'run', '--adapter', 'caddyfile', '--config', file]
}

function readGuide(language: string): string {
  const [, code] = new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'm').exec(readFileSync(GUIDE, 'utf8')) ?? []
  if (code === undefined) throw new Error(`${GUIDE} has no block of language ${language}`)
  return code
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const end = (answer: boolean): void => {
      socket.destroy()
      resolve(answer)
    }
    socket.on('connect', () => end(true)).on('error', () => end(false))
  })
}
