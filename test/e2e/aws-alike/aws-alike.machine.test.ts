import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { ListAccessKeysCommand } from '@aws-sdk/client-iam'
import { HeadObjectCommand } from '@aws-sdk/client-s3'
import { GetScheduleCommand } from '@aws-sdk/client-scheduler'
import { RotateSecretCommand } from '@aws-sdk/client-secrets-manager'
import { DescribeExecutionCommand } from '@aws-sdk/client-sfn'
import { SignJWT } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { synthesizeTemplate } from '../../../bin/local/assembly.ts'
import type { ShowAnswer } from '../../../bin/shows/show-api.ts'
import type { ShowDocument } from '../../../lib/show/document/show.ts'
import { startDelay } from '../../../lib/show/document/starts/start-delay.ts'
import type { Assembly } from '../../../local/cloud/assembly.ts'
import type { BusEvent } from '../../../local/cloud/events/events.ts'
import { type Deployment, deploy } from './deployment.ts'
import { realPace, type SteppedPace, steppedPace } from './pace.ts'

/** Of names that are looked up while a test runs, the addresses they stand for. */
const addressesOf = new Map<string, string>()
vi.mock(import('node:dns'), async (importOriginal) => {
  const dns = await importOriginal()
  const lookup = (name: string, _options: object, done: (error: null, found: object[]) => void) =>
    process.nextTick(done, null, [{ address: addressesOf.get(name), family: 4 }])
  return { ...dns, lookup: lookup as never }
})

type Published = Readonly<Record<'id' | 'archiveId' | 'status', string>>

/** One archive of separate files, of which nothing is made but a manifest: no media is read. */
const webinar: ShowDocument = {
  version: 1,
  name: 'Webinar',
  duration: 600,
  recordings: [{ name: 'program', outputMode: 'individual' }],
  publish: { formats: [] },
}
const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

let assembly: Assembly
beforeAll(async () => {
  assembly = await synthesizeTemplate()
})

describe('a deployment', () => {
  let pace: SteppedPace
  let stack: Deployment
  beforeAll(async () => {
    pace = steppedPace(Date.UTC(2030, 4, 6, 12))
    stack = await deploy({ assembly, pace, arrivals: [0, 0, 20 * SECOND] })
  })
  afterAll(() => stack?.close())

  const read = async (showId: string) =>
    (await stack.call(`GET /shows/${showId}`, { as: 'viewer' })).body as unknown as ShowAnswer
  const isSent = (showId: string, event: string) => () => stack.eventsOf(showId, event).length > 0
  const started = (showId: string) => pace.until(isSent(showId, 'recording.started'))
  const publishes = (showId: string) => pace.until(isSent(showId, 'recording.published'))
  const ended = (showId: string) => pace.until(isSent(showId, 'show.ended'))

  it('runs a webinar that is scheduled one minute ahead, at its time, and forgets the schedule', () =>
    pace.drive(async () => {
      const due = stack.clock.now() + MINUTE
      const timeOf = (instant: number) => new Date(instant).toISOString().slice(0, 19)
      const showId = await stack.post({ ...webinar, start: { at: timeOf(due), zone: 'UTC' }, audienceWait: 900 })
      const startsAt = due + startDelay(showId, 900) * SECOND
      expect((await read(showId)).status).toBe('scheduled')
      const schedule = new GetScheduleCommand({ GroupName: stack.environment.SCHEDULE_GROUP, Name: showId })
      await expect(stack.aws.scheduler.send(schedule)).resolves.toMatchObject({
        ScheduleExpression: `at(${timeOf(startsAt)})`,
      })

      await pace.until(isSent(showId, 'session.opened'))
      expect(stack.clock.now() - startsAt).toBeGreaterThanOrEqual(0)
      expect(stack.clock.now() - startsAt).toBeLessThan(5 * SECOND)
      await expect(stack.aws.scheduler.send(schedule)).rejects.toMatchObject({ name: 'ResourceNotFoundException' })

      await publishes(showId)
      await ended(showId)
      expect((await read(showId)).result).toMatchObject({
        status: 'succeeded',
        recordings: [{ name: 'program', part: 1, status: 'uploaded', duration: webinar.duration }],
      })
    }))

  it('takes a new upload key while shows run, and keeps the former one until their files have arrived', () =>
    pace.drive(async () => {
      const { aws, uploadedWith, environment } = stack
      const keys = async () => {
        const { AccessKeyMetadata: all = [] } = await aws.iam.send(
          new ListAccessKeysCommand({ UserName: environment.UPLOAD_USER }),
        )
        return all.map(({ AccessKeyId: id = '', Status: status }) => ({ id, status }))
      }
      const [briefId, showId] = [await stack.post(webinar), await stack.post({ ...webinar, duration: 2 * 3_600 })]
      await Promise.all([started(briefId), started(showId)])
      const [former, ...others] = await keys()
      expect(others).toEqual([])

      await aws.secrets.send(new RotateSecretCommand({ SecretId: environment.UPLOAD_SECRET }))
      await stack.cloud.settled()
      const fresh = (await keys()).find(({ id }) => id !== former?.id)
      await publishes(briefId)
      expect(uploadedWith.at(-1)).toBe(fresh?.id)
      await stack.clock.sleep(HOUR + MINUTE) // what the rotation leaves for later comes every hour
      expect(await keys()).toEqual([former, { id: fresh?.id, status: 'Active' }])

      await publishes(showId)
      await ended(showId)
      const { recordings = [] } = (await read(showId)).result ?? {}
      expect(recordings).toMatchObject([{ status: 'uploaded', duration: 2 * 3_600 }])
      const { key: Key = '', size } = recordings[0] ?? {}
      const kept = await aws.s3.send(new HeadObjectCommand({ Bucket: environment.BUCKET, Key }))
      expect(kept.ContentLength).toBe(size)
      await stack.clock.sleep(2 * HOUR)
      expect(await keys()).toEqual([fresh])
    }))

  it('publishes an archive once, however often S3 reports it', () =>
    pace.drive(async () => {
      const before = stack.trace.lines.length
      const showId = await stack.post({ ...webinar, duration: 60 })
      await ended(showId)
      await stack.clock.sleep(MINUTE)
      const arrivals = stack.trace.lines.slice(before).filter((line) => /StartPublish\S* invoked/.test(line))
      expect(arrivals).toHaveLength(3)
      const archiveId = (await read(showId)).result?.recordings[0]?.archiveId ?? ''
      const executions = (await stack.executionsOf('publish')).filter((name) => name.startsWith(archiveId))
      expect(executions).toHaveLength(1)
      const published = stack.eventsOf(showId, 'recording.published').map(({ detail }) => detail as Published)
      expect(new Set(published.map(({ id }) => id)).size).toBe(published.length)
      expect(published.filter(({ status }) => status === 'complete')).toMatchObject([{ archiveId }])
      const { items } = (await stack.call('GET /recordings')).body as { items: { archiveId: string }[] }
      expect(items.filter((one) => one.archiveId === archiveId)).toHaveLength(1)
    }))

  it('believes no forged callback, and takes a replayed one for what it is', () =>
    pace.drive(async () => {
      const showId = await stack.post({ ...webinar, duration: 60 })
      await ended(showId)
      const genuine = stack.callbacks.at(-1) as (typeof stack.callbacks)[number]
      const idOf = ({ body }: { body: string }) => createHash('sha256').update(body).digest('hex')
      const eventsOf = (id: string) =>
        stack.platformEvents.filter((event) => (event.detail as { id: string }).id === id).length
      const statusOf = async (callback: typeof genuine) => (await stack.postCallback(callback)).status
      expect(eventsOf(idOf(genuine))).toBe(1)

      expect(await statusOf(genuine)).toBe(204)
      expect(eventsOf(idOf(genuine))).toBe(1)
      const altered = { ...genuine, body: genuine.body.replace(/"status":"\w+"/, '"status":"failed"') }
      expect(altered.body).not.toBe(genuine.body)
      const iat = Math.floor(stack.clock.now() / 1000)
      const signed = await new SignJWT({ iat, exp: iat + 60, payload_hash: idOf(altered) })
        .setProtectedHeader({ alg: 'HS256' })
        .sign(Buffer.from('a secret that somebody has guessed'))
      const forged = { ...altered, authorization: `Bearer ${signed}` }
      for (const callback of [altered, forged, { ...genuine, authorization: '' }])
        expect(await statusOf(callback)).toBe(401)
      expect(eventsOf(idOf(altered))).toBe(0)

      await stack.clock.sleep(10 * MINUTE)
      expect(await statusOf(genuine)).toBe(401)
      expect(eventsOf(idOf(genuine))).toBe(1)
    }))

  it('refuses a token that has expired', () =>
    pace.drive(async () => {
      const as = { token: await stack.tokenFor('operator', 60) }
      expect((await stack.call('GET /shows', { as })).status).toBe(200)
      await stack.clock.sleep(MINUTE + SECOND)
      expect((await stack.call('GET /shows', { as })).status).toBe(401)
      const before = await stack.executionsOf('show')
      expect((await stack.call('POST /shows', { as, body: webinar })).status).toBe(401)
      expect(await stack.executionsOf('show')).toEqual(before)
    }))

  it('continues a show that a viewer tries to stop', () =>
    pace.drive(async () => {
      const showId = await stack.post(webinar)
      await started(showId)
      const answer = await stack.call(`POST /shows/${showId}/stop`, { as: 'viewer' })
      expect(answer).toMatchObject({
        status: 403,
        body: { message: 'Forbidden' }, // refused at the gateway, since the role is a scope
      })
      expect((await read(showId)).timeline.map(({ what }) => what)).not.toContain('control.stop')
      await ended(showId)
      expect((await read(showId)).result).toMatchObject({
        status: 'succeeded',
        reason: 'The planned end was reached.',
        recordings: [{ duration: webinar.duration }],
      })
    }))

  it('runs one show for two posts with one Idempotency-Key', () =>
    pace.drive(async () => {
      const key = 'order 1042'
      const before = await stack.executionsOf('show')
      const [showId, again] = await Promise.all([stack.post(webinar, key), stack.post(webinar, key)])
      expect(again).toBe(showId)
      await ended(showId)
      expect(await stack.post(webinar, key)).toBe(showId)
      expect((await stack.executionsOf('show')).filter((name) => !before.includes(name))).toEqual([showId])
      expect(stack.eventsOf(showId, 'session.opened')).toHaveLength(1)
      const other = { ...webinar, name: 'Another' }
      expect((await stack.call('POST /shows', { body: other, key })).status).toBe(409)
    }))
})

describe('a webinar on the second Tuesday of each month at 09:00 in Berlin', () => {
  /** What comes every few minutes, for weeks in which there is nothing to do. */
  const leftOut = Object.fromEntries(
    ['SweepShows', 'RecordUsage', 'RotateUploadKey', 'RotateProjectSecret'].map((name) => [
      name,
      'nothing is to be done',
    ]),
  )
  let stack: Deployment | undefined
  afterEach(() => stack?.close())

  it.each([
    ['spring', Date.UTC(2030, 2, 11), ['2030-03-12T08:00', '2030-04-09T07:00']],
    ['autumn', Date.UTC(2030, 9, 7), ['2030-10-08T07:00', '2030-11-12T08:00']],
  ])('begins at nine before and after the clocks change in %s', async (_season, beginning, times) => {
    const pace = steppedPace(beginning)
    const deployed = await deploy({ assembly, pace, leftOut })
    stack = deployed
    await pace.drive(async () => {
      const start = { cron: '0 9 ? * 3#2 *', zone: 'Europe/Berlin' }
      const scheduleId = await deployed.post({ ...webinar, start })
      const ends = () => deployed.sent.filter((event) => event['detail-type'] === 'show.ended')
      await pace.until(() => ends().length === times.length)
      const opened = deployed.sent.filter((event) => event['detail-type'] === 'session.opened')
      expect(opened.map(({ time }) => time.slice(0, 16))).toEqual(times)
      const inBerlin = new Intl.DateTimeFormat('de-DE', {
        timeZone: 'Europe/Berlin',
        weekday: 'long',
        hour: '2-digit',
        minute: '2-digit',
      })
      for (const { time } of opened) expect(inBerlin.format(new Date(time))).toBe('Dienstag, 09:00')
      const shows = await deployed.executionsOf('show')
      expect(shows.toSorted()).toEqual(times.map((time) => `${scheduleId}-${time.replace(/[-:]/g, '').toLowerCase()}`))
      for (const { detail } of ends()) expect(detail).toMatchObject({ status: 'succeeded' })
    })
  })
})

describe('a callback URL that points to a private address', () => {
  let stack: Deployment
  beforeAll(async () => {
    stack = await deploy({ assembly, pace: realPace() })
  })
  afterAll(() => stack?.close())

  it.each([
    'https://10.0.0.7/hook',
    'https://169.254.169.254/latest',
    'https://[fd00::7]/',
    'https://localhost/',
    'http://example.com/',
  ])('is refused as %s when its show is posted', async (url) => {
    const { status, body } = await stack.call('POST /shows', { body: { ...webinar, callback: { url } } })
    expect(status).toBe(400)
    expect(body.problems).toMatchObject([{ path: 'callback.url' }])
    expect(await stack.executionsOf('show')).toEqual([])
  })

  it('is not called when a name leads to it, although a server listens there', async () => {
    const connected = vi.fn()
    const listening = createServer(connected).listen(0, '127.0.0.1')
    await once(listening, 'listening')
    try {
      addressesOf.set('hooks.example.com', '127.0.0.1')
      const url = `https://hooks.example.com:${(listening.address() as AddressInfo).port}/showrunner`
      const showId = await stack.post({ ...webinar, callback: { url } })
      const tellings = () => stack.executions.filter(({ resources: [arn = ''] }) => arn.includes('-notify:'))
      await expect.poll(() => tellings().map(statusOf)).toContain('FAILED')
      const failed = tellings().find((event) => statusOf(event) === 'FAILED')
      const [executionArn] = failed?.resources ?? []
      const { error, cause } = await stack.aws.states.send(new DescribeExecutionCommand({ executionArn }))
      expect([error, cause]).toEqual([
        'OwnerNotNotified',
        expect.stringContaining('hooks.example.com is not a public address'),
      ])
      expect(connected).not.toHaveBeenCalled()
      expect((await stack.call(`POST /shows/${showId}/stop`)).status).toBe(200)
    } finally {
      listening.close()
    }
  })
})

const statusOf = ({ detail }: BusEvent) => (detail as { status: string }).status
