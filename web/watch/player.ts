import Hls, { type ErrorData, type HlsConfig } from 'hls.js'
import type { WatchedRecording } from '../../lib/publish/manifest/watched-recording.ts'
import { fetchRecording } from './recording.ts'

/** One of the renditions to choose from, or `-1` for whichever suits the line. */
export interface Quality {
  readonly level: number
  readonly label: string
}

export interface Player {
  /** Called once there is something to choose from. */
  onQualities(show: (qualities: readonly Quality[]) => void): void
  choose(level: number): void
}

/** The page shows captions by itself; these would empty its tracks each time that a playlist is loaded. */
const withoutCaptions = {
  timelineController: undefined,
  subtitleTrackController: undefined,
  subtitleStreamController: undefined,
} as unknown as Partial<HlsConfig>

/** Tries after a failure that may pass: links end, and lines break. */
const MAX_RELOADS = 5

/**
 * Plays a recording: by its playlist where the browser can, else the file as a whole. Links end after an hour, so what fails is
 * loaded once more, with new ones, and goes on where it was.
 */
export function createPlayer(
  video: HTMLVideoElement,
  recording: WatchedRecording,
  say: (words: string) => void,
): Player {
  const { playlist } = recording
  if (playlist && Hls.isSupported()) return playByHls(video, playlist, say)
  playDirectly(video, recording, say)
  return { onQualities() {}, choose() {} }
}

/** Without a worker, which would have to be allowed to run code from a blob. */
function playByHls(video: HTMLVideoElement, playlist: string, say: (words: string) => void): Player {
  const hls = new Hls({ enableWorker: false, capLevelToPlayerSize: true, ...withoutCaptions })
  let reloads = 0
  hls.on(Hls.Events.FRAG_BUFFERED, () => {
    reloads = 0
  })
  hls.on(Hls.Events.ERROR, (_, error) => {
    if (!error.fatal) return
    if (error.type === Hls.ErrorTypes.MEDIA_ERROR && reloads++ < MAX_RELOADS) return hls.recoverMediaError()
    if (error.type === Hls.ErrorTypes.NETWORK_ERROR && reloads++ < MAX_RELOADS) return reload(video.currentTime)
    say(wordsOf(error))
  })
  const reload = (position: number) => {
    hls.config.startPosition = position
    hls.loadSource(new URL(playlist, location.href).href)
  }
  reload(-1)
  hls.attachMedia(video)
  return {
    onQualities(show) {
      hls.on(Hls.Events.MANIFEST_PARSED, (_, { levels }) => {
        const named = levels.map(({ height, bitrate }, level) => ({ level, height, bitrate }))
        named.sort((one, other) => other.height - one.height || other.bitrate - one.bitrate)
        const labels = named.map(({ level, height, bitrate }) => ({
          level,
          label: height ? `${height}p` : `${Math.round(bitrate / 1000)} kbit/s`,
        }))
        show(labels.length > 1 ? [{ level: -1, label: 'Auto' }, ...labels] : [])
      })
    },
    choose(level) {
      hls.nextLevel = level
    },
  }
}

/** Safari on a phone plays playlists by itself; whoever has no playlist gets the file. */
function playDirectly(video: HTMLVideoElement, recording: WatchedRecording, say: (words: string) => void): void {
  const byPlaylist = recording.playlist && video.canPlayType('application/vnd.apple.mpegurl')
  const addressOf = ({ playlist, download }: WatchedRecording) => (byPlaylist && playlist ? playlist : (download ?? ''))
  let reloads = 0
  video.addEventListener('playing', () => {
    reloads = 0
  })
  video.addEventListener('error', async () => {
    if (reloads++ >= MAX_RELOADS) return say('The recording cannot be played here.')
    const position = video.currentTime
    try {
      video.src = addressOf(await fetchRecording())
      video.currentTime = position
      await video.play()
    } catch (error) {
      say((error as Error).message)
    }
  })
  video.src = addressOf(recording)
}

const wordsOf = ({ response, details }: ErrorData) =>
  response?.code === 403
    ? 'This link has expired. Ask the publisher for a new one.'
    : `The recording cannot be played (${details}); load the page again.`
