import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { uploadKey } from '../../../lib/aws/access-keys.ts'
import { BUCKET, openWorld, type World } from '../../support/world.ts'
import { run } from '../run.ts'

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
          accessKey: world.firstKey.accessKeyId,
          secretKey: world.firstKey.secretAccessKey,
          bucket: BUCKET,
          endpoint: 'http://127.0.0.1',
        },
        fallback: 'opentok',
      },
    ])
  })

  it('lets nothing of the key out, and notes it once', async () => {
    await set()
    const { accessKeyId, secretAccessKey } = world.firstKey
    const anyOfIt = new RegExp(`${accessKeyId}|${secretAccessKey}|secret`)
    expect(JSON.stringify(await set())).not.toMatch(anyOfIt)
    const state = await world.services.records.readState('a-show')
    expect(state?.timeline.map(({ what }) => what)).toEqual(['upload.targetSet'])
    expect(JSON.stringify(state)).not.toMatch(anyOfIt)
  })

  it('names no endpoint where uploads go to S3 itself', async () => {
    await world.close()
    await openOn({ UPLOAD_ENDPOINT: 'aws' })
    await set()
    expect((bodies[0] as { config: object }).config).not.toHaveProperty('endpoint')
  })

  it('prefers the pending key while it is rotated, and the one after that is in use then', async () => {
    await set()
    const version = await world.beginRotation('upload')
    await set() // it has no value yet
    const rotation = world.services.uploadKeyRotation
    await rotation.store(version, { accessKeyId: 'AKNEW', secretAccessKey: 'new' })
    await set()
    await rotation.promote(version, uploadKey)
    await set()
    const used = bodies.map((body) => (body as { config: { accessKey: string } }).config.accessKey)
    const { accessKeyId } = world.firstKey
    expect(used).toEqual([accessKeyId, accessKeyId, 'AKNEW', 'AKNEW'])
  })

  it('leaves the pending key behind, even when it has read the former one just before', async () => {
    const version = await world.beginRotation('upload')
    world.interceptors.platform = async (request, pass) => {
      bodies.push(await request.clone().json())
      if (bodies.length === 1)
        await world.services.uploadKeyRotation.store(version, { accessKeyId: 'AKNEW', secretAccessKey: 'new' })
      return pass()
    }
    await set()
    expect(bodies.at(-1)).toMatchObject({ config: { accessKey: 'AKNEW', secretKey: 'new' } })
    expect(bodies).toHaveLength(2)
  })

  it('names the secret when it has no key pair', async () => {
    world.interceptors.aws = async () => Response.json({ SecretString: '{"accessKeyId":"AKNEW"}' })
    await expect(set()).rejects.toMatchObject({
      name: 'TaskConfigError',
      message: expect.stringMatching(/is malformed \((apiKey, apiSecret|secretAccessKey)\)/),
    })
  })
})
