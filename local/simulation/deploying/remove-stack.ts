import { accountRequest } from '../environment/platform/account-requests.ts'
import type { World } from '../world.ts'
import { createProject, putProject, removeResource } from './deploy-stack.ts'
import { type DeploymentPlan, RETIRED_AFTER } from './deployment-plan.ts'
import type { Stack } from './stack.ts'

/** Removes a stack as CloudFormation does, after its show. No show can run afterwards. */
export async function removeStack(world: World, plan: DeploymentPlan): Promise<void> {
  const { stack, userPolicies } = world
  const keysId = physicalIdOfKeys(stack)
  const removeKeys = async () => {
    await removeResource(stack, 'UploadKeys', keysId)
    if (plan.isRemovedTwice) await stack.repeat()
  }
  if (plan.isKeyRotated) await stack.rotate('upload key', RETIRED_AFTER)
  if (plan.isRolledBack) {
    await stack.request({ resource: 'UploadKeys', type: 'Create' })
    await removeResource(stack, 'UploadKeys', keysId)
  }
  if (plan.isProjectFirst) await removeProject(world, plan)
  await stack.observe('the stack deletes the policy of the upload user', async () => {
    userPolicies.delete(plan.policyLag)
  })
  await removeKeys()
  if (!plan.isProjectFirst) await removeProject(world, plan)
}

/** Returns the physical id of the creation. */
function physicalIdOfKeys(stack: Pick<Stack, 'steps' | 'physicalIdOf'>): string {
  const creation = stack.steps.find(({ act }) => act.kind === 'request' && act.request.resource === 'UploadKeys')?.act
  return stack.physicalIdOf('UploadKeys', creation?.kind === 'request' ? creation.answers[0] : undefined)
}

async function removeProject(world: World, { project, isRemovedTwice }: DeploymentPlan): Promise<void> {
  if (!project) return
  const { stack, platform, clock } = world
  const apiKey = platform.projectKey
  if (project.atRemoval === 'deleted') {
    await stack.observe('the project is deleted by hand', async () => {
      await platform.sandbox.fetch(accountRequest(platform, 'deleteProject', { apiKey, now: clock.now() }))
    })
    await stack.request({ resource: 'Project', type: 'Update', physicalId: apiKey, status: 'SUSPENDED' })
  }
  if (project.atRemoval === 'another')
    await stack.observe('another project is put into the secret by hand', async () => {
      const { id, secret } = await createProject(world, stack.project.name)
      await putProject(world, { apiKey: id, apiSecret: secret })
    })
  await removeResource(stack, 'Project', apiKey)
  if (isRemovedTwice) await stack.repeat()
}
