import { byId } from '../dom.ts'
import { clockTime } from '../format.ts'
import { addressAt } from './start-time.ts'

/** Connects the fields with the link to the page, by choice at the current time, and the code that embeds the player. */
export function connectSharing(video: HTMLVideoElement): void {
  const [section, link, withTime] = [byId('details', 'share'), byId('input', 'share-link'), byId('input', 'share-time')]
  section.hidden = false
  const show = () => {
    if (!section.open) return
    byId('span', 'share-start').textContent = clockTime(video.currentTime)
    link.value = addressAt(location.href, withTime.checked ? video.currentTime : undefined)
  }
  section.addEventListener('toggle', show)
  withTime.addEventListener('change', show)
  for (const event of ['timeupdate', 'seeked']) video.addEventListener(event, show)
  byId('button', 'copy-link').addEventListener('click', () => copy(link))

  const address = document.body.dataset.embed
  const code = byId('input', 'share-embed')
  for (const part of section.querySelectorAll<HTMLElement>('.embedding')) part.hidden = address === undefined
  if (address !== undefined) code.value = embedCode(address, document.title)
  byId('button', 'copy-embed').addEventListener('click', () => copy(code))
}

/** Returns the element that shows the player in another page. */
export function embedCode(address: string, title: string): string {
  const quoted = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
  return `<iframe src="${quoted(address)}" title="${quoted(title)}" width="560" height="315" style="border:0" allow="autoplay; fullscreen; picture-in-picture" allowfullscreen></iframe>`
}

/** Copies a field, or selects it where the browser refuses, so that the user can. */
async function copy(field: HTMLInputElement): Promise<void> {
  field.select()
  const isCopied = await navigator.clipboard?.writeText(field.value).then(
    () => true,
    () => false,
  )
  byId('p', 'share-status').textContent = isCopied ? 'Copied.' : 'Copy the selected text.'
}
