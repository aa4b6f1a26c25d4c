import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager'
import { accountRequest } from '../environment/platform/account-requests.ts'
import { createSecretsClient } from '../environment/secrets-client.ts'
import type { World } from '../world.ts'
import type { DeploymentPlan, ProjectChange } from './deployment-plan.ts'
import type { Stack } from './stack.ts'

/** Deployments that a deployer attempts. */
const ATTEMPTS = 4

/**
 * Deploys the custom resources of a stack as CloudFormation does, and its project with the changes that are planned.
 * @throws Error when no attempt creates the project
 */
export async function deployStack(world: World, { project }: DeploymentPlan): Promise<void> {
  const { stack, platform } = world
  for (let count = 0; count < (project?.namesakes ?? 0); count++) await createProject(world, stack.project.name)
  for (const credential of ['upload key', 'project secret'] as const) await stack.test(credential)
  await stack.request({ resource: 'UploadKeys', type: 'Create' })
  if (!project) return
  const physicalId = await createManagedProject(stack)
  platform.useProject(physicalId)
  for (const change of project.changes) await make(change, stack, physicalId)
  if (project.isRotated) await stack.rotate('project secret')
}

/** Creates the project. CloudFormation rolls a failed creation back, after which the deployer deploys again. */
async function createManagedProject(stack: Stack): Promise<string> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const answer = await stack.request({ resource: 'Project', type: 'Create' })
    const physicalId = stack.physicalIdOf('Project', answer)
    if (answer?.Status === 'SUCCESS') return physicalId
    await removeResource(stack, 'Project', physicalId)
  }
  throw new Error(`The project could not be created in ${ATTEMPTS} deployments.`)
}

/** Deletes a custom resource. A deployer deletes the stack again if that fails. */
export async function removeResource(
  stack: Stack,
  resource: 'Project' | 'UploadKeys',
  physicalId: string,
): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const answer = await stack.request({ resource, type: 'Delete', physicalId })
    if (answer?.Status === 'SUCCESS') return
  }
}

async function make(change: ProjectChange, stack: Stack, physicalId: string): Promise<void> {
  const resource = 'Project' as const
  /** Updates the project, and again if that fails: an update that is repeated, or its rollback. */
  const update = async (more: { readonly name?: string; readonly status?: string } = {}) => {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const answer = await stack.request({ resource, type: 'Update', physicalId, ...more })
      if (answer?.Status === 'SUCCESS') return
    }
  }
  switch (change) {
    case 'repeat': {
      await stack.request({ resource, type: 'Create' })
      return stack.repeat()
    }
    case 'same':
      return update()
    case 'suspend': {
      await update({ status: 'SUSPENDED' })
      return update({ status: 'ACTIVE' })
    }
    case 'rename': {
      await stack.request({ resource, type: 'Update', physicalId, name: 'Renamed' })
      return update()
    }
    case 'another':
      return void (await stack.request({ resource, type: 'Create', name: 'Another' }))
    case 'nameless':
      return void (await stack.request({ resource, type: 'Create', name: '' }))
  }
}

/** Creates a project by hand. */
export async function createProject({ platform, clock }: World, name: string) {
  const request = accountRequest(platform, 'createProject', { body: { name }, now: clock.now() })
  return (await (await platform.sandbox.fetch(request)).json()) as { readonly id: string; readonly secret: string }
}

/** Puts the key and secret of a project into the stack's secret by hand. */
export async function putProject(
  { cloud, clock, observer }: Pick<World, 'cloud' | 'clock' | 'observer'>,
  value: object,
): Promise<void> {
  const client = createSecretsClient({ cloud, clock })
  const secret = { SecretId: cloud.outputs.ProjectSecretArn, SecretString: JSON.stringify(value) }
  await client.send(new PutSecretValueCommand({ ...secret, ClientRequestToken: observer.newId() }))
}
