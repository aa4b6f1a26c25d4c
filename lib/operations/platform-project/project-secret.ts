import { z } from 'zod'
import type { Services } from '../../services.ts'
import { isUncertain } from '../../show/run/platform-errors.ts'
import { refreshSecret, renewedSecret } from './account-client.ts'
import { type PlatformSecret, platformSecret } from './project-client.ts'

type Rotating = Pick<Services, 'account' | 'rotationLock' | 'projectSecretRotation' | 'records' | 'secrets' | 'clock'>

/** The secret while its project is created: the projects of that name before. A call with a lost answer created others. */
export const making = z.object({ making: z.object({ name: z.string(), known: z.array(z.string()) }) })

/** The value of the secret in a new deployment, before it holds the project's key. */
export const noKeyYet = z.union([z.strictObject({}), making]).transform(() => null)

/** Seconds after which the caller is surely over: longer than the function's timeout. */
const BUSY = 180
/** Seconds for which shows wait if the outcome of a replacement is uncertain. The next attempts are earlier. */
const MAX = 1_800

/**
 * Lets the platform replace the project's secret while no show runs, and stores the new one as the pending version. If an
 * earlier attempt replaced the secret and did not store it, stores it at once, also while shows run.
 * @returns the id of a running show, if the replacement has to wait for it
 */
export async function replaceProjectSecret(services: Rotating, versionId: string): Promise<string | undefined> {
  const { account, rotationLock, projectSecretRotation: rotation, secrets, clock } = services
  if (await rotation.read(versionId, platformSecret)) return undefined
  const known = await secrets.read(rotation.secretId, platformSecret, { fresh: true })
  await rotationLock.begin('The secret of the platform project is being replaced', { busy: BUSY, longest: MAX })
  const endedWhen =
    (isCertain: (error: unknown) => boolean) =>
    async (error: unknown): Promise<never> => {
      if (isCertain(error)) await rotationLock.end()
      throw error
    }
  const client = await account().catch(endedWhen(() => true))
  // An attempt may have ended before it stored the new secret: running shows cannot call the platform until it is stored.
  const renewed = await renewedSecret(client, known).catch(endedWhen(() => true))
  const running = renewed === undefined ? await findRunningShow(services).catch(endedWhen(() => true)) : undefined
  if (running) {
    await rotationLock.end()
    return running
  }
  const apiSecret =
    renewed ?? (await refreshSecret(client, known, clock).catch(endedWhen((error) => !isUncertain(error))))
  await rotation.store(versionId, { apiKey: known.apiKey, apiSecret } satisfies PlatformSecret)
  await rotationLock.end()
  return undefined
}

/** Returns a show that may call the platform: it has started and is not settled. A waiting show reads the rotation lock first. */
async function findRunningShow({ records }: Pick<Services, 'records'>): Promise<string | undefined> {
  for await (const showId of records.eachUnfinished()) {
    const state = await records.readState(showId)
    if (state?.status !== 'scheduled' && state?.waitsFor === undefined) return showId
  }
  return undefined
}
