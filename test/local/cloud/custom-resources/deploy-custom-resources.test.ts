import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { GetSecretValueCommand, PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { describe, expect, it } from 'vitest'
import { createSteppedClock } from '../../../../lib/clock.ts'
import { type CloudOptions, createCloud } from '../../../../local/cloud/cloud.ts'
import {
  deployCustomResources,
  type Provisional,
} from '../../../../local/cloud/custom-resources/deploy-custom-resources.ts'
import type { CustomResourceRequest } from '../../../../local/cloud/stack/custom-resource.ts'
import { assemblyOf, lambda, type SmallTemplate, temporaryFolder } from '../small-assembly.ts'
import { connectTo, START } from '../small-cloud.ts'

const ARN = { 'Fn::GetAtt': ['Make', 'Arn'] }
const project = (more: object = {}) => ({
  Type: 'Custom::PlatformProject',
  Properties: { ServiceToken: ARN, Name: { Ref: 'AWS::StackName' }, Limits: { Shows: 5, Live: true }, ...more },
})
const resources: SmallTemplate['Resources'] = {
  Make: lambda('a', { Environment: { Variables: { SECRET: { Ref: 'Secret' } } } }),
  Secret: { Type: 'AWS::SecretsManager::Secret', Properties: { Name: 'project' } },
  Project: project(),
  Media: { Type: 'AWS::S3::Bucket', Properties: { BucketName: { 'Fn::GetAtt': ['Project', 'BucketName'] } } },
  Work: lambda('b', { Environment: { Variables: { PROJECT: { Ref: 'Project' } } } }),
}

type Answer = Record<string, unknown> | 'never' | Error

const succeed = (request: CustomResourceRequest): Answer => ({
  Status: 'SUCCESS',
  PhysicalResourceId: request.PhysicalResourceId ?? 'project-1',
  Data: { BucketName: 'made-media', Limit: 5 },
})

let count = 0
/** Counts for all clouds of this file: those of one directory must not generate the same ids. */
const randomHex = (digits: number) => (++count).toString(16).padStart(digits, '0')

/** Deploys a template whose functions return the given responses. */
function deploy(
  directory: string | undefined,
  Resources = resources,
  respond: (request: CustomResourceRequest, provisional: Provisional) => Answer | Promise<Answer> = succeed,
  clock = createSteppedClock(START),
) {
  const requests: CustomResourceRequest[] = []
  let provisional: Provisional | undefined
  const options: CloudOptions = {
    assembly: assemblyOf({
      Resources,
      Outputs: { Limit: { Value: { 'Fn::GetAtt': ['Project', 'Limit'] } }, Id: { Value: { Ref: 'Project' } } },
    }),
    parameters: {},
    apiUrl: 'http://api.invalid',
    ...(directory && { directory }),
    clock,
    randomHex,
    random: () => 0.5,
    async invoke(_spec, event) {
      const request = event as CustomResourceRequest
      requests.push(request)
      const answer = await respond(request, provisional as Provisional)
      if (answer === 'never') return
      if (answer instanceof Error) throw answer
      const { StackId, RequestId, LogicalResourceId } = request
      const body = JSON.stringify({ StackId, RequestId, LogicalResourceId, ...answer })
      await provisional?.aws(new Request(request.ResponseURL, { method: 'PUT', body }))
    },
  }
  const deployed = deployCustomResources(options, (one) => {
    provisional = one
  })
  return { deployed, requests, options, clock }
}

/** Deploys and closes; resolves to the requests that were made. */
async function deployOnce(directory: string, ...rest: [typeof resources?, Parameters<typeof deploy>[2]?]) {
  const { deployed, requests, options } = deploy(directory, ...rest)
  const customResources = await deployed
  const cloud = createCloud({ ...options, customResources })
  await cloud.close()
  return { requests, cloud }
}

describe('deployCustomResources', () => {
  it('creates a resource by its function, whose response the rest of the stack refers to', async () => {
    using folder = temporaryFolder()
    const { requests, cloud } = await deployOnce(join(folder.path, 'cloud'))
    expect(requests).toEqual([
      {
        RequestType: 'Create',
        ResponseURL: expect.stringMatching(
          /^http:\/\/aws\.invalid\/cloudformation-custom-resource-response\/[0-9a-f]{64}$/,
        ),
        StackId: expect.stringContaining('arn:aws:cloudformation:us-east-1:000000000000:stack/Small/'),
        RequestId: expect.any(String),
        ResourceType: 'Custom::PlatformProject',
        LogicalResourceId: 'Project',
        ResourceProperties: {
          ServiceToken: 'arn:aws:lambda:us-east-1:000000000000:function:Make',
          Name: 'Small',
          Limits: { Shows: '5', Live: 'true' },
        },
      },
    ])
    expect(cloud.outputs).toEqual({ Limit: '5', Id: 'project-1' })
    expect(cloud.functions[1]?.environment).toEqual({ PROJECT: 'project-1' })
  })

  it('does nothing for one that is unchanged, and updates one that has changed', async () => {
    using folder = temporaryFolder()
    const directory = join(folder.path, 'cloud')
    await deployOnce(directory)
    const again = await deployOnce(directory)
    expect([again.requests, again.cloud.outputs]).toEqual([[], { Limit: '5', Id: 'project-1' }])
    const changed = await deployOnce(directory, { ...resources, Project: project({ Name: 'other' }) })
    expect(changed.requests).toMatchObject([
      {
        RequestType: 'Update',
        PhysicalResourceId: 'project-1',
        ResourceProperties: { Name: 'other' },
        OldResourceProperties: { Name: 'Small' },
      },
    ])
    const file = join(directory, 'custom-resources.json')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file, 'utf8')).toContain('made-media')
  })

  it('lets the function reach AWS, where what it does remains', async () => {
    using folder = temporaryFolder()
    const directory = join(folder.path, 'cloud')
    const clock = createSteppedClock(START)
    const value = { SecretId: 'project', SecretString: 'made' }
    const { deployed, options } = deploy(directory, resources, async (request, { aws, credentials }) => {
      const client = connectTo({ aws, credentials }, clock, SecretsManagerClient)
      await client.send(new PutSecretValueCommand(value))
      return succeed(request)
    })
    const cloud = createCloud({ ...options, customResources: await deployed })
    const client = connectTo(cloud, clock, SecretsManagerClient)
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: 'project' }))
    expect(SecretString).toBe('made')
    await cloud.close()
  })

  it('makes those first that others need', async () => {
    using folder = temporaryFolder()
    const Key = { Type: 'Custom::Key', Properties: { ServiceToken: ARN, Project: { Ref: 'Project' } } }
    const { requests } = await deployOnce(join(folder.path, 'cloud'), { Key, ...resources })
    expect(requests.map(({ LogicalResourceId }) => LogicalResourceId)).toEqual(['Project', 'Key'])
    expect(requests[1]?.ResourceProperties.Project).toBe('project-1')
    const one = { Type: 'Custom::A', Properties: { ServiceToken: ARN, B: { 'Fn::Sub': 'x-${Two}' } } }
    const two = { Type: 'Custom::B', Properties: { ServiceToken: ARN, A: { 'Fn::GetAtt': ['One', 'A'] } } }
    const { deployed } = deploy(join(folder.path, 'cloud'), { ...resources, One: one, Two: two })
    await expect(deployed).rejects.toThrow('Custom resources depend on each other.')
  })

  it.each<[string, Answer, string]>([
    ['failed', { Status: 'FAILED', Reason: 'the name is taken' }, 'Project could not be created: the name is taken.'],
    ['responded with no status', {}, 'neither the Status SUCCESS nor FAILED'],
    ['responded with no id', { Status: 'SUCCESS' }, 'the response has no PhysicalResourceId'],
    ['responded to another request', { Status: 'SUCCESS', RequestId: 'x' }, 'the RequestId of the response is not'],
    ['responded too much', { Status: 'SUCCESS', Data: 'x'.repeat(4096) }, 'it must have at most 4096 bytes'],
    ['broke', new Error('no such module'), 'Project could not be created: no such module.'],
  ])('refuses to start when the function %s, and asks again next time', async (_what, answer, message) => {
    using folder = temporaryFolder()
    const directory = join(folder.path, 'cloud')
    const { deployed } = deploy(directory, resources, () => answer)
    await expect(deployed).rejects.toThrow(message)
    expect((await deployOnce(directory)).requests).toMatchObject([{ RequestType: 'Create' }])
  })

  it('refuses to start when the function does not respond in time', async () => {
    using folder = temporaryFolder()
    const slow = { ...resources, Project: project({ ServiceTimeout: 60 }) }
    const { deployed, clock, requests } = deploy(join(folder.path, 'cloud'), slow, () => 'never')
    const failed = expect(deployed).rejects.toThrow('its function did not respond within 60 seconds')
    await clock.advance(60_000)
    await failed
    expect(requests[0]?.ResourceProperties).not.toHaveProperty('ServiceTimeout')
  })

  it('takes a response once, at an address that only the function knows', async () => {
    using folder = temporaryFolder()
    const statuses: number[] = []
    const { deployed } = deploy(join(folder.path, 'cloud'), resources, async (request, { aws }) => {
      const put = async (url: string, method = 'PUT') => {
        const body = method === 'GET' ? null : '{"Status":"FAILED","Reason":"forged"}'
        statuses.push((await aws(new Request(url, { method, body }))).status)
      }
      await put(request.ResponseURL.replace(/.{8}$/, '00000000'))
      await put(request.ResponseURL, 'GET')
      return succeed(request)
    })
    await deployed
    expect(statuses).toEqual([403, 403])
  })

  it.each<[string, SmallTemplate['Resources'], string]>([
    [
      'a function of another stack',
      { Project: project({ ServiceToken: 'arn:aws:lambda:x' }) },
      'Project: arn:aws:lambda:x',
    ],
    [
      'CDK’s provider framework',
      { Make: lambda('a', { Environment: { Variables: { USER_ON_EVENT_FUNCTION_ARN: 'x' } } }) },
      'Project: CDK’s provider framework is not supported locally',
    ],
  ])('refuses %s by name', async (_what, more, message) => {
    using folder = temporaryFolder()
    const { deployed } = deploy(join(folder.path, 'cloud'), { ...resources, ...more })
    await expect(deployed).rejects.toThrow(message)
  })

  it('makes nothing for a template that cannot be run', async () => {
    using folder = temporaryFolder()
    const Fleet = { Type: 'AWS::GameLift::Fleet' }
    const { deployed, requests } = deploy(join(folder.path, 'cloud'), { ...resources, Fleet })
    await expect(deployed).rejects.toThrow('Fleet (AWS::GameLift::Fleet)')
    expect(requests).toEqual([])
  })

  it('needs a directory, and a cloud needs what it made', async () => {
    const { deployed, options } = deploy(undefined)
    await expect(deployed).rejects.toThrow('Custom resources need a directory')
    expect(() => createCloud(options)).toThrow('The custom resource Project is not deployed')
    const Project = { physicalId: 'p', data: { BucketName: 'given', Limit: 1 } }
    const cloud = createCloud({ ...options, customResources: { Project } }) // as in a simulation
    expect(cloud.outputs.Id).toBe('p')
    await cloud.close()
  })
})
