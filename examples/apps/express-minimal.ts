import express from 'express'
import { createShowrunner } from 'showrunner'

const client = createShowrunner({ url: process.env.SHOWRUNNER_URL ?? '', token: process.env.SHOWRUNNER_TOKEN ?? '' })
const app = express()
app.post('/webinars/:id', async (request, response) => {
  const show = { version: 1.1 as const, name: 'Launch webinar', duration: 3600, recordings: [{ name: 'program' }] }
  response.json(await client.shows.start(show, { idempotencyKey: request.params.id }))
})
app.post('/shows/:showId/guests', async (request, response) => {
  response.json(await client.tokens.create(request.params.showId, { role: 'publisher' }))
})
export const server = app.listen(Number(process.env.PORT ?? 3000))
