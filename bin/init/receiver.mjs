// Receives the events of shows. Start it with: node --env-file=.env receiver.mjs
import express from 'express'
import { verifyShowrunnerCallback } from 'showrunner/events'

const { CALLBACK_URL: url = '', CALLBACK_KEYS: keys = '', PORT = '3000' } = process.env
/** Ids of the events that were handled. An app keeps them in its database, since an event may arrive twice. */
const handled = new Set()
const app = express()

// The signature is of the bytes as they were sent, so no parser may change them.
app.post('/showrunner', express.raw({ type: '*/*' }), async (request, response) => {
  const received = { signature: request.headers['showrunner-signature'], body: request.body }
  const event = await verifyShowrunnerCallback(received, { url, keys }).catch((error) => {
    console.error(error.message)
  })
  if (!event) return void response.sendStatus(403)
  if (!handled.has(event.id))
    console.log([event.event, event.showId, event.name, event.status].filter(Boolean).join(' '))
  handled.add(event.id)
  response.sendStatus(204)
})

app.listen(Number(PORT), '127.0.0.1', (error) => {
  if (error) throw error
  console.log(`Waiting for events at ${url}`)
})
