import { byId } from '../dom.ts'
import { clockTime } from '../format.ts'
import { addressAt } from './start-time.ts'

/**
 * Connects the fields with the link to the page, by choice to a moment of it, and the code that embeds the player. A bound of the
 * moment is the time at which the viewer has set it.
 */
export function connectSharing(video: HTMLVideoElement): void {
  const [section, link, status] = [byId('details', 'share'), byId('input', 'share-link'), byId('p', 'share-status')]
  section.hidden = false
  const [from, to] = [createBound('share-from', video), createBound('share-to', video)]
  const show = () => {
    if (!section.open) return
    for (const bound of [from, to]) bound.show()
    const [start, end] = [from.time(), to.time()]
    const isReversed = end !== undefined && end <= (start ?? 0)
    status.textContent = isReversed ? 'The moment must end after its start.' : ''
    const moment = isReversed || (start === undefined && end === undefined) ? undefined : { from: start ?? 0 }
    link.value = addressAt(location.href, moment && { ...moment, ...(end !== undefined && { to: end }) })
  }
  section.addEventListener('toggle', show)
  for (const bound of [from, to]) bound.onChange(show)
  for (const event of ['timeupdate', 'seeked']) video.addEventListener(event, show)
  byId('button', 'copy-link').addEventListener('click', () => copyField(link, status))

  const address = document.body.dataset.embed
  const code = byId('input', 'share-embed')
  for (const part of section.querySelectorAll<HTMLElement>('.embedding')) part.hidden = address === undefined
  if (address !== undefined) code.value = embedCode(address, document.title)
  byId('button', 'copy-embed').addEventListener('click', () => copyField(code, status))
}

/** Creates a bound of a moment: a checkbox that keeps the time at which it is set. */
function createBound(id: `share-${string}`, video: HTMLVideoElement) {
  const [box, label] = [byId('input', id), byId('span', `${id}-time`)]
  let set = 0
  box.addEventListener('change', () => {
    set = video.currentTime
  })
  return {
    time: () => (box.checked ? set : undefined),
    show() {
      label.textContent = clockTime(box.checked ? set : video.currentTime)
    },
    onChange: (act: () => void) => box.addEventListener('change', act),
  }
}

/** Returns the element that shows the player in another page. */
export function embedCode(address: string, title: string): string {
  const quoted = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
  return `<iframe src="${quoted(address)}" title="${quoted(title)}" width="560" height="315" style="border:0" allow="autoplay; fullscreen; picture-in-picture" allowfullscreen></iframe>`
}

/** Copies a field, or selects it where the browser refuses, so that the user can. @param status shows which of them */
export async function copyField(field: HTMLInputElement, status: HTMLElement): Promise<void> {
  field.select()
  const isCopied = await navigator.clipboard?.writeText(field.value).then(
    () => true,
    () => false,
  )
  status.textContent = isCopied ? 'Copied.' : 'Copy the selected text.'
}
