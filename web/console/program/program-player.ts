import { element, setText } from '../../dom.ts'
import { playHls } from './hls-player.ts'
import type { PlayingSource } from './playing-source.ts'
import type { ProgramSource } from './program-sources.ts'
import { playWhep } from './whep-player.ts'

const RETRY_MS = 2_000

/** Creates the player of a program. It is muted, so that it may autoplay. */
export function createProgramPlayer() {
  const video = element('video', { playsinline: '', 'aria-label': 'Live broadcast' })
  video.muted = true
  const note = element('p', { class: 'note', role: 'status' })
  const root = element('div', { class: 'stage' }, video, note)
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
    latency: async () => source?.latency().catch(() => undefined),
  }
}
