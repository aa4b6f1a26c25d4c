// Records the same session by a show, and downloads the same file.
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createShowrunner } from 'showrunner'

const {
  SHOWRUNNER_URL = '',
  SHOWRUNNER_TOKEN = '',
  SESSION_ID = '',
  SECONDS = '3600',
  FILE = 'program.mp4',
} = process.env
const showrunner = createShowrunner({ url: SHOWRUNNER_URL, token: SHOWRUNNER_TOKEN })

const { showId } = await showrunner.shows.start(
  {
    version: 1.1,
    name: 'Program',
    duration: Number(SECONDS),
    session: { id: SESSION_ID },
    recordings: [{ name: 'program' }],
  },
  { idempotencyKey: SESSION_ID },
)
const { show, recordings } = await showrunner.shows.waitFor(showId, 'published')
console.log(`${show.result?.status}: ${show.result?.reason}`)
for (const { source } of recordings) {
  const { body } = await fetch(source.url)
  if (body) await pipeline(Readable.fromWeb(body), createWriteStream(FILE))
  console.log(`Recorded ${FILE}`)
}
