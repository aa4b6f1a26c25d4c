import { element, setText } from '../../dom.ts'
import { playHls } from './hls-player.ts'
import type { PlayingSource, SourceMeasures } from './playing-source.ts'
import type { ProgramSource } from './program-sources.ts'
import { playWhep } from './whep-player.ts'

const RETRY_MS = 2_000

/** Measurements of the picture that is shown. */
export interface ProgramMeasures extends SourceMeasures {
  readonly framesPerSecond?: number | undefined
}

/** Creates the player of a program. It is muted, so that it may autoplay. */
export function createProgramPlayer() {
  const video = element('video', { playsinline: '', 'aria-label': 'Live broadcast' })
  video.muted = true
  const note = element('p', { class: 'note', role: 'status' })
  const root = element('div', { class: 'stage' }, video, note)
  const frames = createFrameMeter(video)
  let playing: string | undefined
  let source: PlayingSource | undefined
  let retry: ReturnType<typeof setTimeout> | undefined

  const notify = (text?: string) => setText(note, text)
  video.addEventListener('playing', () => notify())

  function stop(): void {
    clearTimeout(retry)
    source?.stop()
    source = undefined
    playing = undefined
  }
  return {
    element: root,
    video,
    /** Plays a source. The one that is playing already changes nothing. */
    play(next: ProgramSource): void {
      const key = JSON.stringify(next)
      if (key === playing) return
      stop()
      playing = key
      notify('The picture is starting …')
      const onEnd = () => {
        if (playing !== key) return
        source?.stop()
        source = undefined
        retry = setTimeout(() => {
          if (playing === key) playing = undefined // the next poll plays it again, if it still runs
        }, RETRY_MS)
      }
      source = 'hls' in next ? playHls(video, next.hls, { notify, onEnd }) : playWhep(video, next, { notify, onEnd })
    },
    stop,
    async measure(): Promise<ProgramMeasures> {
      const measured = (await source?.measure().catch(() => undefined)) ?? {}
      return { ...measured, framesPerSecond: frames.measure() }
    },
  }
}

/** Measures the frame rate at which a video is decoded, from one call to the next. */
function createFrameMeter(video: HTMLVideoElement) {
  let [frames, at] = [0, 0]
  return {
    measure(): number | undefined {
      const [decoded, now] = [video.getVideoPlaybackQuality().totalVideoFrames, performance.now()]
      const rate = ((decoded - frames) * 1000) / (now - at)
      const isKnown = at > 0 && frames > 0 && decoded > frames
      ;[frames, at] = [decoded, now]
      return isKnown ? Math.round(rate) : undefined
    },
  }
}
