import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createShowrunner, type Showrunner } from '../../lib/client/showrunner.ts'
import { runFfmpeg } from '../../lib/media/ffmpeg/ffmpeg.ts'
import { findFfmpeg } from '../../lib/media/ffmpeg/find-ffmpeg.ts'
import { readLiveList } from '../../lib/media/hls/playlists/live-clip-playlist.ts'
import { quantile } from '../figures.ts'

/** Milliseconds from the request of a clip of a live show. */
export interface ClipTimes {
  /** To its first frame by HLS. */
  readonly firstFrame: number
  /** To its published MP4. */
  readonly mp4: number
}

const COMMAND = join(fileURLToPath(new URL('../..', import.meta.url)), 'bin/showrunner.ts')
const SHOW = {
  ...{ version: 1, name: 'Clips', duration: 3_600, recordings: [] },
  broadcasts: [{ name: 'live', hls: { dvr: true } }],
}
/** Seconds by which the newest segment may be late, on a busy machine. */
const EDGE = 6
const POLL_INTERVAL = 25
/** Clips of which the medians are taken, after one that compiles the functions. */
const ROUNDS = 5

/** Measures clips of the last seconds of a show, at which `npm start` runs with one participant. @param seconds of each clip */
export async function measureClips(seconds: number, signal: AbortSignal): Promise<ClipTimes> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'showrunner-bench-'))
  const ffmpegPath = await findFfmpeg()
  const directory = join(folder.path, 'local')
  const ports = ['--port=0', '--api-port=0', '--sandbox-port=0', '--join-port=0']
  const started: ChildProcess[] = []
  const start = (...args: readonly string[]) => {
    const child = spawn(process.execPath, [COMMAND, ...args, '--directory', directory], {
      ...{ stdio: ['ignore', 'pipe', 'ignore'], signal },
    })
    child.on('error', () => {}) // an abort, or an end that `readAddresses` reports
    started.push(child)
    return child
  }
  try {
    const { apiUrl: url, token } = await readAddresses(start('start', '--json', ...ports))
    const api = createShowrunner({ url, token })
    const file = join(folder.path, 'show.json')
    await writeFile(file, JSON.stringify(SHOW))
    const run = start('run', file, '--participants', '1')
    run.stdout?.resume()
    const showId = await liveShow(api, { run, seconds, signal })
    const times: ClipTimes[] = []
    for (let round = 0; round <= ROUNDS; round++) {
      const time = await measureClip(api, { showId, seconds, ffmpegPath, signal })
      if (round > 0) times.push(time)
    }
    await api.controls.stop(showId)
    return {
      firstFrame: quantile(
        times.map(({ firstFrame }) => firstFrame),
        0.5,
      ),
      mp4: quantile(
        times.map(({ mp4 }) => mp4),
        0.5,
      ),
    }
  } finally {
    for (const child of started.reverse()) await end(child)
  }
}

async function measureClip(
  api: Showrunner,
  options: { readonly showId: string; readonly seconds: number; readonly ffmpegPath: string; signal: AbortSignal },
): Promise<ClipTimes> {
  const { showId, seconds, ffmpegPath, signal } = options
  const asked = performance.now()
  const { clipId, hls } = await api.clips.createLive(showId, { name: 'Clip', last: seconds })
  if (!hls) throw new Error('The clip was queued: the playlist of the broadcast could not be read.')
  const list = readLiveList(await (await fetch(hls.url, { signal })).text(), hls.url)
  const parts = [list?.initUri ?? '', list?.segments[0]?.uri ?? ''].map(async (uri) =>
    (await fetch(uri, { signal })).bytes(),
  )
  const [init = new Uint8Array(), segment = new Uint8Array()] = await Promise.all(parts)
  await runFfmpeg(ffmpegPath, ['-i', 'pipe:0', '-frames:v', '1', '-f', 'null', '-'], [init, segment])
  const firstFrame = performance.now() - asked
  while ((await api.clips.getLive(showId, clipId)).status === 'cutting')
    await sleep(POLL_INTERVAL, undefined, { signal })
  return { firstFrame, mp4: performance.now() - asked }
}

/** Waits until a show has been live for the seconds of a clip. Returns its id. */
async function liveShow(
  api: Showrunner,
  { run, seconds, signal }: { readonly run: ChildProcess; readonly seconds: number; readonly signal: AbortSignal },
): Promise<string> {
  for (;;) {
    if (run.exitCode !== null) throw new Error(`The show of the bench could not be started (status ${run.exitCode}).`)
    const [listed] = (await api.shows.list({ limit: 1 }).page()).items
    const liveAt = listed && (await api.shows.get(listed.showId)).liveAt
    if (listed && liveAt && Date.now() - Date.parse(liveAt) > (seconds + EDGE) * 1000) return listed.showId
    await sleep(500, undefined, { signal })
  }
}

async function readAddresses({ stdout }: ChildProcess): Promise<Record<'apiUrl' | 'token', string>> {
  if (stdout) for await (const line of createInterface(stdout)) if (line.startsWith('{')) return JSON.parse(line)
  throw new Error('`npm start` ended before it was ready.')
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
