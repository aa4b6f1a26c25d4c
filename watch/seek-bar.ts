import { type Cue, cueAt } from './cues.ts'
import { byId, clockTime } from './page.ts'
import type { Thumbnails } from './thumbnails.ts'

export interface SeekBar {
  showChapters(chapters: readonly Cue[]): void
  showThumbnails(thumbnails: Thumbnails): void
}

/** The bar on which one sees and chooses the position, with a picture and the chapter of where the pointer is. */
export function createSeekBar(video: HTMLVideoElement, known: number | null): SeekBar {
  const [bar, position, preview] = [byId('div', 'seek'), byId('input', 'position'), byId('div', 'preview')]
  const [words, picture, buffered] = [byId('span', 'preview-words'), byId('div', 'thumbnail'), byId('div', 'buffered')]
  const time = byId('output', 'time')
  let chapters: readonly Cue[] = []
  let thumbnails: Thumbnails | undefined
  let isHeld = false
  const duration = () => (Number.isFinite(video.duration) ? video.duration : (known ?? 0))

  const show = () => {
    position.max = String(duration() || 1)
    if (!isHeld) position.value = String(video.currentTime)
    time.textContent = `${clockTime(video.currentTime)} / ${clockTime(duration())}`
    position.setAttribute('aria-valuetext', `${clockTime(video.currentTime)} of ${clockTime(duration())}`)
    const ranges = video.buffered
    const end = ranges.length > 0 ? ranges.end(ranges.length - 1) : 0
    buffered.style.width = `${(100 * end) / (duration() || 1)}%`
  }
  for (const event of ['timeupdate', 'durationchange', 'progress', 'seeked', 'loadedmetadata'])
    video.addEventListener(event, show)
  show()

  position.addEventListener('input', () => {
    isHeld = true
    video.currentTime = Number(position.value)
  })
  position.addEventListener('change', () => {
    isHeld = false
  })

  const hover = ({ clientX }: PointerEvent) => {
    const { left, width } = bar.getBoundingClientRect()
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
    showChapters(cues) {
      chapters = cues
      const marks = cues.slice(1).map(({ start }) => {
        const mark = document.createElement('i')
        mark.style.left = `${(100 * start) / (duration() || 1)}%`
        return mark
      })
      byId('div', 'marks').replaceChildren(...marks)
    },
    showThumbnails(found) {
      thumbnails = found
    },
  }
}
