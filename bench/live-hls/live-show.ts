import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createShowrunner, type Showrunner } from '../../lib/client/showrunner.ts'

/** A live show at its own `npm start`. */
export interface LiveShow extends AsyncDisposable {
  readonly api: Showrunner
  readonly showId: string
  /** Address of the console that signs in. */
  readonly consoleUrl: string
  /** Address of its first broadcast. */
  readonly playlist: string
  /** Milliseconds since the epoch. */
  readonly liveAt: number
}

const COMMAND = join(fileURLToPath(new URL('../..', import.meta.url)), 'bin/showrunner.ts')
const PORTS = ['--port=0', '--api-port=0', '--sandbox-port=0', '--join-port=0']
const POLL_INTERVAL = 500

/** Starts the system in a temporary folder, and a show with one participant. Resolves once it is live and broadcast by HLS. */
export async function startLiveShow(document: object, signal: AbortSignal): Promise<LiveShow> {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await mkdtempDisposable(join(tmpdir(), 'showrunner-bench-')))
  const directory = join(folder.path, 'local')
  const start = (...args: readonly string[]) => {
    const child = spawn(process.execPath, [COMMAND, ...args, '--directory', directory], {
      ...{ stdio: ['ignore', 'pipe', 'ignore'], signal },
    })
    child.on('error', () => {}) // an abort, or an end that `readAddresses` reports
    opened.defer(() => end(child))
    return child
  }
  const { apiUrl: url, token, consoleUrl } = await readAddresses(start('start', '--json', ...PORTS))
  const api = createShowrunner({ url, token })
  const file = join(folder.path, 'show.json')
  await writeFile(file, JSON.stringify(document))
  const run = start('run', file, '--participants', '1')
  run.stdout?.resume()
  for (;;) {
    if (run.exitCode !== null) throw new Error(`The show of the bench could not be started (status ${run.exitCode}).`)
    const [listed] = (await api.shows.list({ limit: 1 }).page()).items
    const { showId, liveAt, broadcasts } = listed ? await api.shows.get(listed.showId) : {}
    const playlist = broadcasts?.[0]?.hls
    if (showId && liveAt && playlist && (await fetch(playlist, { signal })).ok) {
      const running = opened.move()
      const dispose = () => running.disposeAsync()
      return { api, showId, consoleUrl, playlist, liveAt: Date.parse(liveAt), [Symbol.asyncDispose]: dispose }
    }
    await sleep(POLL_INTERVAL, undefined, { signal })
  }
}

async function readAddresses({ stdout }: ChildProcess): Promise<Record<'apiUrl' | 'token' | 'consoleUrl', string>> {
  if (stdout) for await (const line of createInterface(stdout)) if (line.startsWith('{')) return JSON.parse(line)
  throw new Error('`npm start` ended before it was ready.')
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
