import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { overProtocol } from '../../support/world/interceptors.ts'
import { openWorld, type World } from '../../support/world.ts'

let world: World
beforeEach(() => {
  world = openWorld()
  world.interceptors.aws = overProtocol
})
afterEach(() => world.close())

const YOUTUBE = 'rtmps://a.rtmps.youtube.com/live2'
const resolve = (secret: string, destination = YOUTUBE) => world.services.showSecrets.resolve({ secret }, destination)
const keep = (value: object) => world.secrets.create('showrunner/test/shows/rtmp', () => JSON.stringify(value))

describe('createShowSecrets', () => {
  it('returns the value of a reference for its own destinations', async () => {
    keep({ main: 'stream-key-1', 'main.for': [YOUTUBE], backup: 'stream-key-2', 'backup.for': ['sip:example.com'] })
    expect(await resolve('rtmp#main')).toBe('stream-key-1')
    expect(await resolve('rtmp#backup', 'sip:ada@example.com')).toBe('stream-key-2')
  })

  it('reads a text that was changed since', async () => {
    keep({ main: 'before', 'main.for': [YOUTUBE] })
    await resolve('rtmp#main')
    const SecretString = JSON.stringify({ main: 'after', 'main.for': [YOUTUBE] })
    world.interceptors.aws = async () => Response.json({ ARN: 'arn', SecretString })
    expect(await resolve('rtmp#main')).toBe('after')
  })

  it('refuses everything else in the same words, and never shows a value', async () => {
    world.secrets.create('upload', () => '{"main":"stream-key","main.for":["rtmps://a.rtmps.youtube.com/"]}')
    keep({ main: 'stream-key', 'main.for': ['rtmps://other.example/'], unbound: 'stream-key', '': '', empty: '' })
    const refusals = await Promise.all(
      ['rtmp#main', 'rtmp#unbound', 'rtmp#empty', 'rtmp#missing', 'none#main', 'upload#main'].map((secret) =>
        resolve(secret).then(
          () => secret,
          (error) => {
            expect(error.name).toBe('TaskConfigError')
            expect(`${error.message} ${error.stack} ${error.cause.stack}`).not.toMatch('stream-key')
            const [name = '', key = ''] = secret.split('#')
            const message = error.message.replace(`set ${name} ${key} `, 'set NAME KEY ')
            return message.replaceAll(secret, 'NAME').replaceAll(`${key}.for`, 'KEY.for')
          },
        ),
      ),
    )
    expect(new Set(refusals)).toEqual(
      new Set([
        'The secret NAME cannot be sent to rtmps://a.rtmps.youtube.com: there is no such value, or "KEY.for" beside it does not list this destination. Store both (docs/deploy.md, Secrets of shows); on this machine by "showrunner secret set NAME KEY --for rtmps://a.rtmps.youtube.com".',
      ]),
    )
  })

  it('passes on that Secrets Manager does not answer, since that passes', async () => {
    keep({ main: 'stream-key', 'main.for': [YOUTUBE] })
    world.interceptors.aws = async () => Response.json({ __type: 'InternalServiceError' }, { status: 500 })
    await expect(resolve('rtmp#main')).rejects.toMatchObject({ name: 'ServiceError' })
  })
})
