import { createIamAccessKeys } from '../iam/access-keys.ts'
import type { CustomResourceSpec } from '../stack/custom-resource.ts'
import { type CloudOptions, DEFAULT_AWS_URL, wireCloud } from '../wire-cloud.ts'
import { ask, inOrder, narrow, openKept, type Provisional } from './deploy-custom-resources.ts'
import { createResponses } from './responses.ts'

/**
 * Deletes the stack’s custom resources, in reverse order of creation, and then its users, as CloudFormation does after
 * their dependents. Everything else is deleted with the directory.
 * @param serve receives the server of AWS for the functions
 * @throws Error naming the resource that cannot be deleted, with the reason
 */
export async function deleteStack(options: CloudOptions, serve: (provisional: Provisional) => void): Promise<void> {
  const { assembly, directory, randomHex, awsUrl = DEFAULT_AWS_URL } = options
  if (!directory) throw new Error('There is no directory to delete a stack from.')
  const { content: kept, save } = openKept(directory)
  const made = { ...kept }
  const responses = createResponses(awsUrl, () => randomHex(64))
  for (const id of inOrder(assembly.template).reverse()) {
    const former = Object.hasOwn(kept, id) ? kept[id] : undefined
    if (!former) continue
    const parts = wireCloud({ ...options, assembly: narrow(options, id), customResources: made })
    serve({ ...parts, aws: (request) => responses.take(request) ?? parts.aws(request) })
    try {
      const spec = parts.stack.customResources.find((one) => one.id === id) as CustomResourceSpec
      const request = { RequestType: 'Delete', PhysicalResourceId: former.physicalId } as const
      await ask(spec, request, { options, parts, responses })
    } catch (error) {
      throw new Error(`${id} could not be deleted: ${(error as Error).message}.`, { cause: error })
    } finally {
      await parts.close()
    }
    delete kept[id]
    save()
  }

  refuseUsersWithKeys({ ...options, customResources: made }, directory)
}

/** Refuses users with access keys that CloudFormation has not created, as IAM does. */
function refuseUsersWithKeys(options: CloudOptions, directory: string): void {
  const { assembly, randomHex, clock } = options
  const parts = wireCloud(options)
  const keys = createIamAccessKeys({ directory, randomHex, now: clock.now })
  const made = Object.entries(assembly.template.Resources)
    .filter(([, { Type }]) => Type === 'AWS::IAM::AccessKey')
    .map(([id]) => keys.make(id).accessKeyId)
  for (const user of parts.stack.users)
    if (keys.list(user).some(({ accessKeyId }) => !made.includes(accessKeyId)))
      throw new Error(`${user} could not be deleted: Cannot delete entity, must delete access keys first.`)
  void parts.close()
}
