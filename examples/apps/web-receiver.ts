import { CallbackError, verifyShowrunnerCallback } from 'showrunner/events'

const { SHOWRUNNER_URL = '', CALLBACK_URL = '' } = process.env
const options = { url: CALLBACK_URL, keys: `${SHOWRUNNER_URL}/.well-known/jwks.json` }

/** Receives the events of shows as a route of Next.js (`app/showrunner/route.ts`), or of any framework with a `Request`. */
export async function POST(request: Request): Promise<Response> {
  try {
    const signature = request.headers.get('showrunner-signature') ?? undefined
    const body = Buffer.from(await request.arrayBuffer()) // as received: the signature covers them
    const event = await verifyShowrunnerCallback({ signature, body }, options)
    console.log([event.event, event.name, event.status].filter(Boolean).join(' '))
    return new Response(null, { status: 204 })
  } catch (error) {
    return new Response(null, { status: error instanceof CallbackError ? 403 : 503 }) // after 503 it is delivered again
  }
}
