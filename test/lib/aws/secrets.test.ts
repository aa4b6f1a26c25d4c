import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ServiceError, TaskConfigError } from '../../../lib/tasks/errors.ts'
import { openWorld, type World } from '../../support/world.ts'

let world: World
let reads: number
beforeEach(() => {
  world = openWorld()
  reads = 0
  world.interceptors.aws = (_request, pass) => {
    reads++
    return pass()
  }
})
afterEach(() => world.close())

const shape = z.object({ key: z.string() })
const secret = (value: string) => world.secrets.create(`secret-${value.length}`, () => value)
const thrownBy = (act: Promise<unknown>) =>
  act.then(
    () => undefined,
    (error: Error) => error,
  )

describe('createSecrets', () => {
  it('reads a secret once, and again when a fresh one is asked for', async () => {
    const { secrets } = world.services
    const id = secret('{"key":"a","other":"b"}')
    expect(await secrets.read(id, shape)).toEqual({ key: 'a' })
    await secrets.read(id, shape)
    expect(reads).toBe(1)
    await secrets.read(id, shape, { fresh: true })
    expect(reads).toBe(2)
  })

  it('asks once for readers that come at the same time', async () => {
    const { secrets } = world.services
    const id = secret('{"key":"a"}')
    await Promise.all([secrets.read(id, shape), secrets.read(id, shape)])
    expect(reads).toBe(1)
  })

  it.each([
    ['no JSON', 'top-secret-text', 'the whole'],
    ['another shape', '{"key":5,"secret":"top-secret-text"}', 'key'],
  ])('names the invalid field of a secret of %s and never shows its value', async (_what, value, field) => {
    const error = await thrownBy(world.services.secrets.read(secret(value), shape))
    expect(error).toBeInstanceOf(TaskConfigError)
    expect(error?.message).toMatch(`is malformed (${field}): correct its value.`)
    expect(`${error?.message} ${error?.stack} ${error?.cause}`).not.toMatch('top-secret')
  })

  it('sees that a wrong value was corrected', async () => {
    const { secrets } = world.services
    const id = secret('random letters')
    await thrownBy(secrets.read(id, shape))
    world.interceptors.aws = async () => Response.json({ ARN: id, SecretString: '{"key":"corrected"}' })
    expect(await secrets.read(id, shape)).toEqual({ key: 'corrected' })
  })

  it('distinguishes a fault of the deployment from a transient one', async () => {
    const { secrets } = world.services
    const missing = await thrownBy(secrets.read('arn:none', shape))
    expect(missing).toBeInstanceOf(TaskConfigError)
    expect(missing?.message).toBe(
      'The secret arn:none cannot be read (ResourceNotFoundException): check that it exists and is granted.',
    )
    const id = secret('{"key":"a"}')
    world.interceptors.aws = async () =>
      Response.json({ __type: 'InternalServiceError', message: 'Later.' }, { status: 500 })
    expect(await thrownBy(secrets.read(id, shape))).toBeInstanceOf(ServiceError)
    world.interceptors.aws = (_request, pass) => pass()
    expect(await secrets.read(id, shape)).toEqual({ key: 'a' })
  })
})
