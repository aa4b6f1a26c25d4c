import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { rotationSteps } from '../../../lib/tasks/operations.ts'
import { openWorld, type World } from '../../support/world.ts'
import { run, runAnyhow } from '../run.ts'

const ANSWERS = 'https://cloudformation-custom-resource-response-useast1.s3.amazonaws.com/answers'
let world: World
/** What CloudFormation was answered. */
let answers: Record<string, unknown>[]
beforeEach(() => {
  world = openWorld()
  answers = []
  world.interceptors.platform = async (request, pass) => {
    if (request.url !== ANSWERS) return pass()
    answers.push((await request.json()) as Record<string, unknown>)
    return new Response()
  }
})
afterEach(() => world.close())

const common = { ResponseURL: ANSWERS, StackId: 'stack', RequestId: 'request', LogicalResourceId: 'UploadKeys' }
const ask = (RequestType: 'Create' | 'Update' | 'Delete', PhysicalResourceId = 'upload-keys') =>
  run(world, 'deleteUploadKeys', { ...common, RequestType, PhysicalResourceId })

async function rotate() {
  const ClientRequestToken = await world.beginRotation('upload')
  for (const Step of rotationSteps)
    await run(world, 'rotateUploadKey', { Step, SecretId: world.secretArns.upload, ClientRequestToken })
}

describe('deleteUploadKeys', () => {
  it('deletes every key once the stack has deleted the user’s policy', async () => {
    await rotate()
    world.deleteUploaderPolicy()
    expect(await ask('Delete')).toEqual({ status: 'SUCCESS' })
    expect(world.uploadKeys()).toEqual([])
    expect(await ask('Delete')).toEqual({ status: 'SUCCESS' })
    const identity = { StackId: 'stack', RequestId: 'request', LogicalResourceId: 'UploadKeys' }
    expect(answers[0]).toEqual({ ...identity, Status: 'SUCCESS', PhysicalResourceId: 'upload-keys' })
  })

  it('answers with the physical id that CloudFormation generates for a creation without an answer', async () => {
    await run(world, 'deleteUploadKeys', { ...common, RequestType: 'Create' })
    await ask('Delete', 'Showrunner-UploadKeys-1A2B3C4D5E6F')
    expect(answers.map(({ PhysicalResourceId }) => PhysicalResourceId)).toEqual([
      'upload-keys',
      'Showrunner-UploadKeys-1A2B3C4D5E6F',
    ])
  })

  it('waits for IAM, which may list a policy for some seconds after it was deleted', async () => {
    let lists = 0
    world.interceptors.aws = async (request, pass) => {
      const isList = request.method === 'POST' && (await request.clone().text()).includes('Action=ListUserPolicies')
      if (isList && ++lists === 3) world.deleteUploaderPolicy()
      return pass()
    }
    await ask('Delete')
    expect([lists, world.uploadKeys()]).toEqual([3, []])
  })

  it('keeps the keys when only an update of the stack is rolled back, and at every other request', async () => {
    await rotate()
    for (const type of ['Create', 'Update', 'Delete'] as const) expect(await ask(type)).toEqual({ status: 'SUCCESS' })
    expect(world.uploadKeys()).toHaveLength(2)
  })

  it('answers that it failed where IAM does not answer', async () => {
    world.deleteUploaderPolicy()
    world.interceptors.aws = async () => new Response(null, { status: 500 })
    expect(await ask('Delete')).toMatchObject({ status: 'FAILED', reason: expect.stringMatching(/^IAM failed while/) })
  })

  it('answers that it failed where it cannot read the request', async () => {
    const asked = await runAnyhow(world, 'deleteUploadKeys', { ResponseURL: ANSWERS, RequestType: 'Read' })
    expect([asked, answers]).toMatchObject([{ status: 'FAILED' }, [{ Status: 'FAILED' }]])
  })
})
