import { z } from 'zod'
import type { Secrets } from '../../aws/secrets.ts'
import type { Clock } from '../../clock.ts'
import type { Project } from '../../platform/client/answers.ts'
import { createPlatformClient, type PlatformClient } from '../../platform/client/client.ts'
import { PlatformAuthError, PlatformNotFoundError } from '../../platform/client/errors.ts'
import type { LeftOut } from '../../platform/client/outcomes.ts'
import { isUncertain, onError } from '../../show/run/platform-errors.ts'
import { ServiceError } from '../../tasks/errors.ts'
import type { PlatformSecret } from './project-client.ts'

const accountSecret = z.object({ apiKey: z.string().min(1), apiSecret: z.string().min(1) })

export interface AccountOptions {
  readonly baseUrl: string
  readonly authHeader: string
  /** Id of the account's secret. */
  readonly secretId: string
  readonly clock: Clock
  readonly random: () => number
  readonly fetch: typeof globalThis.fetch
  readonly onLeftOut: (leftOut: LeftOut) => void
}

/** A client for the operations on the account's projects, with the account's credentials as they are now. */
export async function createAccountClient(
  secrets: Secrets,
  { secretId, ...options }: AccountOptions,
): Promise<PlatformClient> {
  const { apiKey: key, apiSecret: secret } = await secrets.read(secretId, accountSecret, { fresh: true })
  return createPlatformClient({ ...options, account: { key, secret } })
}

/** Seconds between looks: half a minute in all. */
const LATER_LOOKS = [1, 2, 4, 8, 15] as const

/** A project's secret as the platform has it, if it is not the one that is known here: then it has been replaced already. */
export async function renewedSecret(account: PlatformClient, known: PlatformSecret): Promise<string | undefined> {
  const { secret } = await account.getProject({ apiKey: known.apiKey })
  return secret === known.apiSecret ? undefined : secret
}

/**
 * Replaces a project's secret, once: a second time would void what the first one gave. When the answer is lost, the new
 * secret is asked for.
 * @throws PlatformError when the platform refuses, or (isDoubtful) when nobody can say whether it did it: then `renewedSecret`
 *   tells later
 */
export async function refreshSecret(account: PlatformClient, known: PlatformSecret, clock: Clock): Promise<string> {
  try {
    return (await account.refreshSecret({ apiKey: known.apiKey })).secret
  } catch (error) {
    if (!isUncertain(error)) throw error
    for (const seconds of [0, ...LATER_LOOKS]) {
      if (seconds > 0) await clock.sleep(seconds * 1000)
      const renewed = await renewedSecret(account, known)
      if (renewed) return renewed
    }
    throw error
  }
}

export const findProject = (account: PlatformClient, apiKey: string): Promise<Project | undefined> =>
  account.getProject({ apiKey }).catch(onError(isMissing, undefined))

/** Deletes a project; one that is gone is deleted already. */
export const deleteIfThere = (account: PlatformClient, apiKey: string): Promise<unknown> =>
  account.deleteProject({ apiKey }).catch(onError(isMissing, undefined))

const isMissing = (error: unknown) => error instanceof PlatformNotFoundError

export const projectsNamed = async (account: PlatformClient, name: string): Promise<Project[]> =>
  (await account.listProjects()).filter((project) => project.name === name)

/** Creates a project, or adopts the one of this name that is not among the known ones: an earlier answer was lost. */
export async function createOrAdoptProject(
  account: PlatformClient,
  name: string,
  known: readonly string[],
): Promise<Project> {
  const find = async () => (await projectsNamed(account, name)).find(({ id }) => !known.includes(id))
  return (await find()) ?? (await account.createProject({ name }, { adopt: find }))
}

/** Seconds between looks: a minute in all, after which a new project can be used. */
const UNTIL_USABLE = [1, 2, 4, 8, 15, 15, 15] as const

/** Waits until a project can be used. @throws ServiceError when it cannot after a minute */
export async function awaitUsable(platform: PlatformClient, clock: Clock): Promise<void> {
  for (const seconds of [0, ...UNTIL_USABLE]) {
    if (seconds > 0) await clock.sleep(seconds * 1000)
    try {
      return void (await platform.listArchives({ count: 1 }))
    } catch (error) {
      if (!(error instanceof PlatformAuthError || error instanceof PlatformNotFoundError)) throw error
    }
  }
  throw new ServiceError('The platform does not let the project be used a minute after it was made: try again later.')
}
