import { z } from 'zod'
import type { Services } from '../../services.ts'
import { isUncertain } from '../../show/run/platform-errors.ts'
import { refreshSecret, renewedSecret } from './account-client.ts'
import { type PlatformSecret, platformSecret } from './project-client.ts'

type Reach = Pick<Services, 'account' | 'rotationLock' | 'projectSecretRotation' | 'records' | 'secrets' | 'clock'>

/**
 * The secret while the deployment makes its project: the projects of that name that existed before. One that exists besides
 * is the one that was made, although its answer was lost.
 */
export const making = z.object({ making: z.object({ name: z.string(), known: z.array(z.string()) }) })

/** The secret of a new deployment, before somebody or the deployment itself puts the project's key in. */
export const noKeyYet = z.union([z.strictObject({}), making]).transform(() => null)

/** Seconds: longer than the function's timeout, after which whoever began is over. */
const BUSY = 180
/** Seconds for which shows wait when nobody can say whether the secret was replaced: the next attempts come before. */
const MAX = 1_800

/**
 * Has the platform replace the project's secret, at a time when no show runs, and gives the pending version the new one.
 * @returns the show that it has to wait for
 */
export async function replaceProjectSecret(services: Reach, versionId: string): Promise<string | undefined> {
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
  const running = await findRunningShow(services).catch(endedWhen(() => true))
  if (running) {
    await rotationLock.end()
    return running
  }
  const apiSecret = await (async () => {
    const client = await account()
    const renewed = await renewedSecret(client, known).catch(endedWhen(() => true))
    return renewed ?? (await refreshSecret(client, known, clock).catch(endedWhen((error) => !isUncertain(error))))
  })()
  await rotation.store(versionId, { apiKey: known.apiKey, apiSecret } satisfies PlatformSecret)
  await rotationLock.end()
  return undefined
}

/** Of the list of shows that are not settled. */
const PAGE = 1_000

/**
 * A show that has begun and is not settled: until then it or the sweep may call the platform. One that waits looks again
 * before it does.
 */
async function findRunningShow({ records }: Reach): Promise<string | undefined> {
  for (let after: string | undefined; ; ) {
    const { items, cursor } = await records.listUnfinished({ limit: PAGE, ...(after && { after }) })
    for (const showId of items) {
      const state = await records.readState(showId)
      if (state?.status !== 'scheduled' && state?.waitsFor === undefined) return showId
    }
    if (!cursor) return undefined
    after = cursor
  }
}
