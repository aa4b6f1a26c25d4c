import { byId, element } from '../dom.ts'
import { clockTime } from '../format.ts'
import { type Cue, cueAt } from './cues.ts'
import type { Thumbnails } from './thumbnails.ts'

/**
 * Creates the bar that shows and sets the position, with a thumbnail and the chapter at the pointer.
 * @param known seconds of the recording, used until the video has a duration
 */
export function createSeekBar(video: HTMLVideoElement, known: number | null) {
  const [bar, track, position] = [byId('div', 'seek'), byId('div', 'track'), byId('input', 'position')]
  const preview = byId('div', 'preview')
  const [words, picture, time] = [byId('span', 'preview-words'), byId('div', 'thumbnail'), byId('output', 'time')]
  const [buffered, played] = [byId('div', 'buffered'), byId('div', 'played')]
  let chapters: readonly Cue[] = []
  let thumbnails: Thumbnails | undefined
  let isHeld = false
  const duration = () => (Number.isFinite(video.duration) ? video.duration : (known ?? 0))
  const share = (seconds: number) => `${(100 * seconds) / (duration() || 1)}%`

  const show = () => {
    position.max = String(duration() || 1)
    if (!isHeld) position.value = String(video.currentTime)
    time.textContent = `${clockTime(video.currentTime)} / ${clockTime(duration())}`
    position.setAttribute('aria-valuetext', `${clockTime(video.currentTime)} of ${clockTime(duration())}`)
    played.style.width = share(isHeld ? Number(position.value) : video.currentTime)
    buffered.style.width = share(endOfBuffer(video))
  }
  for (const event of ['timeupdate', 'durationchange', 'progress', 'seeked', 'loadedmetadata'])
    video.addEventListener(event, show)
  show()

  position.addEventListener('input', () => {
    isHeld = true
    video.currentTime = Number(position.value)
    show()
  })
  position.addEventListener('change', () => {
    isHeld = false
  })

  const hover = ({ clientX }: PointerEvent) => {
    const { left, width } = track.getBoundingClientRect()
    const at = Math.min(1, Math.max(0, (clientX - left) / width)) * duration()
    words.textContent = [clockTime(at), cueAt(chapters, at)?.text].filter(Boolean).join(' · ')
    picture.hidden = !thumbnails?.show(picture, at)
    preview.hidden = false
    const half = preview.offsetWidth / 2
    preview.style.left = `${Math.min(width - 2 * half, Math.max(0, clientX - left - half))}px`
  }
  bar.addEventListener('pointermove', hover)
  bar.addEventListener('pointerdown', hover)
  for (const event of ['pointerleave', 'pointercancel']) bar.addEventListener(event, () => (preview.hidden = true))
  bar.addEventListener('pointerup', ({ pointerType }) => (preview.hidden = pointerType === 'touch'))

  return {
    showChapters(cues: readonly Cue[]) {
      chapters = cues
      const marks = cues.slice(1).map(({ start }) => {
        const mark = element('i')
        mark.style.left = share(start)
        return mark
      })
      byId('div', 'marks').replaceChildren(...marks)
    },
    showThumbnails(loaded: Thumbnails) {
      thumbnails = loaded
    },
  }
}

/** Returns the end of the buffered range at the current position, in seconds. */
function endOfBuffer({ buffered, currentTime }: HTMLVideoElement): number {
  for (let n = 0; n < buffered.length; n++)
    if (buffered.start(n) <= currentTime + 0.1 && currentTime <= buffered.end(n)) return buffered.end(n)
  return 0
}
