import type { WatchedRecording } from '../../lib/publish/manifest/watched-recording.ts'
import { byId, element, setText } from '../dom.ts'
import { clockTime } from '../format.ts'
import { accentColors } from './accent.ts'
import { createCaptions } from './captions.ts'
import { showChapters } from './chapters.ts'
import { connectControls } from './controls.ts'
import { plainText, readCues } from './cues.ts'
import { momentAtTime, namedTime } from './live/moment-address.ts'
import { keepShowPage } from './live/show-page.ts'
import { createPlayer } from './player.ts'
import { fetchRecording, fetchText, renewLinks } from './recording.ts'
import { createSeekBar } from './seek-bar.ts'
import { connectSharing } from './sharing.ts'
import { momentOf, pauseAtEnd } from './start-time.ts'
import { createThumbnails } from './thumbnails.ts'
import { connectTranscript } from './transcript.ts'

const notice = byId('p', 'notice')
const notify = (text: string) => {
  notice.textContent = text
}

/** Shows a recording. @param address of its watch page */
async function watch(address: string): Promise<void> {
  notify('Loading …')
  const renew = () => fetchRecording(address)
  const recording = await renew()
  const video = byId('video', 'video')
  describe(recording)
  showLinks(recording)
  shape(byId('div', 'stage'), recording)
  const poster = recording.page?.cover ?? recording.poster
  if (poster) video.poster = poster

  const seekBar = createSeekBar(video, recording.duration)
  const captions = createCaptions(video, recording)
  const moment = momentOf(location) ?? momentAtTime(namedTime(location), recording)
  connectControls(video, createPlayer(video, recording, { notify, renew, start: moment?.from }), captions)
  if (moment) pauseAtEnd(video, moment)
  connectSharing(video)
  window.addEventListener('hashchange', () => {
    const named = momentOf({ hash: location.hash, search: '' })
    if (!named) return
    video.currentTime = named.from
    pauseAtEnd(video, named)
  })
  byId('div', 'controls').hidden = false
  notify('')

  let linked = recording
  const transcript = connectTranscript(video, () =>
    fetchText(linked.captions.find(({ language }) => language === captions.language())?.url),
  )
  byId('details', 'transcript').hidden = recording.captions.length === 0
  byId('select', 'captions').addEventListener('change', transcript.show)
  renewLinks(address, (renewed) => {
    linked = renewed
    showLinks(renewed)
    captions.relink(renewed)
  })

  const [chapters, cues] = await Promise.all([fetchText(recording.chapters), fetchText(recording.thumbnails?.cues)])
  if (chapters) {
    const found = readCues(chapters).map((one) => ({ ...one, text: plainText(one.text) }))
    seekBar.showChapters(found)
    showChapters(video, found)
  }
  if (cues) seekBar.showThumbnails(createThumbnails(cues, (file) => linked.thumbnails?.sprites[file]))
}

/** Gives the stage the shape of the picture before any of it is loaded. */
function shape(stage: HTMLElement, { picture }: WatchedRecording): void {
  stage.classList.toggle('audio', picture === null)
  if (picture) stage.style.setProperty('--shape', String(picture.width / picture.height))
}

/** Describes the recording around the picture. The server has written its titles. */
function describe({ page, name, createdAt, duration, message }: WatchedRecording): void {
  const day = new Date(createdAt).toLocaleString(undefined, { dateStyle: 'long', timeStyle: 'short' })
  const facts = [page && name, day, duration !== null && clockTime(duration)]
  byId('p', 'facts').textContent = facts.filter(Boolean).join(' · ')
  setText(byId('p', 'message'), message ?? undefined)
  if (page?.accentColor) showAccent(page.accentColor)
}

function showAccent(color: string): void {
  const { accent, onAccent } = accentColors(color)
  document.documentElement.style.setProperty('--accent', accent)
  document.documentElement.style.setProperty('--on-accent', onAccent)
}

function showLinks({ downloads: { video, audio } }: WatchedRecording): void {
  byId('p', 'links').replaceChildren(...linkTo('Download', video), ...linkTo('Download audio', audio))
}

const linkTo = (text: string, url: string | null) => (url === null ? [] : [element('a', { href: url }, text)])

const fail = (error: Error) => notify(error.message)

if (location.pathname.startsWith('/watch/show/'))
  keepShowPage({ notify, showAccent, watchRecording: (path) => void watch(path).catch(fail) })
else watch(location.href).catch(fail)
