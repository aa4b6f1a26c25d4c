import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createSteppedClock } from '../../../../lib/clock.ts'
import { type Caller, createNetwork } from '../../../../local/simulation/environment/network.ts'
import { awsClientConfig, readSdkFiles } from '../../../../local/simulation/environment/services.ts'
import type { Decide, FaultKind, InjectedFault } from '../../../../local/simulation/faults/fault.ts'
import { createInjectedFaults } from '../../../../local/simulation/faults/faults.ts'
import { orderFault } from '../../../../local/simulation/faults/order-fault.ts'
import { createQuiescence } from '../../../../local/simulation/scheduling/quiescence.ts'
import { createRandom } from '../../../../local/simulation/scheduling/random.ts'
import { createOrderScheduler } from '../../../../local/simulation/scheduling/scheduler.ts'
import { createTrace } from '../../../../local/simulation/trace.ts'

beforeAll(readSdkFiles)

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** Targets that answer at once and remember what has happened to them. */
function open(decide?: Decide) {
  const quiescence = createQuiescence()
  closing.push(quiescence.close)
  const clock = createSteppedClock(0)
  const trace = createTrace(clock)
  const faults = createInjectedFaults({ decide, now: clock.now, trace })
  const scheduler = createOrderScheduler({ quiescence, clock, random: createRandom(1, 'order'), onStep: () => false })
  const happened: [at: number, what: string][] = []
  const target = (body: () => string) => async (request: Request) => {
    happened.push([clock.now() / 1000, `${request.method} ${await request.text()}`])
    return new Response(body(), { headers: { 'content-type': 'application/json' } })
  }
  const json = target(() => JSON.stringify({ id: 'the-archive', size: 12 }))
  const outsideOf = createNetwork({
    scheduler,
    clock,
    trace,
    faults,
    targets: { platform: json, aws: target(() => '{"a":1}'), api: json, app: json },
    operation: () => 'joinSession',
  })
  const startArchive = (signal?: AbortSignal) =>
    new Request('http://platform.invalid/v2/project/1234/archive', {
      method: 'POST',
      body: 'please',
      ...(signal && { signal }),
    })
  const of = (caller: Caller) => outsideOf(caller)
  return { of, scheduler, clock, trace, faults, happened, startArchive }
}

const site = { caller: 'StartRecording', operation: 'platform startArchive' }
const under = (kind: FaultKind, more: Partial<InjectedFault> = {}) => open(orderFault(site, { kind, ...more }))
const task: Caller = { name: 'StartRecording/2' }

describe('createOutside', () => {
  it('names call sites without what is in no other show, and counts their calls', async () => {
    const { of, scheduler, faults, startArchive } = open()
    await scheduler.drive(async () => {
      await of(task).platform(startArchive())
      await of({ name: 'StartRecording' }).platform(startArchive())
      await of(task).aws(new Request('http://127.0.0.1/bucket/shows/0123456789abcdef/state.json'))
    })
    expect(faults.sites).toEqual([
      { caller: 'StartRecording', target: 'platform', operation: 'platform startArchive', calls: 2 },
      { caller: 'StartRecording', target: 'aws', operation: 's3 GET shows/*/state.json', calls: 1 },
    ])
  })

  it('reads directly in the turn of the call, and traces it as a call', async () => {
    const { of, scheduler, faults, trace } = open()
    const read = await scheduler.drive(() =>
      of(task).skipProtocol('s3 GetObject shows/abc/state.json', async () => 'text'),
    )
    expect(read).toEqual({ value: 'text' })
    expect(faults.sites).toMatchObject([{ operation: 's3 GetObject shows/*/state.json', calls: 1 }])
    expect(trace.lines.at(-1)).toContain('StartRecording/2 -> s3 GetObject shows/abc/state.json -> 200')
  })

  it('makes a call that has had its turn under the fault of this turn, which it counts once', async () => {
    const { of, scheduler, faults, happened } = open(() => ({ kind: '500' }))
    const answer = await scheduler.drive(async () => {
      const { passed } = await of(task).skipProtocol('s3 GET shows/abc/state.json', async () => 'text')
      return of(task).aws(new Request('http://127.0.0.1/bucket/shows/abc/state.json'), undefined, passed)
    })
    expect(answer.status).toBe(500)
    expect(faults.sites).toMatchObject([{ calls: 1 }])
    expect(faults.failedCalls).toMatchObject([{ kind: '500' }])
    expect(happened).toEqual([])
  })

  it.each(['lost before', 'lost after'] as const)('loses a connection: %s', async (kind) => {
    const { of, scheduler, faults, trace, happened, startArchive } = under(kind)
    const call = scheduler.drive(() => of(task).platform(startArchive()))
    await expect(call).rejects.toMatchObject({ name: 'TypeError', cause: { code: 'ECONNRESET' } })
    expect(happened).toHaveLength(kind === 'lost after' ? 1 : 0)
    expect(faults.counts).toEqual({ [kind]: 1 })
    expect(trace.lines[0]).toContain(`fault: StartRecording/2 -> platform startArchive ${kind}`)
    expect(faults.failedCalls).toEqual([{ ...site, kind, at: 0 }])
  })

  it('strikes the ordered occurrence and no other', async () => {
    const { of, scheduler, startArchive } = open(orderFault({ ...site, occurrence: 2 }, { kind: '500' }))
    const statuses = await scheduler.drive(async () => {
      const three = [0, 1, 2].map(() => startArchive())
      return (await Array.fromAsync(three, (request) => of(task).platform(request))).map(({ status }) => status)
    })
    expect(statuses).toEqual([200, 500, 200])
  })

  it.each(['400', '403', '404', '409', '429', '500'] as const)('refuses as the platform does: %s', async (kind) => {
    const { of, scheduler, happened, startArchive } = under(kind, { seconds: 7 })
    const [answer, body] = await scheduler.drive(async () => {
      const answer = await of(task).platform(startArchive())
      return [answer, await answer.json()] as const
    })
    expect(answer.status).toBe(Number(kind))
    expect(body).toMatchObject({ code: Number(kind), message: expect.any(String) })
    expect(answer.headers.get('retry-after')).toBe(kind === '429' ? '7' : null)
    expect(happened).toEqual([])
  })

  it('refuses an entry as the bus does, in the answer to its request', async () => {
    const { of, scheduler, happened } = open(() => ({ kind: '429', form: 'entry' }))
    const request = new Request('http://127.0.0.1/', {
      method: 'POST',
      headers: { 'x-amz-target': 'AWSEvents.PutEvents' },
    })
    const answer = await scheduler.drive(async () => (await of(task).aws(request)).json())
    expect(answer).toMatchObject({ FailedEntryCount: 1, Entries: [{ ErrorCode: 'ThrottlingException' }] })
    expect(happened).toEqual([])
  })

  it.each([
    ['truncated', '{"id":"the-arch'],
    ['mistyped', '{"id":11,"size":"12"}'],
  ] as const)('lets it happen and spoils the answer: %s', async (form, text) => {
    const { of, scheduler, happened, startArchive } = under('garbage', { form })
    const answer = await scheduler.drive(async () => (await of(task).platform(startArchive())).text())
    expect(answer).toBe(text)
    expect(happened).toHaveLength(1)
  })

  it('lets a call happen after its caller has given it up, although the request is aborted', async () => {
    const { of, scheduler, clock, happened, startArchive } = under('delayed', { seconds: 30 })
    const patience = new AbortController()
    await scheduler.drive(async () => {
      clock.at(10_000, () => patience.abort())
      await expect(of(task).platform(startArchive(patience.signal))).rejects.toThrow('fetch failed')
      expect([clock.now(), happened]).toEqual([10_000, []])
      await clock.sleep(60_000)
    })
    expect(happened).toEqual([[40, 'POST please']])
  })

  it('delays by the patience of a caller that has no signal', async () => {
    const decide = orderFault({ caller: 'platform', operation: 's3 PUT */*/archive.mp4' }, { kind: 'delayed' })
    const { of, scheduler, happened, clock } = open(decide)
    const put = new Request('http://127.0.0.1/bucket/1234567/an-archive/archive.mp4', { method: 'PUT', body: 'bytes' })
    await scheduler.drive(async () => {
      await expect(of({ name: 'platform', patience: 60 }).aws(put)).rejects.toThrow('fetch failed')
      expect(clock.now()).toBe(60_000)
      await clock.sleep(5_000)
    })
    expect(happened).toEqual([[61, 'PUT bytes']])
  })

  it('delays by the patience of the client, where a function calls', async () => {
    const { of, scheduler, happened, clock } = open(() => ({ kind: 'delayed', seconds: 2 }))
    await scheduler.drive(async () => {
      const get = new Request('http://127.0.0.1/bucket/shows/a-show/state.json')
      await expect(of(task).aws(get, 10)).rejects.toThrow('fetch failed')
      expect(clock.now()).toBe(10_000)
      await clock.sleep(5_000)
    })
    expect(happened).toEqual([[12, 'GET ']])
  })

  it('makes a slow call in the middle of its time, while others pass', async () => {
    const { of, scheduler, happened, clock, startArchive } = under('slow', { seconds: 8 })
    await scheduler.drive(async () => {
      const slow = of(task).platform(startArchive())
      await of(task).aws(new Request('http://127.0.0.1/bucket/shows/a-show/state.json'))
      expect(clock.now()).toBe(0)
      expect((await slow).ok).toBe(true)
      expect(clock.now()).toBe(8_000)
    })
    expect(happened).toEqual([
      [0, 'GET '],
      [4, 'POST please'],
    ])
  })

  it.each(['killed before', 'killed after'] as const)(
    'kills the caller, which hears no more of it: %s',
    async (kind) => {
      const { of, scheduler, happened, startArchive } = under(kind)
      let isHeard = false
      const { promise: killed, resolve: kill } = Promise.withResolvers<void>()
      await scheduler.drive(async () => {
        void of({ ...task, kill })
          .platform(startArchive())
          .finally(() => {
            isHeard = true
          })
        await killed
      })
      expect([isHeard, happened.length]).toEqual([false, kind === 'killed after' ? 1 : 0])
    },
  )

  it('spares participants, and requests that no contract names', async () => {
    const { of, scheduler } = open(() => ({ kind: '500' }))
    const join = () => new Request('http://localhost/sandbox/sessions/1/participants', { method: 'POST', body: '{}' })
    const statuses = await scheduler.drive(async () => [
      (await of({ name: 'Ada', isSpared: true }).platform(join())).status,
      (await of(task).platform(join())).status,
    ])
    expect(statuses).toEqual([200, 200])
  })

  it.each([
    ['400', 'InvalidRequest', 400],
    ['403', 'AccessDenied', 403],
    ['404', 'NoSuchBucket', 404],
    ['409', 'OperationAborted', 409],
    ['429', 'SlowDown', 503],
    ['500', 'InternalError', 500],
  ] as const)('refuses %s in S3’s words, which the SDK understands', async (kind, name, httpStatusCode) => {
    const { of, scheduler, happened } = open(() => ({ kind }))
    const s3 = new S3Client(
      awsClientConfig((request) => of(task).aws(request), { accessKeyId: 'a', secretAccessKey: 'b' }),
    )
    const get = scheduler.drive(() => s3.send(new GetObjectCommand({ Bucket: 'bucket', Key: 'key' })))
    await expect(get).rejects.toMatchObject({ name, $metadata: { httpStatusCode } })
    expect(happened).toEqual([])
  })

  it.each([
    ['403', 'AccessDeniedException'],
    ['404', 'ResourceNotFoundException'],
    ['429', 'ThrottlingException'],
    ['500', 'InternalServiceError'],
  ] as const)('refuses %s in the words of a JSON service', async (kind, name) => {
    const { of, scheduler } = open(() => ({ kind }))
    const secrets = new SecretsManagerClient(
      awsClientConfig((request) => of(task).aws(request), { accessKeyId: 'a', secretAccessKey: 'b' }),
    )
    const read = scheduler.drive(() => secrets.send(new GetSecretValueCommand({ SecretId: 'one' })))
    await expect(read).rejects.toMatchObject({ name })
  })

  it('reaches event apps by any other address', async () => {
    const { of, scheduler, faults } = open()
    await scheduler.drive(() =>
      of(task).fetch(new Request('https://app.example.com/hooks?x=1', { method: 'POST', body: '{}' })),
    )
    expect(faults.sites).toMatchObject([{ target: 'app', operation: 'app POST /hooks' }])
  })
})
