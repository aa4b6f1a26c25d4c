import express from 'express'
import { createShowrunner } from 'showrunner'

const { SHOWRUNNER_URL: url = '', SHOWRUNNER_TOKEN: token = '', PORT = '3000' } = process.env
const showrunner = createShowrunner({ url, token })
const app = express()
app.post('/webinars/:id', async (request, response) => {
  const show = { version: 1.1 as const, name: 'Launch webinar', duration: 3600, recordings: [{ name: 'program' }] }
  response.json(await showrunner.shows.start(show, { idempotencyKey: request.params.id }))
})
app.post('/shows/:showId/guests', async (request, response) => {
  response.json(await showrunner.tokens.create(request.params.showId, { role: 'publisher' }))
})
export const server = app.listen(Number(PORT))
