import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { type ServerType, serve } from '@hono/node-server'
import { realClock } from '../../lib/clock.ts'
import type { AccountCredentials, Credentials } from './accounts.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts'

export interface SandboxServer extends Credentials, AccountCredentials {
  /** Base URL of the platform, without a trailing slash. */
  readonly url: string
  close(): Promise<void>
}

/**
 * Starts the sandbox on 127.0.0.1. Clock and randomness are real unless given.
 * @throws Error with one sentence when the port is taken; the media engine is closed then too
 */
export async function startSandbox(
  options: Omit<SandboxOptions, 'clock' | 'random' | 'publicUrl'> &
    Partial<Pick<SandboxOptions, 'clock' | 'random'>> & {
      /** 0 or absent: any free one. */
      readonly port?: number
    },
): Promise<SandboxServer> {
  const { port = 0, ...rest } = options
  let url = ''
  const sandbox = createSandbox({ clock: realClock, random: randomBytes, ...rest, publicUrl: () => url })
  try {
    const server = await listen(sandbox, port)
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return { url, ...sandbox.project, ...sandbox.account, close: () => close(server, sandbox) }
  } catch (error) {
    await sandbox.close()
    throw error
  }
}

function listen({ fetch }: Sandbox, port: number): Promise<ServerType> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch, hostname: '127.0.0.1', port }, () => resolve(server))
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new Error(`Port ${port} on 127.0.0.1 is in use: stop what listens there or choose another.`, {
              cause: error,
            })
          : error,
      ),
    )
  })
}

async function close(server: ServerType, sandbox: Sandbox): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  if ('closeAllConnections' in server) server.closeAllConnections()
  await closed
  await sandbox.close()
}
