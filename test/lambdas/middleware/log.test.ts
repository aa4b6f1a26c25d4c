import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createLog } from '../../../lambdas/middleware/log.ts'
import { taskHandler } from '../../../lambdas/middleware/task.ts'
import type { WriteLine } from '../../../lambdas/middleware/written-logger.ts'
import { createSecretValues } from '../../../lib/aws/secret-values.ts'
import { PlatformAuthError } from '../../../lib/platform/client/errors.ts'
import type { Services } from '../../../lib/services.ts'
import { EventNotRecordedError } from '../../../lib/tasks/errors.ts'
import { CALLBACK_SECRET, openWorld, START_TIME, type World } from '../../support/world.ts'

let world: World
let lines: string[]
beforeEach(() => {
  world = openWorld()
  lines = []
})
afterEach(() => world.close())

const write: WriteLine = (line) => void lines.push(line)
const written = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>)
const readSecret = ({ secrets, variable }: Services) =>
  secrets.read(variable('CALLBACK_SECRET'), z.object({ secret: z.string() }))

/** Runs a task whose work is this, as Lambda calls its function. */
const runTask = (work: Parameters<typeof taskHandler<'openSession'>>[1]) =>
  taskHandler('openSession', work).on(world.services, write)(
    { showId: 'a-show', execution: 'arn:execution:show:a-show' },
    { awsRequestId: 'request-1' } as never,
    {} as never,
  )

describe('createLog', () => {
  it('writes one line for an invocation, found by its ids, at the time of its clock', async () => {
    await runTask(async () => {
      await world.clock.advance(1_500)
      return { sessionId: 's' }
    })
    expect(written()).toEqual([
      {
        level: 'INFO',
        message: 'done',
        timestamp: '2026-11-20T09:00:01.500Z',
        service: expect.any(String),
        requestId: 'request-1',
        task: 'openSession',
        showId: 'a-show',
        execution: 'arn:execution:show:a-show',
        milliseconds: 1_500,
      },
    ])
  })

  it('counts values that were left out of the platform’s answers, by place', async () => {
    world.interceptors.platform = async (_request, pass) => {
      const page = (await (await pass()).json()) as { items: object[] }
      return Response.json({ ...page, items: [null, { status: 'hush' }, { status: 'hush' }, ...page.items] })
    }
    await runTask(async ({ platform }) => {
      await (await platform()).listArchives()
      return { sessionId: 's' }
    })
    expect(written()).toMatchObject([
      { level: 'WARN', message: 'left out of an answer', operation: 'listArchives', path: 'items.*', count: 1 },
      { level: 'WARN', path: 'items.*.id', problem: 'is required', count: 2 },
      { message: 'done' },
      { ValuesUnread: [1, 2] },
    ])
    expect(lines.join()).not.toContain('hush')
  })

  it('writes the lines of a task, and then its failure', async () => {
    const failing = runTask(async (_input, _services, log) => {
      log.warn('it lags', { seconds: 3 })
      throw Object.assign(new Error('As arranged.'), { name: 'ServiceError' })
    })
    await expect(failing).rejects.toThrow('As arranged.')
    expect(written()).toMatchObject([
      { level: 'WARN', message: 'it lags', seconds: 3, showId: 'a-show' },
      { level: 'ERROR', message: 'failed', error: { name: 'ServiceError', message: 'As arranged.' } },
    ])
  })

  it('writes an attempt that was too early as such', async () => {
    const failing = runTask(async () => {
      throw new EventNotRecordedError('The records do not hold it.')
    })
    await expect(failing).rejects.toThrow('The records do not hold it.')
    expect(written()).toMatchObject([{ level: 'INFO', message: 'not yet', reason: 'The records do not hold it.' }])
    expect(lines.join()).not.toContain('stack')
  })

  it('forgets the ids of one invocation before the next', async () => {
    const handler = taskHandler('sweepShows', async () => ({
      ...{ checked: 0, started: [], settled: [], overdue: [], failed: [], reported: [], purged: [], unpurged: [] },
    })).on(world.services, write)
    const context = { awsRequestId: 'request-1' } as never
    await handler({ detail: { executionArn: 'arn:execution:show:b' } }, context, {} as never)
    await handler({ showId: 'c' }, context, {} as never)
    const [first, second] = written().filter(({ message }) => message === 'done')
    expect(first).toMatchObject({ execution: 'arn:execution:show:b' })
    expect(second).toMatchObject({ showId: 'c' })
    expect(second).not.toHaveProperty('execution')
  })

  it('removes a secret that was read from every line, and from the rethrown error', async () => {
    const cause = new Error(`of ${CALLBACK_SECRET}`)
    const error = new Error(`It shows ${CALLBACK_SECRET}.`, { cause })
    const failing = runTask(async (services, _input, log) => {
      await readSecret(services)
      log.info('careless', { address: `https://${CALLBACK_SECRET}@app.example.com` })
      throw error
    })
    await expect(failing).rejects.toThrow('It shows [secret].')
    expect(lines.join()).not.toContain(CALLBACK_SECRET)
    expect(`${error.stack}${cause.message}${cause.stack}`).not.toContain(CALLBACK_SECRET)
    expect(lines.join()).toContain('https://[secret]@app.example.com')
  })

  it('writes no value whose name marks it as secret', async () => {
    const { log } = createLog({ name: 'api', services: world.services, write })
    log.info('careless', {
      apiSecret: 'abc',
      nested: { clientToken: 'def', streamName: 'ghi' },
      key: '1/a/archive.mp4',
    })
    expect(written()[0]).toMatchObject({
      apiSecret: '[secret]',
      nested: { clientToken: '[secret]', streamName: '[secret]' },
      key: '1/a/archive.mp4',
    })
  })

  it('measures that the platform refused the credentials', async () => {
    const failing = runTask(async () => {
      throw new PlatformAuthError('Refused.', { status: 401, details: {} as never })
    })
    await expect(failing).rejects.toThrow()
    expect(written().at(-1)).toMatchObject({
      _aws: {
        Timestamp: Date.parse(START_TIME),
        CloudWatchMetrics: [
          {
            Namespace: 'Showrunner',
            Dimensions: [['service']],
            Metrics: [{ Name: 'AuthenticationFailures', Unit: 'Count' }],
          },
        ],
      },
      AuthenticationFailures: 1,
    })
  })
})

describe('createSecretValues', () => {
  /** A client that is answered with this secret. */
  const read = async (SecretString: string) => {
    const values = createSecretValues()
    const client = values.watch(new SecretsManagerClient({ region: 'us-east-1' }))
    client.middlewareStack.add(() => async () => ({ output: { SecretString }, response: {} }) as never, {
      step: 'initialize',
      priority: 'low',
    })
    await client.send(new GetSecretValueCommand({ SecretId: 'a' }))
    return values
  }

  it('removes every text of a secret except ids, also escaped in JSON', async () => {
    const values = await read(
      JSON.stringify({ apiKey: '100200300', apiSecret: 'say "please"', deep: { key: 'stream-key' } }),
    )
    expect(values.removeFrom('100200300 say "please" stream-key')).toBe('100200300 [secret] [secret]')
    expect(values.removeFrom(JSON.stringify({ said: 'say "please"' }))).toBe('{"said":"[secret]"}')
  })

  it('removes a secret that is not JSON as a whole, and keeps values that are too short', async () => {
    expect((await read('plain words')).removeFrom('These are plain words.')).toBe('These are [secret].')
    expect((await read('{"pin":"1234"}')).removeFrom('1234')).toBe('1234')
  })
})
