import { z } from 'zod'
import type { Secrets } from '../../aws/secrets.ts'
import type { Clock } from '../../clock.ts'
import { createPlatformClient, type PlatformClient } from '../../platform/client/client.ts'
import { createClientToken } from '../../platform/client/client-tokens.ts'
import type { RateLimiter } from '../../platform/client/http/rate-limiter.ts'
import type { LeftOut } from '../../platform/client/outcomes.ts'

export const platformSecret = z.object({ apiKey: z.string().regex(/^\d+$/), apiSecret: z.string().min(1) })
export type PlatformSecret = z.output<typeof platformSecret>

/** The secret with the credentials of a client, and how it reaches the platform. */
export interface ProjectOptions {
  readonly baseUrl: string
  /** Only functions that query Insights need it. */
  readonly insightsUrl?: string
  readonly authHeader: string
  readonly secretId: string
  readonly clock: Clock
  readonly random: () => number
  readonly fetch: typeof globalThis.fetch
  readonly onLeftOut: (leftOut: LeftOut) => void
  /** @default calls are not limited */
  readonly rateLimiter?: RateLimiter
}

/** The participant that a token admits; `expiresIn` in seconds. */
export type AdmittedParticipant = Pick<
  Parameters<typeof createClientToken>[0],
  'sessionId' | 'role' | 'data' | 'expiresIn' | 'layoutClasses'
>

export type ProjectClient = ReturnType<typeof createProjectClient>

export function createProjectClient(secrets: Secrets, options: ProjectOptions) {
  const { secretId, ...connection } = options
  const { clock, random } = connection
  /** While the secret is being replaced, the platform only accepts the pending one. */
  const secret = async ({ fresh = false } = {}) =>
    (fresh && (await secrets.readPending(secretId, platformSecret))) ||
    (await secrets.read(secretId, platformSecret, { fresh }))
  const apiSecret = async (how?: { fresh?: boolean }) => (await secret(how)).apiSecret
  let client: Promise<PlatformClient> | undefined
  const create = async () => {
    const { apiKey } = await secret()
    return createPlatformClient({ ...connection, apiKey, apiSecret })
  }
  /** Creates a token for one participant, from the current secret, because a refused token is not created again. */
  const clientToken = async (participant: AdmittedParticipant) =>
    createClientToken({ ...(await secret({ fresh: true })), ...participant, clock, random })
  return {
    /** Returns the client. When the platform refuses the secret, the client reads it once more. */
    client() {
      client ??= create().catch((error) => {
        client = undefined
        throw error
      })
      return client
    },
    apiKey: async () => (await secret()).apiKey,
    clientToken,
    /**
     * Creates a token with which the platform itself publishes: a scene or a SIP call. The token must not leave the task.
     * @param publisher other participants and the platform's callbacks see its `data`
     */
    publisherToken: (sessionId: string, publisher: Pick<AdmittedParticipant, 'data' | 'layoutClasses'>) =>
      clientToken({ ...publisher, sessionId, role: 'publisher' }),
  }
}
