import { byId, createList, setText, type View } from '../dom.ts'
import type { GreenRoom, KnownRecording, KnownShow, ListedStream, ShowLine } from './answers.ts'
import {
  listPublishing,
  listRecordings,
  listShows,
  listStreams,
  PAGE,
  readDeployment,
  readGreenRoom,
  readRecording,
  readShow,
  startExample,
} from './api.ts'
import { connectBreakPanel, cuttableIn } from './break/break-panel.ts'
import { setAhead, timeNow } from './clock.ts'
import { connectCompose } from './compose/compose.ts'
import { ACTED } from './controls/control-group.ts'
import { connectFilter } from './filter.ts'
import { connectKeys } from './keys/connect-keys.ts'
import { connectLinks } from './keys/connect-links.ts'
import { connectLibrary } from './library/library.ts'
import { connectPublishingList } from './library/publishing-list.ts'
import { isBeforeLive, isBusy, linkedRecording, waitingWithoutShow } from './model.ts'
import { createPages, readFiltered } from './pages.ts'
import { createShowCard, type ShowState } from './show-card.ts'
import { noMatchText, readRunningShows, type ShowSections, sectionsOf, showsToRead } from './show-list.ts'

/** Milliseconds between polls: while something runs, and otherwise. */
const BUSY_MS = 1_500
const QUIET_MS = 6_000
/** Milliseconds after which later pages of a list are read again, and running shows behind the first page searched. */
const LATER_PAGE_MS = 60_000
const RUNNING_MS = 30_000
/** Milliseconds after which the first page of filtered shows is read again, which may take several requests. */
const FILTERED_MS = 6_000
/** Milliseconds for which a success message stays. */
const SUCCESS_MS = 8_000
/** Shows from which on the filter is shown. */
const MANY = 5

const start = byId('button', 'start')
const more = byId('button', 'more')
const notice = byId('p', 'answer')
const trouble = byId('p', 'trouble')

const filter = connectFilter(() => {
  showPages.reset()
  void watch()
})
const showPages = createPages<ShowLine>(
  (cursor) => readFiltered((from) => listShows(from, filter.query()), cursor, PAGE),
  LATER_PAGE_MS,
  () => (filter.isActive() ? FILTERED_MS : 0),
)
const showWaiting = connectPublishingList()
const library = connectLibrary({ list: listRecordings, read: readRecording })

const links = connectLinks({
  openRecording: (archiveId) => void library.open(archiveId),
  changed: () => void watch(),
})

const known = new Map<string, KnownShow>()
const streams = new Map<string, readonly ListedStream[]>()
let shows: readonly KnownShow[] = []
let sections: ShowSections<KnownShow> = { now: [], next: [], past: [] }
let runningBehind: readonly ShowLine[] = []
let runningReadAt = Number.NEGATIVE_INFINITY
let recordings: readonly KnownRecording[] = []
let greenRoom: GreenRoom = { joinUrl: '', participants: [] }
let hasAnswered = false
/** Exists in `npm start` only. */
let breakPanel: ReturnType<typeof connectBreakPanel> | undefined
let linked: ShowLine | undefined

const cards = new Map<string, View<ShowState>>()
/** Returns the card of a show, which keeps its state when the show moves to another section. */
function cardOf(state: ShowState): View<ShowState> {
  const { showId } = state.show
  const card = cards.get(showId) ?? createShowCard(state, state.show === shows[0])
  cards.set(showId, card)
  return card
}
const showCards = (['now', 'next', 'past'] as const).map((section) => ({
  section,
  update: createList<ShowState>(byId('div', section), ({ show }) => show.showId, cardOf),
}))
async function poll(): Promise<void> {
  const now = timeNow()
  const query = filter.query()
  await showPages.refresh(now)
  const listed = [...(await linkedShow()), ...(await runningShows(now)), ...showPages.items()]
  const lines = [...new Map(listed.map((one) => [one.showId, one])).values()]
  const read = await Promise.all(showsToRead(lines, known, now).map(({ showId }) => readShow(showId)))
  for (const show of read) known.set(show.showId, { ...show, readAt: now })
  if (query !== filter.query()) return
  sections = sectionsOf(lines.flatMap(({ showId }) => known.get(showId) ?? []))
  shows = [...sections.now, ...sections.next, ...sections.past]
  await Promise.all(sections.now.map(readStreams))
  const newest = await listRecordings(undefined)
  recordings = newest.items.map((one) => {
    const before = recordings.find(({ archiveId }) => archiveId === one.archiveId)
    return linkedRecording(one, before, now)
  })
  await library.update(newest, now)
  showWaiting(await listPublishing(), shows)
  greenRoom = await readGreenRoom(shows.filter(isBeforeLive).flatMap(({ sessionId }) => sessionId ?? []))
  hasAnswered = true
}

/** Returns the show that the address names, which may be older than the listed ones. */
async function linkedShow(): Promise<readonly ShowLine[]> {
  const showId = links.wantedShow()
  if (showId !== undefined && linked?.showId !== showId)
    linked = await readShow(showId).catch((error: Error) => {
      links.giveUp()
      setText(notice, error.message)
      return undefined
    })
  return linked && !filter.isActive() ? [linked] : []
}

/** Reads the streams of a running show. A session that has just closed must not stop the polls. */
async function readStreams({ showId, sessionId }: KnownShow): Promise<void> {
  const listed = sessionId === undefined ? undefined : await listStreams(showId).catch(() => undefined)
  if (listed) streams.set(showId, listed)
}

/** Returns running shows, which stay on top although they were accepted long ago. The filter hides them. */
async function runningShows(now: number): Promise<readonly ShowLine[]> {
  if (filter.isActive() || !showPages.hasMore()) return []
  if (now - runningReadAt >= RUNNING_MS) {
    runningReadAt = now
    runningBehind = await readRunningShows(listShows)
  }
  return runningBehind
}

function draw(): void {
  const now = timeNow()
  for (const { section, update } of showCards)
    update(sections[section].map((show) => ({ show, recordings, greenRoom, streams: streams.get(show.showId), now })))
  breakPanel?.update(cuttableIn(sections.now, streams))
  setText(byId('p', 'waiting'), waitingWithoutShow(greenRoom))
  more.hidden = !showPages.hasMore()
  filter.show(filter.isActive() || shows.length > MANY)
  byId('p', 'loading').hidden = hasAnswered || shows.length > 0
  const isWithoutMatch = hasAnswered && filter.isActive() && shows.length === 0
  setText(byId('p', 'no-match'), isWithoutMatch ? noMatchText(showPages.hasMore()) : undefined)
  const isEmpty = shows.length === 0 && !filter.isActive()
  byId('p', 'no-shows').hidden = !hasAnswered || !isEmpty
  byId('p', 'none-now').hidden = !hasAnswered || isEmpty || filter.isActive() || sections.now.length > 0
  byId('section', 'next-section').hidden = sections.next.length === 0
  byId('section', 'past-section').hidden = sections.past.length === 0 && !showPages.hasMore()
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
    links.follow()
  } catch (error) {
    setText(trouble, (error as Error).message)
  }
  if (mine === polls && !document.hidden) next = setTimeout(watch, isBusy(shows, timeNow()) ? BUSY_MS : QUIET_MS)
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
  showPages.wantMore()
  void watch()
})

document.addEventListener(ACTED, () => void watch())

document.addEventListener('visibilitychange', () => {
  if (!document.hidden) void watch()
})

/** Leaves out what only `npm start` has, if the page is for a deployment. */
async function nameDeployment(): Promise<void> {
  const { isLocal, ahead, name = '', apiUrl } = await readDeployment()
  setAhead(ahead)
  if (isLocal) {
    breakPanel = connectBreakPanel()
    return
  }
  setText(byId('p', 'place'), [name, apiUrl].join(': '))
  byId('span', 'how-to-start').hidden = true
  start.hidden = true
}

void nameDeployment().catch((error: Error) => setText(notice, error.message))
connectCompose()
connectKeys()
setInterval(draw, 1_000) // the countdowns
void watch()
