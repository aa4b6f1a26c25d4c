import { randomBytes } from 'node:crypto'
import { realClock } from '../../lib/clock.ts'
import { createHosts, LOOPBACK } from './http/hosts.ts'
import { INSIGHTS_PATH } from './http/router.ts'
import { openSandboxListener, type SandboxListener } from './listener.ts'
import { serveParticipants } from './participants/websocket-upgrade.ts'
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
  readonly isLive: Sandbox['isLive']
  readonly endBroadcasts: Sandbox['endBroadcasts']
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
      /** Server at `address` that replaces `port`. It closes with the sandbox. */
      readonly listener?: SandboxListener | undefined
      /** Serves the control interface without its token. @default false */
      readonly openControl?: boolean | undefined
    },
): Promise<SandboxServer> {
  const { port = 0, openControl = false, address = LOOPBACK, listener: opened, ...rest } = options
  const control = openControl ? {} : { controlToken: randomBytes(32).toString('base64url') }
  let listener = opened
  try {
    listener ??= await openSandboxListener(port, address)
    const { url, server } = listener
    const sandbox = createSandbox({
      clock: realClock,
      random: secureBytes,
      ...rest,
      ...control,
      address,
      publicUrl: () => url, // callbacks need it from the start
    })
    listener.answer(sandbox.fetch)
    serveParticipants(server, sandbox.participants, createHosts(address))
    const { project, account, faults, settled, isLive, endBroadcasts } = sandbox
    return {
      url,
      insightsUrl: url + INSIGHTS_PATH,
      ...project,
      ...account,
      ...control,
      faults,
      settled,
      isLive,
      endBroadcasts,
      close: () => close(listener as SandboxListener, sandbox),
    }
  } catch (error) {
    void listener?.close()
    await rest.media.close()
    throw error
  }
}

async function close(listener: SandboxListener, sandbox: Sandbox): Promise<void> {
  const closed = listener.close()
  await sandbox.participants.close() // upgraded sockets are no longer the server's, but closing it waits for them
  await closed
  await sandbox.close()
}
