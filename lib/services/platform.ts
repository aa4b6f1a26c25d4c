import { z } from 'zod'
import type { Clock } from '../clock.ts'
import { createPlatformClient, type PlatformClient } from '../platform/client/client.ts'
import type { Secrets } from './secrets.ts'

const platformSecret = z.object({ apiKey: z.string().regex(/^\d+$/), apiSecret: z.string().min(1) })

export interface PlatformOptions {
  readonly baseUrl: string
  readonly authHeader: string
  /** Id of the project's secret. */
  readonly secretId: string
  readonly clock: Clock
  readonly random: () => number
  readonly fetch: typeof globalThis.fetch
}

/** The platform's client for the deployment's project; the secret is read again once when the platform refuses it. */
export function createPlatform(secrets: Secrets, options: PlatformOptions): () => Promise<PlatformClient> {
  let client: Promise<PlatformClient> | undefined
  const create = async () => {
    const { apiKey } = await secrets.read(options.secretId, platformSecret)
    const { baseUrl, authHeader, clock, random, fetch } = options
    const apiSecret = async ({ fresh = false } = {}) =>
      (await secrets.read(options.secretId, platformSecret, { fresh })).apiSecret
    return createPlatformClient({ baseUrl, authHeader, apiKey, apiSecret, clock, random, fetch })
  }
  return () => {
    client ??= create().catch((error) => {
      client = undefined
      throw error
    })
    return client
  }
}
