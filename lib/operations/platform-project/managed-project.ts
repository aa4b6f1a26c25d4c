import { z } from 'zod'
import type { Project } from '../../platform/client/answers.ts'
import type { ProjectStatus } from '../../platform/contract/projects.ts'
import type { Services } from '../../services.ts'
import { TaskInputError } from '../../tasks/errors.ts'
import { awaitUsable, createOrAdoptProject, deleteIfExists, findProject, projectsNamed } from './account-client.ts'
import { platformSecret } from './project-client.ts'
import { making } from './project-secret.ts'

export interface ProjectOrder {
  readonly name: string
  readonly status: ProjectStatus
}

type Managing = Pick<Services, 'account' | 'platformAs' | 'secrets' | 'projectSecretRotation' | 'variable' | 'clock'>

/** Any other value, such as the random one of a new secret, counts as empty. */
const held = z.union([platformSecret, making, z.unknown().transform(() => ({}))])

const readHeld = ({ secrets, variable }: Managing) => secrets.read(variable('PLATFORM_SECRET'), held, { fresh: true })

/** Creates the project, or adopts an earlier attempt's. @throws {@link TaskInputError} when the deployment has another */
export async function makeProject(services: Managing, order: ProjectOrder): Promise<Project> {
  const account = await services.account()
  const before = await readHeld(services)
  if ('apiKey' in before) {
    const project = await findProject(account, before.apiKey)
    if (project?.name === order.name) return bringTo(services, project, order.status)
    throw new TaskInputError(
      `The deployment’s secret already holds the key of project ${before.apiKey}, which the account ${project ? `calls "${project.name}"` : 'does not know'}: put {} into the secret, or remove platform.project from the settings.`,
    )
  }
  const isResumed = 'making' in before && before.making.name === order.name
  const known = isResumed ? before.making.known : (await projectsNamed(account, order.name)).map(({ id }) => id)
  if (!isResumed) await services.projectSecretRotation.replace({ making: { name: order.name, known } })
  const project = await createOrAdoptProject(account, order.name, known)
  return bringTo(services, project, order.status)
}

/**
 * Changes the status of the deployment's project.
 * @throws {@link TaskInputError} when the project does not exist, or has another name: the platform cannot rename projects
 */
export async function changeProject(services: Managing, apiKey: string, order: ProjectOrder): Promise<Project> {
  const project = await findProject(await services.account(), apiKey)
  if (!project)
    throw new TaskInputError(
      `The project ${apiKey} does not exist any more: remove platform.project from the settings, deploy, and add it again.`,
    )
  if (project.name !== order.name)
    throw new TaskInputError(
      `The platform cannot rename the project "${project.name}". Restore that name in the settings, or remove platform.project, deploy, and add it again, which creates another project.`,
    )
  return bringTo(services, project, order.status)
}

/**
 * Deletes the deployment's project, and what an interrupted attempt to create one left behind.
 * @param apiKey is deleted only if the deployment's secret holds it, so that no caller deletes another project of the account
 * @returns the key if the project was kept for that reason
 */
export async function deleteProject(services: Managing, apiKey: string | undefined): Promise<string | undefined> {
  const account = await services.account()
  const before = await readHeld(services)
  const left =
    'making' in before
      ? (await projectsNamed(account, before.making.name)).filter(({ id }) => !before.making.known.includes(id))
      : []
  const own = 'apiKey' in before && before.apiKey === apiKey ? [apiKey] : []
  const ids = [...left.map(({ id }) => id), ...own]
  for (const id of ids) await deleteIfExists(account, id)
  if ('making' in before || own.length > 0) await services.projectSecretRotation.replace({})
  const isKept = apiKey !== undefined && !ids.includes(apiKey) && (await findProject(account, apiKey)) !== undefined
  return isKept ? apiKey : undefined
}

/** Stores the project's key and secret, and sets its status. */
async function bringTo(services: Managing, project: Project, status: ProjectStatus): Promise<Project> {
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
