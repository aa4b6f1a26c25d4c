import { type Cue, cueAt } from './cues.ts'
import { byId, clockTime } from './page.ts'
import type { Thumbnails } from './thumbnails.ts'

export interface SeekBar {
  showChapters(chapters: readonly Cue[]): void
  showThumbnails(thumbnails: Thumbnails): void
}

/** The bar on which one sees and chooses the position, with a picture and the chapter of where the pointer is. */
export function createSeekBar(video: HTMLVideoElement, known: number | null): SeekBar {
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
    showChapters(cues) {
      chapters = cues
      const marks = cues.slice(1).map(({ start }) => {
        const mark = document.createElement('i')
        mark.style.left = share(start)
        return mark
      })
      byId('div', 'marks').replaceChildren(...marks)
    },
    showThumbnails(found) {
      thumbnails = found
    },
  }
}

/** How far it can be played from here without another request. */
function endOfBuffer({ buffered, currentTime }: HTMLVideoElement): number {
  for (let n = 0; n < buffered.length; n++)
    if (buffered.start(n) <= currentTime + 0.1 && currentTime <= buffered.end(n)) return buffered.end(n)
  return 0
}
