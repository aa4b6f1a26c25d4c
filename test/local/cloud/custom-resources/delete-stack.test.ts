import { join } from 'node:path'
import { CreateAccessKeyCommand, IAMClient, ListAccessKeysCommand } from '@aws-sdk/client-iam'
import { describe, expect, it } from 'vitest'
import { handler } from '../../../../lambdas/operations/delete-upload-keys.ts'
import { createSteppedClock } from '../../../../lib/clock.ts'
import { createServices } from '../../../../lib/services.ts'
import type { CloudOptions } from '../../../../local/cloud/cloud.ts'
import { deleteStack } from '../../../../local/cloud/custom-resources/delete-stack.ts'
import {
  deployCustomResources,
  type Provisional,
} from '../../../../local/cloud/custom-resources/deploy-custom-resources.ts'
import { createInProcessHandler, signByClock } from '../../../../local/cloud/functions/in-process-handler.ts'
import { DEFAULT_AWS_URL, wireCloud } from '../../../../local/cloud/wire-cloud.ts'
import { invoke } from '../../../support/world.ts'
import { assemblyOf, lambda, temporaryFolder } from '../small-assembly.ts'
import { START } from '../small-cloud.ts'

const user = { Ref: 'Uploader' }
const resources = {
  Uploader: { Type: 'AWS::IAM::User', Properties: { UserName: 'uploader' } },
  First: { Type: 'AWS::IAM::AccessKey', Properties: { UserName: user } },
  Policy: { Type: 'AWS::IAM::Policy', Properties: { PolicyName: 'uploads', Users: [user], PolicyDocument: {} } },
  Delete: lambda('a', { Environment: { Variables: { UPLOAD_USER: user } } }),
}
const keys = {
  Type: 'Custom::UploadKeys',
  Properties: { ServiceToken: { 'Fn::GetAtt': ['Delete', 'Arn'] }, UserName: user },
}

/** A deployment whose function is the very one of the stack, with a key that the template does not know. */
async function deployAndRotate(directory: string, Resources: Record<string, { Type: string; Properties?: object }>) {
  const clock = createSteppedClock(START)
  let count = 0
  let provisional: Provisional | undefined
  const serve = (one: Provisional) => {
    provisional = one
  }
  const aws = { endpoint: DEFAULT_AWS_URL, region: 'us-east-1', maxAttempts: 1 }
  const clientOf = ({ aws: fetch, credentials }: Provisional) => ({
    ...{ ...aws, credentials, requestHandler: createInProcessHandler(fetch) as never },
  })
  const options: CloudOptions = {
    ...{ assembly: assemblyOf({ Resources }), parameters: {}, apiUrl: 'http://api.invalid', directory, clock },
    ...{ randomHex: (digits) => (++count).toString(16).padStart(digits, '0'), random: () => 0.5 },
    invoke({ environment }, event) {
      const reached = provisional as Provisional
      const services = createServices(environment, {
        ...{ clock: { ...clock, sleep: async () => {} }, random: () => 0.5, aws: clientOf(reached) },
        fetch: (input, init) => reached.aws(new Request(input, init)),
        prepare: (client) => signByClock(client, clock),
      })
      return invoke(handler, services, event)
    },
  }
  const customResources = await deployCustomResources(options, serve)
  const whole = wireCloud({ ...options, customResources })
  const iam = new IAMClient(clientOf(whole))
  signByClock(iam, clock)
  await iam.send(new CreateAccessKeyCommand({ UserName: 'uploader' }))
  const listed = async () => (await iam.send(new ListAccessKeysCommand({ UserName: 'uploader' }))).AccessKeyMetadata
  expect(await listed()).toHaveLength(2)
  await whole.close()
  return { remove: () => deleteStack(options, serve) }
}

describe('deleteStack', () => {
  it('deletes a stack after a rotation, with the key that its template does not know', async () => {
    using folder = temporaryFolder()
    const { remove } = await deployAndRotate(join(folder.path, 'cloud'), { ...resources, Keys: keys })
    await expect(remove()).resolves.toBeUndefined()
    await expect(remove()).resolves.toBeUndefined()
  })

  it('refuses, as IAM does, to delete a user whose keys nothing deletes', async () => {
    using folder = temporaryFolder()
    const { remove } = await deployAndRotate(join(folder.path, 'cloud'), resources)
    await expect(remove()).rejects.toThrow(
      'uploader could not be deleted: Cannot delete entity, must delete access keys',
    )
  })
})
