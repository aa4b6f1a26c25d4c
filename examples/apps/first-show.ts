import express from 'express'
import { createShowrunner } from 'showrunner'
import { type OwnerEvent, verifyShowrunnerCallback } from 'showrunner/events'

const { SHOWRUNNER_URL = '', SHOWRUNNER_TOKEN = '', PORT = '3000' } = process.env
const { APP_URL = `http://127.0.0.1:${PORT}` } = process.env
const showrunner = createShowrunner({ url: SHOWRUNNER_URL, token: SHOWRUNNER_TOKEN })
const callback = { url: `${APP_URL}/showrunner` }
const app = express()

app.post('/webinars/:id', async (request, response) => {
  const show = {
    version: 1.1 as const,
    name: 'My first show',
    duration: 60,
    recordings: [{ name: 'program' }],
    callback,
  }
  const { showId } = await showrunner.shows.start(show, { idempotencyKey: request.params.id })
  response.status(202).json({ showId })
})

app.post('/shows/:showId/guests', async (request, response) => {
  const { name } = request.query
  response.json(await showrunner.tokens.create(request.params.showId, { role: 'publisher', data: String(name) }))
})

const handled = new Set<string>() // in a real app a table, with the event's id as its key
const links = new Map<string, string[]>() // the same, with the show's id

app.post('/showrunner', express.raw({ type: '*/*' }), async (request, response) => {
  const received = { signature: request.headers['showrunner-signature'], body: request.body }
  const options = { url: callback.url, keys: `${SHOWRUNNER_URL}/.well-known/jwks.json` }
  const event = await verifyShowrunnerCallback(received, options).catch(() => undefined)
  if (!event) return void response.sendStatus(403)
  if (!handled.has(event.id)) await handle(event)
  handled.add(event.id)
  response.sendStatus(204)
})

async function handle({ event, showId = '', archiveId = '', status, reason }: OwnerEvent) {
  if (event === 'recording.published' && status === 'complete') {
    const { watch } = await showrunner.recordings.get(archiveId)
    links.set(showId, [...(links.get(showId) ?? []), watch.url])
  }
  console.log([event, status, reason].filter(Boolean).join(' '))
}

app.get('/shows/:showId', async (request, response) => {
  const { status, result } = await showrunner.shows.get(request.params.showId)
  response.json({ status, reason: result?.reason, links: links.get(request.params.showId) ?? [] })
})

export const server = app.listen(Number(PORT))
