import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { startFfmpeg } from '../../lib/media/ffmpeg/ffmpeg.ts'
import { findFfmpeg } from '../../lib/media/ffmpeg/find-ffmpeg.ts'
import { readLiveList } from '../../lib/media/hls/playlists/live-clip-playlist.ts'
import { median, times } from '../figures.ts'
import { type LiveShow, startLiveShow } from './live-show.ts'

/** Milliseconds from the request of a clip of a live show. */
export interface ClipTimes {
  /** To its first frame by HLS. */
  readonly firstFrame: number
  /** To its published MP4. */
  readonly mp4: number
}

/** Times of the first clip after a start, which loads the functions, and medians of later ones. */
export interface MeasuredClips {
  readonly first: ClipTimes
  readonly later: ClipTimes
}

const SHOW = {
  ...{ version: 1, name: 'Clips', duration: 3_600, recordings: [] },
  broadcasts: [{ name: 'live', hls: { dvr: true } }],
}
/** Seconds by which the newest segment may be late, on a busy machine. */
const EDGE = 6
const POLL_INTERVAL = 25
/** Milliseconds between two clips, in which the next decoder starts. */
const PAUSE = 3_000
/** Clips of which the medians are taken, after the first one. */
const ROUNDS = 5

/** Measures clips of the last seconds of a show, at which `npm start` runs with one participant. @param seconds of each clip */
export async function measureClips(seconds: number, signal: AbortSignal): Promise<MeasuredClips> {
  const ffmpegPath = await findFfmpeg()
  await using show = await startLiveShow(SHOW, signal)
  await sleep(Math.max(0, show.liveAt + (seconds + EDGE) * 1000 - Date.now()), undefined, { signal })
  const clip = () => measureClip(show, { seconds, ffmpegPath, signal })
  const first = await clip()
  const later = await times(ROUNDS, clip)
  await show.api.controls.stop(show.showId)
  const medianOf = (name: keyof ClipTimes) => median(later.map((time) => time[name]))
  return { first, later: { firstFrame: medianOf('firstFrame'), mp4: medianOf('mp4') } }
}

async function measureClip(
  { api, showId }: LiveShow,
  options: { readonly seconds: number; readonly ffmpegPath: string; readonly signal: AbortSignal },
): Promise<ClipTimes> {
  const { seconds, ffmpegPath, signal } = options
  await using decoder = startDecoder(ffmpegPath)
  await sleep(PAUSE, undefined, { signal })
  const asked = performance.now()
  const { clipId, hls } = await api.clips.createLive(showId, { name: 'Clip', last: seconds })
  if (!hls) throw new Error('The clip was queued: the playlist of the broadcast could not be read.')
  const list = readLiveList(await (await fetch(hls.url, { signal })).text(), hls.url)
  const parts = [list?.initUri ?? '', list?.segments[0]?.uri ?? ''].map(async (uri) =>
    (await fetch(uri, { signal })).bytes(),
  )
  await decoder.firstFrameOf(await Promise.all(parts))
  const firstFrame = performance.now() - asked
  while ((await api.clips.getLive(showId, clipId)).status === 'cutting')
    await sleep(POLL_INTERVAL, undefined, { signal })
  return { firstFrame, mp4: performance.now() - asked }
}

/** Starts a decoder that waits for a stream, as a player does in a page that is open. */
function startDecoder(ffmpegPath: string) {
  const args = ['-f', 'mp4', '-i', 'pipe:0', '-map', '0:v:0', '-f', 'rawvideo', 'pipe:1']
  const { child, ended } = startFfmpeg(ffmpegPath, args)
  return {
    /** Resolves once the first frame of a stream is decoded. */
    async firstFrameOf(stream: readonly Uint8Array[]): Promise<void> {
      const decoded = child.stdout && once(child.stdout, 'data')
      for (const bytes of stream) child.stdin?.write(bytes)
      await Promise.race([decoded, ended])
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended.catch(() => {})
    },
  }
}
