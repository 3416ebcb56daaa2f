/** Git servers in containers, by testcontainers: Apache for user and password, OpenSSH for keys. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type StartedTestContainer, GenericContainer, Wait } from 'testcontainers'

const START_LIMIT_MS = 60_000

/** Type and content of a git Secret. */
export interface Login {
  readonly type: 'kubernetes.io/basic-auth' | 'kubernetes.io/ssh-auth'
  readonly stringData: Readonly<Record<string, string>>
}

export interface GitServer {
  /** As the annotation of a Secret names it. */
  readonly host: string
  urlOf(repository: string): string
  /** What the server takes now. */
  login(): Login
  /** For a user who may clone and not push. */
  readonly reader: Login
  readonly wrong: Login
  /** From now on the server takes another login, and refuses the one before. */
  renewLogin(): Promise<void>
  /** @param size of a file in it that cannot be compressed, such as `64M` */
  makeRepository(name: string, size?: string): Promise<void>
  /** Runs git in a repository on the server. */
  git(repository: string, ...args: string[]): Promise<string>
  /** Sets the hook that may refuse a push. */
  setHook(repository: string, script: string): Promise<void>
  /** All secrets that were used so far. */
  secrets(): readonly string[]
  stop(): Promise<void>
}

function containerOf(image: string, command: readonly string[]): GenericContainer {
  return new GenericContainer(image)
    .withCommand([...command])
    .withWaitStrategy(Wait.forListeningPorts())
    .withStartupTimeout(START_LIMIT_MS)
}

/** Part of every server: what is done inside its container. */
function inside(container: StartedTestContainer) {
  const exec = async (...command: string[]): Promise<string> => {
    const { output, exitCode } = await container.exec(command, { user: 'git' })
    assert.equal(exitCode, 0, `${command.join(' ')}: ${output}`)
    return output.trim()
  }
  const pathOf = (repository: string): string => `/srv/git/${repository}.git`
  return {
    makeRepository: async (name: string, size = '') => void (await exec('make-repository', name, size)),
    git: (repository: string, ...args: string[]) => exec('git', '-C', pathOf(repository), ...args),
    setHook: (repository: string, script: string) =>
      container.copyContentToContainer([
        { content: `#!/bin/sh\n${script}\n`, target: `${pathOf(repository)}/hooks/pre-receive`, mode: 0o755 },
      ]),
    stop: async () => void (await container.stop()),
  }
}

/** A server over http with the users `git`, who may push, and `reader`, who may not. */
export async function startHttpServer(image: string): Promise<GitServer> {
  const passwords = ['first-password-of-git']
  const [readers, wrong] = ['password-of-reader', 'never-a-password']
  const users = () => {
    const line = (user: string, password: string) =>
      `${user}:{SHA}${createHash('sha1').update(password).digest('base64')}\n`
    return [
      {
        content: line('git', passwords.at(-1) ?? '') + line('reader', readers),
        target: '/etc/git-users',
        mode: 0o644,
      },
    ]
  }
  const container = await containerOf(image, ['apachectl', '-D', 'FOREGROUND'])
    .withExposedPorts(80)
    .withCopyContentToContainer(users())
    .start()
  const authority = `${container.getHost()}:${container.getMappedPort(80)}`
  const basic = (username: string, password: string): Login => ({
    type: 'kubernetes.io/basic-auth',
    stringData: { username, password },
  })
  return {
    ...inside(container),
    // With its scheme: over plain http nothing is sent without.
    host: `http://${authority}`,
    urlOf: (repository) => `http://${authority}/${repository}.git`,
    login: () => basic('git', passwords.at(-1) ?? ''),
    reader: basic('reader', readers),
    wrong: basic('git', wrong),
    secrets: () => [...passwords, readers, wrong],
    async renewLogin() {
      passwords.push('second-password-of-git')
      await container.copyContentToContainer(users())
    },
  }
}

/** A server over ssh with a user `git`, who may push with one key and clone with another. */
export async function startSshServer(image: string): Promise<GitServer> {
  const [reader, wrong, ...keys] = [makeKey(), makeKey(), makeKey()]
  const current = () => keys.at(-1) ?? assert.fail('no key')
  const authorized = () => [
    {
      content: `${current().public}\ncommand="read-only",restrict ${reader.public}\n`,
      target: '/home/git/.ssh/authorized_keys',
      mode: 0o644,
    },
  ]
  const container = await containerOf(image, ['/usr/sbin/sshd', '-D', '-e'])
    .withExposedPorts(22)
    .withCopyContentToContainer(authorized())
    .start()
  const [name, port] = [container.getHost(), container.getMappedPort(22)]
  const { output } = await container.exec(['cat', '/etc/ssh/ssh_host_ed25519_key.pub'])
  const known_hosts = `[${name}]:${port} ${output.split(' ').slice(0, 2).join(' ')}\n`
  const withKey = ({ secret }: Key): Login => ({
    type: 'kubernetes.io/ssh-auth',
    stringData: { 'ssh-privatekey': secret, known_hosts },
  })
  return {
    ...inside(container),
    host: `${name}:${port}`,
    urlOf: (repository) => `ssh://git@${name}:${port}/srv/git/${repository}.git`,
    login: () => withKey(current()),
    reader: withKey(reader),
    wrong: withKey(wrong),
    // A line within a key: the others are the same in all keys of this kind.
    secrets: () => [reader, wrong, ...keys].map(({ secret }) => secret.split('\n')[3] ?? assert.fail('a short key')),
    async renewLogin() {
      keys.push(makeKey())
      await container.copyContentToContainer(authorized())
    },
  }
}

interface Key {
  readonly secret: string
  readonly public: string
}

function makeKey(): Key {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-key-'))
  try {
    const file = join(folder, 'key')
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'a test', '-f', file])
    return { secret: readFileSync(file, 'utf8'), public: readFileSync(`${file}.pub`, 'utf8').trim() }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
