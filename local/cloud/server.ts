import type { AddressInfo } from 'node:net'
import { type ServerType, serve } from '@hono/node-server'

export interface Listening {
  /** Without a trailing slash. */
  readonly url: string
  close(): Promise<void>
}

/**
 * Serves `fetch` on 127.0.0.1 to programs and pages of this machine only: a request that names another host, or comes from
 * another site's page, is refused.
 * @param port 0 takes any that is free
 * @throws Error with one sentence when the port is taken
 */
export async function listen(fetch: (request: Request) => Promise<Response>, port = 0): Promise<Listening> {
  const guarded = async (request: Request) =>
    isLocal(request) ? fetch(request) : Response.json({ message: 'Only this machine is served.' }, { status: 403 })
  const server = await new Promise<ServerType>((resolve, reject) => {
    const starting = serve({ fetch: guarded, hostname: '127.0.0.1', port }, () => resolve(starting))
    starting.once('error', (error: NodeJS.ErrnoException) => reject(error.code === 'EADDRINUSE' ? inUse(port) : error))
  })
  if ('requestTimeout' in server) server.requestTimeout = 0 // an upload takes as long as it takes
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      if ('closeAllConnections' in server) server.closeAllConnections()
      await closed
    },
  }
}

const inUse = (port: number) =>
  new Error(`Port ${port} on 127.0.0.1 is in use: stop what listens there or choose another.`)

const LOOPBACK = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/

function isLocal(request: Request): boolean {
  const origin = request.headers.get('origin')
  return (
    LOOPBACK.test(request.headers.get('host') ?? '') && (!origin || LOOPBACK.test(origin.replace(/^https?:\/\//, '')))
  )
}
