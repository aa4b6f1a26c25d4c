import { z } from 'zod'
import type { Secrets } from '../../aws/secrets.ts'
import type { Clock } from '../../clock.ts'
import type { Project } from '../../platform/client/answers.ts'
import { createPlatformClient, type PlatformClient } from '../../platform/client/client.ts'
import { PlatformAuthError, PlatformNotFoundError } from '../../platform/client/errors.ts'
import { isUncertain, onError } from '../../show/run/platform-errors.ts'
import { ServiceError } from '../../tasks/errors.ts'
import type { PlatformSecret, ProjectOptions } from './project-client.ts'

const accountSecret = z.object({ apiKey: z.string().min(1), apiSecret: z.string().min(1) })

/** Creates a client for the operations on the account's projects, with the current credentials of the account. */
export async function createAccountClient(
  secrets: Secrets,
  { secretId, ...options }: Omit<ProjectOptions, 'insightsUrl'>,
): Promise<PlatformClient> {
  const { apiKey: key, apiSecret: secret } = await secrets.read(secretId, accountSecret, { fresh: true })
  return createPlatformClient({ ...options, account: { key, secret } })
}

/** Seconds between polls: half a minute in all. */
const POLL_PAUSES = [1, 2, 4, 8, 15] as const

/** Returns the project's secret on the platform if it differs from the known one, because it was replaced already. */
export async function renewedSecret(account: PlatformClient, known: PlatformSecret): Promise<string | undefined> {
  const { secret } = await account.getProject({ apiKey: known.apiKey })
  return secret === known.apiSecret ? undefined : secret
}

/**
 * Replaces a project's secret once, because a second replacement would void the first. After a lost answer, the new secret is
 * polled.
 * @throws {@link PlatformError} when the platform refuses, or when the outcome is uncertain: then `renewedSecret` returns it
 *   later
 */
export async function refreshSecret(account: PlatformClient, known: PlatformSecret, clock: Clock): Promise<string> {
  try {
    return (await account.refreshSecret({ apiKey: known.apiKey })).secret
  } catch (error) {
    if (!isUncertain(error)) throw error
    for (const seconds of [0, ...POLL_PAUSES]) {
      if (seconds > 0) await clock.sleep(seconds * 1000)
      const renewed = await renewedSecret(account, known)
      if (renewed) return renewed
    }
    throw error
  }
}

/** Returns a project, if it exists. */
export const findProject = (account: PlatformClient, apiKey: string): Promise<Project | undefined> =>
  account.getProject({ apiKey }).catch(onError(isMissing, undefined))

/** Deletes a project, if it exists. */
export const deleteIfExists = (account: PlatformClient, apiKey: string): Promise<unknown> =>
  account.deleteProject({ apiKey }).catch(onError(isMissing, undefined))

const isMissing = (error: unknown) => error instanceof PlatformNotFoundError

/** Returns the projects with a name: names are not unique. */
export const projectsNamed = async (account: PlatformClient, name: string): Promise<Project[]> =>
  (await account.listProjects()).filter((project) => project.name === name)

/** Creates a project, or adopts an unknown one of this name, which an earlier call with a lost answer created. */
export async function createOrAdoptProject(
  account: PlatformClient,
  name: string,
  known: readonly string[],
): Promise<Project> {
  const find = async () => (await projectsNamed(account, name)).find(({ id }) => !known.includes(id))
  return (await find()) ?? (await account.createProject({ name }, { adopt: find }))
}

/** Seconds between polls: a minute in all, within which a new project becomes usable. */
const USABLE_PAUSES = [1, 2, 4, 8, 15, 15, 15] as const

/** Waits until a project can be used. @throws {@link ServiceError} when it cannot be used after a minute */
export async function awaitUsable(platform: PlatformClient, clock: Clock): Promise<void> {
  for (const seconds of [0, ...USABLE_PAUSES]) {
    if (seconds > 0) await clock.sleep(seconds * 1000)
    try {
      return void (await platform.listArchives({ count: 1 }))
    } catch (error) {
      if (!(error instanceof PlatformAuthError || error instanceof PlatformNotFoundError)) throw error
    }
  }
  throw new ServiceError('The project cannot be used a minute after it was created: try again later.')
}
