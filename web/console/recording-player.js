/** @import { KnownRecording } from './answers.d.ts' */
import { element } from './dom.js'

/**
 * Plays a recording by its time-limited link. A new link is taken when nothing is being played, or when the old one has
 * failed; then it goes on where it was.
 * @param {string} label
 */
export function createRecordingPlayer(label) {
  const video = element('video', { controls: '', playsinline: '', preload: 'none', 'aria-label': label })
  let link = ''
  let poster = ''
  const isIdle = () => video.paused && video.currentTime === 0
  return {
    element: video,
    /** @param {KnownRecording} recording */
    update({ source, files }) {
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
