import { createRequire } from 'node:module'
import { join } from 'node:path'
import express, { type NextFunction, type Request, type Response } from 'express'
import { createShowrunner, type ShowDocument, ShowrunnerError } from 'showrunner'
import { type OwnerEvent, verifyShowrunnerCallback } from 'showrunner/events'

const { SHOWRUNNER_URL = '', SHOWRUNNER_TOKEN = '', PORT = '3000' } = process.env
const { APP_URL = `http://127.0.0.1:${PORT}` } = process.env
const showrunner = createShowrunner({ url: SHOWRUNNER_URL, token: SHOWRUNNER_TOKEN })
const callback = { url: `${APP_URL}/showrunner` }

const allHands: ShowDocument = {
  version: 1.1,
  name: 'All-hands',
  duration: 3600,
  recordings: [{ name: 'program' }],
  broadcasts: [
    {
      name: 'live',
      hls: { dvr: true },
      rtmp: [
        {
          id: 'youtube',
          serverUrl: process.env.RTMP_SERVER ?? 'rtmps://a.rtmps.youtube.com/live2',
          streamName: { secret: 'youtube#allhands' },
        },
      ],
    },
  ],
  callback,
}

/** What the landing page shows. */
let page: { state: 'soon' | 'live' | 'over'; hls?: string; watch?: string } = { state: 'soon' }
let recording = ''

const app = express()
app.get('/', (_request, response) => response.sendFile(join(import.meta.dirname, 'landing-page.html')))
app.get('/hls.js', (_request, response) =>
  response.sendFile(createRequire(import.meta.url).resolve('hls.js/dist/hls.min.js')),
)
app.get('/live.json', (_request, response) => void response.json(page))

/** Leads to the watch page by a new link, because each link expires after a day. */
app.get('/watch', async (_request, response) => {
  response.redirect((await showrunner.recordings.get(recording)).watch.url)
})

app.post('/go-live', async (_request, response) => {
  response.status(202).json(await showrunner.shows.start(allHands))
})

app.post('/showrunner', express.raw({ type: '*/*' }), async (request, response) => {
  const received = { signature: request.headers['showrunner-signature'], body: request.body }
  const options = { url: callback.url, keys: `${SHOWRUNNER_URL}/.well-known/jwks.json` }
  const event = await verifyShowrunnerCallback(received, options).catch(() => undefined)
  if (event) handle(event)
  response.sendStatus(event ? 204 : 403)
})

/** Handles an event. Handling it twice changes nothing, so no ids are kept. */
function handle({ event, hls, output, reason, archiveId = '' }: OwnerEvent) {
  if (event === 'broadcast.live' && hls) page = { state: 'live', hls }
  if (event === 'output.failed') console.error(`✖ ${output} is off the air: ${reason}`)
  if (event === 'output.recovered') console.log(`✔ ${output} is on the air again.`)
  if (event === 'show.ended') page = { state: 'over', ...(page.watch && { watch: page.watch }) }
  if (event !== 'recording.published') return
  recording = archiveId
  page = { state: 'over', watch: '/watch' }
}

/** Answers with the sentence of a refused show, such as one with a wrong secret. */
app.use((error: Error, _request: Request, response: Response, _next: NextFunction) => {
  if (error instanceof ShowrunnerError)
    return void response.status(error.status ?? 500).json({ message: error.message })
  console.error(error)
  response.status(500).json({ message: 'The app failed.' })
})

export const server = app.listen(Number(PORT))
