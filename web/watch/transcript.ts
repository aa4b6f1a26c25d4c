import { byId, element } from '../dom.ts'
import { clockTime } from '../format.ts'
import { type Cue, cueAt, plainText, readCues } from './cues.ts'

/**
 * Lists the captions of the chosen language as text, each with a button that seeks to it, and searches in them.
 * @param load returns the WebVTT of the language; undefined without captions
 */
export function connectTranscript(video: HTMLVideoElement, load: () => Promise<string | undefined>) {
  const [section, search, list] = [
    byId('details', 'transcript'),
    byId('input', 'transcript-search'),
    byId('ol', 'transcript-lines'),
  ]
  let lines: readonly Line[] = []

  const find = () => {
    const wanted = search.value.trim().toLocaleLowerCase()
    const found = lines.filter(({ item, text }) => {
      item.hidden = !text.toLocaleLowerCase().includes(wanted)
      return !item.hidden
    })
    byId('p', 'transcript-found').textContent = wanted ? `${found.length} of ${lines.length} lines` : ''
  }
  const show = async () => {
    if (!section.open) return
    lines = readCues((await load()) ?? '').map((cue) => lineOf(cue, video))
    list.replaceChildren(...lines.map(({ item }) => item))
    find()
  }
  search.addEventListener('input', find)
  section.addEventListener('toggle', show)
  video.addEventListener('timeupdate', () => {
    const current = cueAt(
      lines.map(({ cue }) => cue),
      video.currentTime,
    )
    for (const { button, cue } of lines) button.setAttribute('aria-current', String(cue === current))
  })
  return { show }
}

type Line = ReturnType<typeof lineOf>

function lineOf(cue: Cue, video: HTMLVideoElement) {
  const text = plainText(cue.text)
  const button = element('button', { type: 'button' }, element('time', {}, clockTime(cue.start)), text)
  button.addEventListener('click', () => {
    video.currentTime = cue.start
  })
  return { cue, text, button, item: element('li', {}, button) }
}
