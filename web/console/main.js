/** @import { KnownRecording, Show } from './answers.d.ts' */
import { listRecordings, listShows, readShow, startExample } from './api.js'
import { createList, setText } from './dom.js'
import { isBusy, mergeRecordings, toRead } from './model.js'
import { createRecordingCard } from './recording-card.js'
import { createShowCard } from './show-card.js'

/** How often the page looks: while something runs, and otherwise. */
const BUSY_MS = 1_500
const QUIET_MS = 6_000
const PAGE = 20
const MAX = 100 // the API's longest page
/** How long a good answer to a click stays. */
const ANSWER_MS = 8_000

const find = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id))
const start = /** @type {HTMLButtonElement} */ (find('start'))
const more = /** @type {HTMLButtonElement} */ (find('more'))

/** @type {Map<string, Show>} */
const known = new Map()
/** @type {Show[]} */
let shows = []
/** @type {KnownRecording[]} */
let recordings = []
let limit = PAGE
let isAnswering = false

const showCards = createList(
  find('shows'),
  (/** @type {import('./show-card.js').Sight} */ { show }) => show.showId,
  (sight) => createShowCard(sight, sight.show === shows[0]),
)
const recordingCards = createList(
  find('recordings'),
  (/** @type {KnownRecording} */ { archiveId }) => archiveId,
  createRecordingCard,
)

async function look() {
  const { items: lines, cursor } = await listShows(limit)
  const read = await Promise.all(toRead(lines, known).map(({ showId }) => readShow(showId)))
  for (const show of read) known.set(show.showId, show)
  shows = lines.flatMap(({ showId }) => known.get(showId) ?? [])
  const { items } = await listRecordings(limit)
  recordings = mergeRecordings(items, recordings, shows, Date.now())
  isAnswering = true
  more.hidden = !cursor || limit >= MAX
}

function draw() {
  const now = Date.now()
  showCards(shows.map((show) => ({ show, recordings, now })))
  recordingCards(recordings)
  find('no-shows').hidden = !isAnswering || shows.length > 0
  find('no-recordings').hidden = !isAnswering || recordings.length > 0
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let next
let looks = 0

/** One look after the other; one that is asked for meanwhile makes the one before forget to plan the next. */
async function watch() {
  clearTimeout(next)
  looks += 1
  const mine = looks
  try {
    await look()
    setText(find('trouble'), undefined)
    draw()
  } catch (error) {
    setText(find('trouble'), /** @type {Error} */ (error).message)
  }
  if (mine === looks && !document.hidden) next = setTimeout(watch, isBusy(shows, Date.now()) ? BUSY_MS : QUIET_MS)
}

start.addEventListener('click', async () => {
  start.disabled = true
  setText(find('answer'), 'Starting the example …')
  try {
    await startExample()
    setText(find('answer'), 'The example has started: three guests are on their way.')
    setTimeout(() => setText(find('answer'), undefined), ANSWER_MS)
  } catch (error) {
    setText(find('answer'), /** @type {Error} */ (error).message)
  }
  start.disabled = false
  await watch()
})

more.addEventListener('click', () => {
  limit = Math.min(MAX, limit + PAGE)
  void watch()
})

document.addEventListener('visibilitychange', () => {
  if (!document.hidden) void watch()
})

setInterval(draw, 1_000) // the countdowns
void watch()
