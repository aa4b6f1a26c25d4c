import { byId, element } from '../dom.ts'
import { clockTime } from '../format.ts'
import { type Cue, cueAt } from './cues.ts'

/** Lists the chapters, each as a button that seeks to its start, and marks the current one. */
export function showChapters(video: HTMLVideoElement, chapters: readonly Cue[]): void {
  const buttons = chapters.map(({ start, text }) => {
    const button = element('button', { type: 'button' }, element('time', {}, clockTime(start)), text)
    button.addEventListener('click', () => {
      video.currentTime = start
    })
    return button
  })
  byId('ol', 'chapters').replaceChildren(...buttons.map((button) => element('li', {}, button)))
  byId('nav', 'chapters-section').hidden = chapters.length < 2
  video.addEventListener('timeupdate', () => {
    const current = cueAt(chapters, video.currentTime)
    for (const [index, button] of buttons.entries())
      button.setAttribute('aria-current', String(chapters[index] === current))
  })
}
