import { z } from 'zod'
import type { Secrets } from '../../aws/secrets.ts'
import type { Clock } from '../../clock.ts'
import { createPlatformClient, type PlatformClient } from '../../platform/client/client.ts'
import { createClientToken } from '../../platform/client/client-tokens.ts'
import type { LeftOut } from '../../platform/client/outcomes.ts'

/** The value of the project's secret. */
export const platformSecret = z.object({ apiKey: z.string().regex(/^\d+$/), apiSecret: z.string().min(1) })
export type PlatformSecret = z.output<typeof platformSecret>

export interface ProjectOptions {
  readonly baseUrl: string
  /** Needed by those alone that ask Insights. */
  readonly insightsUrl?: string
  readonly authHeader: string
  /** Id of the project's secret. */
  readonly secretId: string
  readonly clock: Clock
  readonly random: () => number
  readonly fetch: typeof globalThis.fetch
  readonly onLeftOut: (leftOut: LeftOut) => void
}

/** Who is let in, and as what; `expiresIn` in seconds. */
export type Participant = Pick<
  Parameters<typeof createClientToken>[0],
  'sessionId' | 'role' | 'data' | 'expiresIn' | 'layoutClasses'
>

/** The deployment's project at the platform. */
export interface ProjectClient {
  /** Calls it; the secret is read again once when the platform refuses it. */
  client(): Promise<PlatformClient>
  apiKey(): Promise<string>
  /**
   * Lets one participant into a session. Made of the secret as it is now, since nothing reads it again when the platform
   * refuses the token.
   */
  clientToken(participant: Participant): Promise<string>
  /**
   * Lets the platform itself bring a publisher into a session: a scene, or a telephone. It must not leave the task.
   * @param publisher its `data` is seen by the other participants and the platform's callbacks
   */
  publisherToken(sessionId: string, publisher: Pick<Participant, 'data' | 'layoutClasses'>): Promise<string>
}

export function createProjectClient(secrets: Secrets, options: ProjectOptions): ProjectClient {
  const { baseUrl, insightsUrl, authHeader, secretId, clock, random, fetch, onLeftOut } = options
  /** While the secret is being replaced, the platform accepts the pending one alone. */
  const secret = async ({ fresh = false } = {}) =>
    (fresh && (await secrets.readPending(secretId, platformSecret))) ||
    (await secrets.read(secretId, platformSecret, { fresh }))
  const apiSecret = async (how?: { fresh?: boolean }) => (await secret(how)).apiSecret
  let client: Promise<PlatformClient> | undefined
  const create = async () => {
    const { apiKey } = await secret()
    return createPlatformClient({
      baseUrl,
      ...(insightsUrl && { insightsUrl }),
      authHeader,
      apiKey,
      apiSecret,
      clock,
      random,
      fetch,
      onLeftOut,
    })
  }
  const clientToken: ProjectClient['clientToken'] = async (participant) =>
    createClientToken({ ...(await secret({ fresh: true })), ...participant, clock, random })
  return {
    client() {
      client ??= create().catch((error) => {
        client = undefined
        throw error
      })
      return client
    },
    apiKey: async () => (await secret()).apiKey,
    clientToken,
    publisherToken: (sessionId, publisher) => clientToken({ ...publisher, sessionId, role: 'publisher' }),
  }
}
