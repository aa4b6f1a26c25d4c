import Hls, { type ErrorData, type HlsConfig } from 'hls.js'
import type { WatchedRecording } from '../../lib/publish/manifest/watched-recording.ts'

/** A rendition to choose from. Level `-1` adapts to the bandwidth. */
export interface RenditionChoice {
  readonly level: number
  readonly label: string
}

export interface Player {
  /** Calls `show` with the renditions once the playlist is loaded. */
  onQualities(show: (qualities: readonly RenditionChoice[]) => void): void
  choose(level: number): void
  /** Calls `show` with the rendition that plays, whenever it changes. */
  onPlayed(show: (label: string) => void): void
}

export interface PlayerOptions {
  notify(text: string): void
  /** Returns the recording with new links. */
  renew(): Promise<WatchedRecording>
  /** Seconds. @default the beginning */
  readonly start?: number | undefined
}

/** The page manages captions itself. These controllers would clear its tracks whenever a playlist is loaded. */
const withoutCaptions = {
  timelineController: undefined,
  subtitleTrackController: undefined,
  subtitleStreamController: undefined,
} as unknown as Partial<HlsConfig>

/** Retries after a transient failure, such as an expired link or a lost connection. */
const MAX_RELOADS = 5

/**
 * Plays a recording: its playlist if the browser can, else the file. Links expire after an hour, so a failure loads the
 * recording again with new links, and playback continues at the same position.
 */
export function createPlayer(
  video: HTMLVideoElement,
  recording: WatchedRecording,
  { notify, renew, start }: PlayerOptions,
): Player {
  const { playlist } = recording
  if (playlist && Hls.isSupported()) return playByHls(video, playlist, notify, start)
  playDirectly(video, recording, { notify, renew })
  if (start !== undefined) video.currentTime = start
  return { onQualities() {}, choose() {}, onPlayed() {} }
}

/** Plays without a worker, since the page may not run code from a blob. */
function playByHls(video: HTMLVideoElement, playlist: string, notify: (text: string) => void, start = -1): Player {
  const hls = new Hls({ enableWorker: false, capLevelToPlayerSize: true, ...withoutCaptions })
  let reloads = 0
  hls.on(Hls.Events.FRAG_BUFFERED, () => {
    reloads = 0
  })
  hls.on(Hls.Events.ERROR, (_, error) => {
    if (!error.fatal) return
    if (error.type === Hls.ErrorTypes.MEDIA_ERROR && reloads++ < MAX_RELOADS) return hls.recoverMediaError()
    if (error.type === Hls.ErrorTypes.NETWORK_ERROR && reloads++ < MAX_RELOADS) return reload(video.currentTime)
    notify(messageFor(error))
  })
  const reload = (position: number) => {
    hls.config.startPosition = position
    hls.loadSource(new URL(playlist, location.href).href)
  }
  reload(start)
  hls.attachMedia(video)
  return {
    onQualities(show) {
      hls.on(Hls.Events.MANIFEST_PARSED, (_, { levels }) => {
        const named = levels.map(({ height, bitrate }, level) => ({ level, height, bitrate }))
        named.sort((one, other) => other.height - one.height || other.bitrate - one.bitrate)
        const labels = named.map(({ level, ...rendition }) => ({ level, label: labelOf(rendition) }))
        show(labels.length > 1 ? [{ level: -1, label: 'Auto' }, ...labels] : [])
      })
    },
    choose(level) {
      hls.nextLevel = level
    },
    onPlayed(show) {
      hls.on(Hls.Events.LEVEL_SWITCHED, (_, { level }) => {
        const played = hls.levels[level]
        if (played) show(`now ${labelOf(played)}`)
      })
    },
  }
}

const labelOf = ({ height, bitrate }: { readonly height: number; readonly bitrate: number }) =>
  height ? `${height}p` : `${Math.round(bitrate / 1000)} kbit/s`

/** Plays natively: the playlist in Safari on a phone, else the file. */
function playDirectly(video: HTMLVideoElement, recording: WatchedRecording, { notify, renew }: PlayerOptions): void {
  const byPlaylist = recording.playlist && video.canPlayType('application/vnd.apple.mpegurl')
  const addressOf = ({ playlist, file }: WatchedRecording) => (byPlaylist && playlist ? playlist : (file ?? ''))
  let reloads = 0
  video.addEventListener('playing', () => {
    reloads = 0
  })
  video.addEventListener('error', async () => {
    if (reloads++ >= MAX_RELOADS) return notify('The recording cannot be played here.')
    const position = video.currentTime
    try {
      video.src = addressOf(await renew())
      video.currentTime = position
      await video.play()
    } catch (error) {
      notify((error as Error).message)
    }
  })
  video.src = addressOf(recording)
}

const messageFor = ({ response, details }: ErrorData) =>
  response?.code === 403
    ? 'This link has expired. Ask the publisher for a new one.'
    : `The recording cannot be played (${details}). Reload the page.`
