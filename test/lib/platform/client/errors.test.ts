import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createPlatformClient, type PlatformClient } from '../../../../lib/platform/client/client.ts'
import { PlatformError } from '../../../../lib/platform/client/errors.ts'
import { stringsIn } from '../../../../lib/platform/client/http/redaction.ts'
import { operations } from '../../../../lib/platform/contract/operations/operations.ts'
import {
  API_KEY,
  API_SECRET,
  createSleepRecordingClock,
  type Fault,
  failure,
  faults,
  send,
  startPlatformServer,
} from './platform-server.ts'

const uploadTarget = {
  type: 's3',
  config: { accessKey: 'AKIA-confidential', secretKey: 'bucket/secret "confidential" a+b', bucket: 'recordings' },
  fallback: 'opentok',
} as const
const rtmp = { serverUrl: 'rtmps://live.example/app?auth=confidential', streamName: 'stream-key-that-is-confidential' }
const { sessionId } = operations.startArchive.example.request

const calls: [string, (client: PlatformClient) => Promise<unknown>][] = [
  ['setUploadTarget', (client) => client.setUploadTarget(uploadTarget)],
  ['startBroadcast', (client) => client.startBroadcast({ sessionId, outputs: { rtmp: [rtmp] } })],
]

/** Answers with everything it received, unchanged and unescaped, in its body and in a header. */
const echo =
  (status: number, form: (received: string) => unknown): Fault =>
  (request, response, body) => {
    const token = String(request.headers['x-service-auth'])
    const received = [token, API_SECRET, body, ...stringsIn(JSON.parse(body))].join(' ')
    send(status, form(received), { 'x-request-id': token })(request, response, body)
  }

const everyFault: [string, Fault][] = [
  ...Object.entries(faults).filter(([name]) => !['silent', 'headersOnly', 'trickling'].includes(name)),
  ['an echo as error', echo(400, (message) => ({ code: 400, message }))],
  ['an echo as described error', echo(403, (description) => ({ code: -1, message: 'Forbidden', description }))],
  ['an echo as other JSON', echo(409, (received) => ({ received }))],
  ['an echo as text', echo(500, (received) => received)],
  ['an echo as text of success', echo(200, (received) => received)],
  ['an echo as field of success', echo(200, (received) => ({ id: received, status: received, [received]: received }))],
]

describe('PlatformError', () => {
  const clock = createSleepRecordingClock()
  let server: Awaited<ReturnType<typeof startPlatformServer>>
  let client: PlatformClient
  beforeEach(async () => {
    server = await startPlatformServer(clock)
    client = createPlatformClient({
      baseUrl: server.url,
      apiKey: API_KEY,
      apiSecret: API_SECRET,
      clock,
      retries: { attempts: 1 },
    })
  })
  afterEach(() => server.close())

  function expectNoSecret(error: unknown) {
    expect(error).toBeInstanceOf(PlatformError)
    const { message, stack, details, cause } = error as PlatformError
    const everything = [
      inspect(error, { depth: Infinity, showHidden: true, maxStringLength: Infinity }),
      JSON.stringify([error, message, stack, details, cause, String(cause), (cause as Error | undefined)?.stack]),
    ].join('\n')
    expect(everything).toContain(message)
    expect(everything).not.toMatch(/confidential|eyJ[\w-]+\.|AKIA/)
    for (const { token } of server.received) expect(everything).not.toContain(token)
  }

  describe.each(calls)('of %s', (name, call) => {
    it.each(everyFault)('has no secret after %s', async (_, fault) => {
      server.faults.push(fault)
      const outcome = await call(client).catch((error) => error)
      // The answer to setUploadTarget may have any content, so an echo is a success.
      if (outcome instanceof Error) expectNoSecret(outcome)
      else expect([name, server.received.length]).toEqual(['setUploadTarget', 1])
    })

    it.each(['silent', 'headersOnly', 'trickling'] as const)('has no secret after a platform %s', async (fault) => {
      server.faults.push(faults[fault])
      const arrival = server.arrival()
      const failed = failure(call(client))
      await arrival
      await clock.advance(10_000)
      expectNoSecret(await failed)
    })

    it('has no secret after a refused connection', async () => {
      await server.close()
      expectNoSecret(await failure(call(client)))
    })
  })

  it('has no secret when arguments are refused', async () => {
    const secretKey = 17 as never
    expectNoSecret(
      await failure(client.setUploadTarget({ ...uploadTarget, config: { ...uploadTarget.config, secretKey } })),
    )
    const noUrl = { ...rtmp, serverUrl: 'confidential' }
    expectNoSecret(await failure(client.startBroadcast({ sessionId, outputs: { rtmp: [noUrl] } })))
  })

  it('marks removed secrets in the platform’s message', async () => {
    server.faults.push(echo(400, (message) => ({ code: 400, message: `No access with ${message}` })))
    const { details } = await failure(client.setUploadTarget(uploadTarget))
    expect(details.message).toMatch(/^No access with \[redacted\] /)
  })
})
