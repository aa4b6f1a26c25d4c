import { byId, createList, setText } from '../dom.ts'
import type { GreenRoom, KnownRecording, Show } from './answers.ts'
import { listRecordings, listShows, readGreenRoom, readShow, startExample } from './api.ts'
import { isBeforeLive, isBusy, mergeRecordings, showsToRead, waitingWithoutShow } from './model.ts'
import { createRecordingCard } from './recording-card.ts'
import { createShowCard, type ShowState } from './show-card.ts'

/** Milliseconds between polls: while something runs, and otherwise. */
const BUSY_MS = 1_500
const QUIET_MS = 6_000
const PAGE = 20
const MAX_PAGE = 100 // limit of the API
/** Milliseconds for which a success message stays. */
const SUCCESS_MS = 8_000

const start = byId('button', 'start')
const more = byId('button', 'more')
const notice = byId('p', 'answer')
const trouble = byId('p', 'trouble')

const known = new Map<string, Show>()
let shows: readonly Show[] = []
let recordings: readonly KnownRecording[] = []
let greenRoom: GreenRoom = { joinUrl: '', participants: [] }
let limit = PAGE
let hasAnswered = false

const showCards = createList<ShowState>(
  byId('div', 'shows'),
  ({ show }) => show.showId,
  (state) => createShowCard(state, state.show === shows[0]),
)
const recordingCards = createList<KnownRecording>(
  byId('ul', 'recordings'),
  ({ archiveId }) => archiveId,
  createRecordingCard,
)

async function poll(): Promise<void> {
  const { items: lines, cursor } = await listShows(limit)
  const read = await Promise.all(showsToRead(lines, known).map(({ showId }) => readShow(showId)))
  for (const show of read) known.set(show.showId, show)
  shows = lines.flatMap(({ showId }) => known.get(showId) ?? [])
  const { items } = await listRecordings(limit)
  recordings = mergeRecordings(items, recordings, shows, Date.now())
  greenRoom = await readGreenRoom(shows.filter(isBeforeLive).flatMap(({ sessionId }) => sessionId ?? []))
  hasAnswered = true
  more.hidden = !cursor || limit >= MAX_PAGE
}

function draw(): void {
  const now = Date.now()
  showCards(shows.map((show) => ({ show, recordings, greenRoom, now })))
  setText(byId('p', 'waiting'), waitingWithoutShow(greenRoom))
  recordingCards(recordings)
  byId('p', 'no-shows').hidden = !hasAnswered || shows.length > 0
  byId('p', 'no-recordings').hidden = !hasAnswered || recordings.length > 0
}

let next: ReturnType<typeof setTimeout> | undefined
let polls = 0

/** Polls and schedules the next poll. A poll that starts meanwhile takes over the scheduling. */
async function watch(): Promise<void> {
  clearTimeout(next)
  polls += 1
  const mine = polls
  try {
    await poll()
    setText(trouble, undefined)
    draw()
  } catch (error) {
    setText(trouble, (error as Error).message)
  }
  if (mine === polls && !document.hidden) next = setTimeout(watch, isBusy(shows, Date.now()) ? BUSY_MS : QUIET_MS)
}

start.addEventListener('click', async () => {
  start.disabled = true
  setText(notice, 'Starting the example …')
  try {
    await startExample()
    setText(notice, 'The example has started. Three participants are joining.')
    setTimeout(() => setText(notice, undefined), SUCCESS_MS)
  } catch (error) {
    setText(notice, (error as Error).message)
  }
  start.disabled = false
  await watch()
})

more.addEventListener('click', () => {
  limit = Math.min(MAX_PAGE, limit + PAGE)
  void watch()
})

document.addEventListener('visibilitychange', () => {
  if (!document.hidden) void watch()
})

setInterval(draw, 1_000) // the countdowns
void watch()
