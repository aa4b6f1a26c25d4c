import { randomBytes } from 'node:crypto'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Http2Bindings, type HttpBindings, serve } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { realClock } from '../../lib/clock.ts'
import { ConnectionCut } from './http/fault-injection.ts'
import { createHosts, LOOPBACK } from './http/hosts.ts'
import { INSIGHTS_PATH } from './http/router.ts'
import { isWebSocket, serveParticipants } from './participants/websocket-upgrade.ts'
import type { AccountCredentials, Credentials } from './projects/accounts.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts'
import { secureBytes } from './state/random.ts'

export interface SandboxServer extends Credentials, AccountCredentials {
  /** Base URL of the platform, without a trailing slash. */
  readonly url: string
  /** Base URL of Insights, on the same server. */
  readonly insightsUrl: string
  /** Bearer token of all routes below `/sandbox`, created at each start; absent with `openControl`. */
  readonly controlToken?: string
  readonly faults: Sandbox['faults']
  readonly settled: Sandbox['settled']
  close(): Promise<void>
}

/**
 * Starts the sandbox, by default with a real clock and real randomness.
 * @throws Error when the port is in use or the machine has no such address; the media engine is closed then too
 */
export async function startSandbox(
  options: Omit<SandboxOptions, 'clock' | 'random' | 'publicUrl' | 'controlToken'> &
    Partial<Pick<SandboxOptions, 'clock' | 'random'>> & {
      /** @default 0, any free port */
      readonly port?: number
      /** Serves the control interface without its token. @default false */
      readonly openControl?: boolean | undefined
    },
): Promise<SandboxServer> {
  const { port = 0, openControl = false, address = LOOPBACK, ...rest } = options
  const control = openControl ? {} : { controlToken: randomBytes(32).toString('base64url') }
  const { promise: opened, resolve: open } = Promise.withResolvers<Sandbox>()
  let server: Server | undefined
  try {
    server = await listen({ fetch: async (request) => (await opened).fetch(request) }, address, port)
    const url = `http://${address}:${(server.address() as AddressInfo).port}` // callbacks need it from the start
    const sandbox = createSandbox({
      clock: realClock,
      random: secureBytes,
      ...rest,
      ...control,
      address,
      publicUrl: () => url,
    })
    open(sandbox)
    serveParticipants(server, sandbox.participants, createHosts(address))
    const { project, account, faults, settled } = sandbox
    return {
      url,
      insightsUrl: url + INSIGHTS_PATH,
      ...project,
      ...account,
      ...control,
      faults,
      settled,
      close: () => close(server as Server, sandbox),
    }
  } catch (error) {
    server?.close()
    await rest.media.close()
    throw error
  }
}

function listen({ fetch }: Pick<Sandbox, 'fetch'>, address: string, port: number): Promise<Server> {
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
  (fetch: Sandbox['fetch']) =>
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

async function close(server: Server, sandbox: Sandbox): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  await sandbox.participants.close() // upgraded sockets are no longer the server's, but closing it waits for them
  server.closeAllConnections()
  await closed
  await sandbox.close()
}
