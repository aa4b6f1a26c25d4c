import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openWorld, type World } from '../../support/world.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(() => world.close())

const resolve = (secret: string) => world.services.showSecrets.resolve({ secret })

describe('createShowSecrets', () => {
  it('gives the text that a reference stands for', async () => {
    world.keepShowSecret('stage/rtmp', { main: 'stream-key-1', backup: 'stream-key-2' })
    expect(await resolve('stage/rtmp#main')).toBe('stream-key-1')
    expect(await resolve('stage/rtmp#backup')).toBe('stream-key-2')
  })

  it('reads a text that was changed since', async () => {
    world.keepShowSecret('rtmp', { main: 'before' })
    await resolve('rtmp#main')
    world.interceptors.aws = async () => Response.json({ ARN: 'arn', SecretString: '{"main":"after"}' })
    expect(await resolve('rtmp#main')).toBe('after')
  })

  it('reaches nothing outside the prefix for shows', async () => {
    world.secrets.create('upload', () => '{"secretAccessKey":"theirs"}')
    await expect(resolve('upload#secretAccessKey')).rejects.toMatchObject({
      name: 'TaskConfigError',
      message:
        'The secret showrunner/test/shows/upload cannot be read (ResourceNotFoundException): check that it is there and granted.',
    })
  })

  it.each([
    ['has no such key', { other: 'stream-key' }],
    ['is empty there', { main: '', other: 'stream-key' }],
  ])('names a secret that %s, and never shows a value', async (_what, value) => {
    world.keepShowSecret('rtmp', value)
    const error = (await resolve('rtmp#main').catch((error) => error)) as Error
    expect(error).toMatchObject({
      name: 'TaskConfigError',
      message: 'The secret showrunner/test/shows/rtmp is not of the expected form (main): correct its value.',
    })
    expect(`${error.message} ${error.stack} ${error.cause}`).not.toMatch('stream-key')
  })
})
