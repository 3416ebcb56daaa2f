/**
 * How many threads Node's pool has, which files and name look-ups share. It is made before any code of ours runs, so a
 * program cannot set it: whoever starts the program does, by UV_THREADPOOL_SIZE.
 *
 * Source: https://nodejs.org/api/cli.html#uv_threadpool_sizesize; libuv's bounds.
 */
export function threadPoolSize(env: Readonly<Record<string, string | undefined>>): number {
  const size = Number.parseInt(env['UV_THREADPOOL_SIZE'] ?? '', 10)
  return Number.isNaN(size) ? DEFAULT_THREADS : Math.min(MAX_THREADS, Math.max(1, size))
}

const DEFAULT_THREADS = 4
const MAX_THREADS = 1024
