import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Http2Bindings, type HttpBindings, type ServerType, serve } from '@hono/node-server'
import { getAhead } from '../../lib/clock.ts'
import { sendResponse } from './large-response.ts'

/** A server on 127.0.0.1. */
export interface Listening {
  /** URL without a trailing slash. */
  readonly url: string
  /** Closes the server and its connections. May be called twice. */
  close(): Promise<void>
}

/** A server that holds its port, and answers 503 until it gets its handler. */
export interface Listener extends Listening {
  /** @param origins origins whose pages may send requests, beside those of this machine. @default none */
  answer(fetch: Fetch, origins?: readonly string[]): void
}

type Fetch = (request: Request) => Promise<Response>

const starting: Fetch = async () => Response.json({ message: 'Showrunner is starting.' }, { status: 503 })

/**
 * Serves `fetch` on 127.0.0.1 to programs and pages of this machine. Requests with another host, or from another site’s
 * page, are refused.
 * @param port 0 takes a free one
 * @throws Error when the port is not available
 */
export async function listen(fetch: Fetch, port = 0): Promise<Listening> {
  const listener = await openListener(port)
  listener.answer(fetch)
  return listener
}

/**
 * Takes a port before its handler exists, so that nothing is started in vain when the port is in use. Otherwise like {@link listen}.
 * @param port 0 takes a free one
 * @throws Error when the port is not available
 */
export async function openListener(port = 0): Promise<Listener> {
  let fetch = starting
  let allowed: readonly string[] = []
  const guarded = async (request: Request, bindings: HttpBindings | Http2Bindings) => {
    if (!isLocal(request, allowed)) return Response.json({ message: 'Only this machine is served.' }, { status: 403 })
    // Otherwise Node sends the machine's, and an SDK would sign by that.
    if (getAhead() > 0) (bindings.outgoing as ServerResponse).setHeader('date', new Date().toUTCString())
    try {
      return await sendResponse(await fetch(request), bindings)
    } catch (error) {
      if (!request.signal.aborted) console.error(error) // for the user of this machine; the client gets no details
      return Response.json({ message: 'Internal Server Error' }, { status: 500 })
    }
  }
  const server = await new Promise<ServerType>((resolve, reject) => {
    const options = { fetch: guarded, hostname: '127.0.0.1', port, overrideGlobalObjects: false }
    const server = serve(options, () => resolve(server))
    server.once('error', (error: NodeJS.ErrnoException) => reject(unusable(port, error)))
  })
  if ('requestTimeout' in server) server.requestTimeout = 0 // uploads have no time limit
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer(handler, origins = []) {
      fetch = handler
      allowed = origins
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      if ('closeAllConnections' in server) server.closeAllConnections()
      await closed
    },
  }
}

function unusable(port: number, cause: NodeJS.ErrnoException): Error {
  const advice = 'stop what listens there or choose another'
  const words = cause.code === 'EADDRINUSE' ? `is in use: ${advice}` : `cannot be used (${cause.code}): choose another`
  return new Error(`Port ${port} on 127.0.0.1 ${words}.`, { cause })
}

const LOOPBACK = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/

function isLocal({ headers }: Request, allowed: readonly string[]): boolean {
  const origin = headers.get('origin')
  const isFromHere = !origin || LOOPBACK.test(origin.replace(/^https?:\/\//, ''))
  return LOOPBACK.test(headers.get('host') ?? '') && (isFromHere || allowed.includes(origin))
}
