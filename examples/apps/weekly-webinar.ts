import express from 'express'
import { createShowrunner, type ShowDocument } from 'showrunner'
import { type OwnerEvent, verifyShowrunnerCallback } from 'showrunner/events'

const { SHOWRUNNER_URL = '', SHOWRUNNER_TOKEN = '', PORT = '3000' } = process.env
const { MAIL_URL = '', APP_URL = `http://127.0.0.1:${PORT}` } = process.env
const showrunner = createShowrunner({ url: SHOWRUNNER_URL, token: SHOWRUNNER_TOKEN })
const callback = { url: `${APP_URL}/showrunner` }
const guests = ['ada@example.com', 'grace@example.com']
const organizers = ['events@example.com']

/** Sends a mail by the HTTP interface of a mail service. */
const mail = (to: readonly string[], text: string) =>
  fetch(MAIL_URL, { method: 'POST', body: JSON.stringify({ to, subject: 'Tuesday webinar', text }) })

const webinar: ShowDocument = {
  version: 1.1,
  name: 'Tuesday webinar',
  duration: 2700,
  start: { cron: '0 19 ? * TUE *', zone: 'Europe/London' },
  audienceWait: 600,
  recordings: [{ name: 'program' }],
  callback,
  labels: { series: 'tuesday' },
}
const series = await showrunner.shows.start(webinar, { idempotencyKey: 'tuesday webinar' })
await mail(guests, `You are invited: every Tuesday at 19:00, at ${APP_URL}/join`)

const app = express()
let tonight: string | undefined // in a real app a row, with the series as its key

/** The link in every invitation. It works from the moment the session is open. */
app.get('/join', async (request, response) => {
  if (!tonight) return void response.send('The webinar begins on Tuesday at 19:00. Reload this page then.')
  response.json(await showrunner.tokens.create(tonight, { role: 'publisher', data: String(request.query.name) }))
})

/** Called by a scheduler, such as cron, on Tuesday at 18:00. */
app.post('/reminders', async (_request, response) => {
  const { status } = await showrunner.shows.get(series.showId)
  if (status === 'scheduled') await mail(guests, `The webinar begins in an hour, at ${APP_URL}/join`)
  response.sendStatus(204)
})

const handled = new Set<string>() // in a real app a table, with the event's id as its key

app.post('/showrunner', express.raw({ type: '*/*' }), async (request, response) => {
  const received = { signature: request.headers['showrunner-signature'], body: request.body }
  const options = { url: callback.url, keys: `${SHOWRUNNER_URL}/.well-known/jwks.json` }
  const event = await verifyShowrunnerCallback(received, options).catch(() => undefined)
  if (!event) return void response.sendStatus(403)
  if (!handled.has(event.id)) await handle(event)
  handled.add(event.id)
  response.sendStatus(204)
})

async function handle({ event, showId, archiveId = '', status, reason }: OwnerEvent) {
  if (event === 'session.opened') {
    tonight = showId
    await mail(guests, `The doors are open: ${APP_URL}/join`)
  }
  if (event === 'recording.published' && status === 'complete') {
    const { watch } = await showrunner.recordings.get(archiveId)
    await mail(guests, `Watch the webinar again: ${watch.url}`)
  }
  if (event !== 'show.ended') return
  tonight = undefined
  if (status === 'cancelled') await mail(organizers, `The webinar did not take place: ${reason}`)
  if (status === 'failed' || status === 'degraded') await mail(organizers, `The webinar is ${status}: ${reason}`)
}

export const server = app.listen(Number(PORT))
