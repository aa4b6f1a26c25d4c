import { type Cue, cueAt } from './cues.ts'
import { byId, clockTime } from './page.ts'

/** The list of chapters, each a way to its beginning; the one that is being played is marked. */
export function showChapters(video: HTMLVideoElement, chapters: readonly Cue[]): void {
  const rows = chapters.map(({ start, text }) => {
    const time = document.createElement('time')
    time.textContent = clockTime(start)
    const button = document.createElement('button')
    button.type = 'button'
    button.append(time, text)
    button.addEventListener('click', () => {
      video.currentTime = start
    })
    const row = document.createElement('li')
    row.append(button)
    return row
  })
  byId('ol', 'chapters').replaceChildren(...rows)
  byId('nav', 'chapters-section').hidden = chapters.length < 2
  video.addEventListener('timeupdate', () => {
    const current = cueAt(chapters, video.currentTime)
    for (const [index, row] of rows.entries())
      row.firstElementChild?.setAttribute('aria-current', String(chapters[index] === current))
  })
}
