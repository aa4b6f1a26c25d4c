import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BUCKET, openWorld, type World } from '../support/world.ts'
import { run } from './run.ts'

let world: World
let bodies: unknown[]
beforeEach(() => openOn({}))
afterEach(() => world.close())

async function openOn(environment: Parameters<typeof openWorld>[0]) {
  world = openWorld(environment)
  await world.accept()
  bodies = []
  world.interceptors.platform = async (request, pass) => {
    bodies.push(await request.clone().json())
    return pass()
  }
}

const set = () => run(world, 'setUploadTarget', { showId: 'a-show' })

describe('setUploadTarget', () => {
  it('points uploads at the bucket, with the fallback that keeps files', async () => {
    expect(await set()).toEqual({ bucket: BUCKET, fallback: 'opentok' })
    expect(bodies).toEqual([
      {
        type: 's3',
        config: {
          accessKey: 'AKWORLD',
          secretKey: 'the secret of the bucket',
          bucket: BUCKET,
          endpoint: 'http://127.0.0.1',
        },
        fallback: 'opentok',
      },
    ])
  })

  it('lets nothing of the key out, and notes it once', async () => {
    await set()
    expect(JSON.stringify(await set())).not.toMatch(/AKWORLD|secret/)
    const state = await world.services.records.readState('a-show')
    expect(state?.timeline.map(({ what }) => what)).toEqual(['upload.targetSet'])
    expect(JSON.stringify(state)).not.toMatch(/AKWORLD|secret/)
  })

  it('names no endpoint where uploads go to S3 itself', async () => {
    await world.close()
    await openOn({ UPLOAD_ENDPOINT: 'aws' })
    await set()
    expect((bodies[0] as { config: object }).config).not.toHaveProperty('endpoint')
  })

  it('takes a rotated key into use', async () => {
    await set()
    world.interceptors.aws = async (request, pass) =>
      request.headers.get('x-amz-target') === 'secretsmanager.GetSecretValue'
        ? Response.json({ SecretString: '{"accessKeyId":"AKNEW","secretAccessKey":"new"}' })
        : pass()
    await set()
    expect(bodies[1]).toMatchObject({ config: { accessKey: 'AKNEW', secretKey: 'new' } })
  })

  it('names the secret when it has no key pair', async () => {
    world.interceptors.aws = async () => Response.json({ SecretString: '{"accessKeyId":"AKNEW"}' })
    await expect(set()).rejects.toMatchObject({
      name: 'TaskConfigError',
      message: expect.stringMatching(/is not of the expected form \((apiKey, apiSecret|secretAccessKey)\)/),
    })
  })
})
