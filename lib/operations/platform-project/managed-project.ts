import { z } from 'zod'
import type { Project } from '../../platform/client/answers.ts'
import type { ProjectStatus } from '../../platform/contract/projects.ts'
import type { Services } from '../../services.ts'
import { TaskInputError } from '../../tasks/errors.ts'
import { awaitUsable, createOrAdoptProject, deleteIfThere, findProject, projectsNamed } from './account-client.ts'
import { platformSecret } from './project-client.ts'
import { making } from './project-secret.ts'

/** What the deployment wants of its platform project. */
export interface ProjectOrder {
  readonly name: string
  readonly status: ProjectStatus
}

type Reach = Pick<Services, 'account' | 'platformAs' | 'secrets' | 'projectSecretRotation' | 'variable' | 'clock'>

/** Whatever else it holds, such as the random letters of a new secret, is nothing. */
const held = z.union([platformSecret, making, z.unknown().transform(() => ({}))])

const readHeld = ({ secrets, variable }: Reach) => secrets.read(variable('PLATFORM_SECRET'), held, { fresh: true })

/**
 * Makes the deployment's project, or adopts the one that an earlier attempt has made, and puts its key and secret in place.
 * @throws TaskInputError when the deployment has another project already
 */
export async function makeProject(services: Reach, order: ProjectOrder): Promise<Project> {
  const account = await services.account()
  const before = await readHeld(services)
  if ('apiKey' in before) {
    const project = await findProject(account, before.apiKey)
    if (project?.name === order.name) return bringTo(services, project, order.status)
    throw new TaskInputError(
      `The deployment’s secret holds the key of project ${before.apiKey} already, which the account ${project ? `calls "${project.name}"` : 'does not know'}: put {} into the secret, or take platform.project out of the settings.`,
    )
  }
  const isResumed = 'making' in before && before.making.name === order.name
  const known = isResumed ? before.making.known : (await projectsNamed(account, order.name)).map(({ id }) => id)
  if (!isResumed) await services.projectSecretRotation.replace({ making: { name: order.name, known } })
  const project = await createOrAdoptProject(account, order.name, known)
  return bringTo(services, project, order.status)
}

/** @throws TaskInputError when the project is gone, or has another name: the platform cannot rename */
export async function changeProject(services: Reach, apiKey: string, order: ProjectOrder): Promise<Project> {
  const project = await findProject(await services.account(), apiKey)
  if (!project)
    throw new TaskInputError(
      `The project ${apiKey} is gone from the platform: take platform.project out of the settings, deploy, and put it in again.`,
    )
  if (project.name !== order.name)
    throw new TaskInputError(
      `The platform cannot rename a project: it stays "${project.name}". Put that name back into the settings, or take platform.project out, deploy, and put it in again, which makes another project.`,
    )
  return bringTo(services, project, order.status)
}

/**
 * Deletes the deployment's project, or whatever an attempt to make one has left behind.
 * @param apiKey deleted only if the deployment's secret holds it, so that no caller deletes another project of the account
 * @returns the key if it is another one than the secret's, and the project was kept
 */
export async function deleteProject(services: Reach, apiKey: string | undefined): Promise<string | undefined> {
  const account = await services.account()
  const before = await readHeld(services)
  const left =
    'making' in before
      ? (await projectsNamed(account, before.making.name)).filter(({ id }) => !before.making.known.includes(id))
      : []
  const own = 'apiKey' in before && before.apiKey === apiKey ? [apiKey] : []
  const ids = [...left.map(({ id }) => id), ...own]
  for (const id of ids) await deleteIfThere(account, id)
  if ('making' in before || own.length > 0) await services.projectSecretRotation.replace({})
  const isKept = apiKey !== undefined && !ids.includes(apiKey) && (await findProject(account, apiKey)) !== undefined
  return isKept ? apiKey : undefined
}

/** Puts the project's key and secret in place, and the project into this status. */
async function bringTo(services: Reach, project: Project, status: ProjectStatus): Promise<Project> {
  const { projectSecretRotation, platformAs, clock } = services
  const account = await services.account()
  const { id: apiKey, secret: apiSecret = '' } = project.secret
    ? project
    : await account.getProject({ apiKey: project.id })
  const before = await readHeld(services)
  const isInPlace = 'apiKey' in before && before.apiKey === apiKey && before.apiSecret === apiSecret
  if (!isInPlace) await projectSecretRotation.replace({ apiKey, apiSecret })
  if (project.status !== status) await account.setProjectStatus({ apiKey, status })
  if (status === 'ACTIVE') await awaitUsable(platformAs({ apiKey, apiSecret }), clock)
  return { ...project, status }
}
