import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Http2Bindings, type HttpBindings, serve } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { ConnectionCut } from './http/fault-injection.ts'
import { LOOPBACK } from './http/hosts.ts'
import { isWebSocket } from './participants/websocket-upgrade.ts'

type Fetch = (request: Request) => Promise<Response>

/** A server that holds the sandbox's port. Requests wait until it gets its handler. */
export interface SandboxListener {
  readonly server: Server
  /** URL without a trailing slash. */
  readonly url: string
  answer(fetch: Fetch): void
  /** Closes the server and its connections. May be called twice. */
  close(): Promise<void>
}

/**
 * Takes the port of a sandbox before it is created.
 * @param port 0 takes a free one
 * @throws Error when the port is in use or the machine has no such address
 */
export async function openSandboxListener(port = 0, address: string = LOOPBACK): Promise<SandboxListener> {
  const { promise: handler, resolve: answer } = Promise.withResolvers<Fetch>()
  const server = await listen(async (request) => (await handler)(request), address, port)
  return {
    server,
    url: `http://${address}:${(server.address() as AddressInfo).port}`,
    answer,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}

function listen(fetch: Fetch, address: string, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const serverOptions = { shouldUpgradeCallback: isWebSocket }
    const options = { fetch: orCut(fetch), hostname: address, port, serverOptions }
    const server = serve(options, () => resolve(server)) as Server // the default of serve()
    server.once('error', (error: NodeJS.ErrnoException) => {
      const problem = listenProblems[error.code ?? '']?.(address, port)
      reject(problem === undefined ? error : new Error(problem, { cause: error }))
    })
  })
}

/** Messages by the code of an error, which Node throws when it cannot listen. */
const listenProblems: Readonly<Record<string, (address: string, port: number) => string>> = {
  EADDRINUSE: (address, port) => `Port ${port} on ${address} is in use: stop what listens there or choose another.`,
  EADDRNOTAVAIL: (address) => `This machine does not have the address ${address}: choose one that it has.`,
}

/** Answers a request, or closes its connection when a fault has cut it. */
const orCut =
  (fetch: Fetch) =>
  async (request: Request, { incoming }: HttpBindings | Http2Bindings) => {
    try {
      return await fetch(request)
    } catch (error) {
      const cut = error instanceof Error && error.cause
      if (!(cut instanceof ConnectionCut)) throw error
      if (cut.code === 'ECONNREFUSED') incoming.socket.resetAndDestroy()
      else incoming.socket.destroy()
      return RESPONSE_ALREADY_SENT
    }
  }
