import type { WatchedRecording } from '../../lib/publish/manifest/watched-recording.ts'
import { createCaptions } from './captions.ts'
import { showChapters } from './chapters.ts'
import { connectControls } from './controls.ts'
import { readCues } from './cues.ts'
import { byId, clockTime } from './page.ts'
import { createPlayer } from './player.ts'
import { fetchRecording, fetchText, renewLinks } from './recording.ts'
import { createSeekBar } from './seek-bar.ts'
import { createThumbnails } from './thumbnails.ts'

const notice = byId('p', 'notice')
const say = (words: string) => {
  notice.textContent = words
}

async function watch(): Promise<void> {
  const recording = await fetchRecording()
  const video = byId('video', 'video')
  describe(recording)
  showLinks(recording)
  shape(byId('div', 'stage'), recording)
  if (recording.poster) video.poster = recording.poster

  const seekBar = createSeekBar(video, recording.duration)
  const captions = createCaptions(video, recording)
  connectControls(video, createPlayer(video, recording, say), captions)
  byId('div', 'controls').hidden = false
  say('')

  let linked = recording
  renewLinks((renewed) => {
    linked = renewed
    showLinks(renewed)
    captions.relink(renewed)
  })

  const [chapters, cues] = await Promise.all([fetchText(recording.chapters), fetchText(recording.thumbnails?.cues)])
  if (chapters) {
    const found = readCues(chapters)
    seekBar.showChapters(found)
    showChapters(video, found)
  }
  if (cues) seekBar.showThumbnails(createThumbnails(cues, (file) => linked.thumbnails?.sprites[file]))
}

/** The stage has the shape of the picture before any of it has been loaded. */
function shape(stage: HTMLElement, { picture }: WatchedRecording): void {
  stage.classList.toggle('audio', picture === null)
  if (picture) stage.style.setProperty('--shape', String(picture.width / picture.height))
}

/** What is told of the recording around the picture. */
function describe({ name, createdAt, duration, message }: WatchedRecording): void {
  const day = new Date(createdAt).toLocaleString(undefined, { dateStyle: 'long', timeStyle: 'short' })
  const title = name ?? 'Recording'
  document.title = `${title}, ${day}`
  byId('h1', 'title').textContent = title
  byId('p', 'facts').textContent = [day, duration === null ? '' : clockTime(duration)].filter(Boolean).join(' · ')
  const words = byId('p', 'message')
  words.textContent = message ?? ''
  words.hidden = !message
}

function showLinks({ download, audio }: WatchedRecording): void {
  byId('p', 'links').replaceChildren(...linkTo('Download', download), ...linkTo('Audio only', audio))
}

function linkTo(words: string, url: string | null): HTMLAnchorElement[] {
  if (url === null) return []
  const link = document.createElement('a')
  link.href = url
  link.textContent = words
  return [link]
}

watch().catch((error: Error) => say(error.message))
