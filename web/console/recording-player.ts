import { element } from '../dom.ts'
import type { KnownRecording } from './answers.ts'

/**
 * Creates a player for a recording with time-limited links. It takes a new link only if nothing is being played, or if the old
 * one has failed. Playback then continues at the same position.
 */
export function createRecordingPlayer(label: string) {
  const video = element('video', { controls: '', playsinline: '', preload: 'none', 'aria-label': label })
  let link = ''
  let poster = ''
  const isIdle = () => video.paused && video.currentTime === 0
  return {
    element: video,
    update({ source, files }: KnownRecording) {
      const picture = files.find(({ role }) => role === 'poster')?.url ?? ''
      if (poster !== picture) video.poster = picture
      poster = picture
      if (link === source.url || !(isIdle() || video.error)) return
      link = source.url
      const position = video.currentTime
      video.src = source.url
      if (position > 0) video.currentTime = position
    },
    stop: () => video.pause(),
  }
}
