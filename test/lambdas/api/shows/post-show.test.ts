import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { problemUri } from '../../../../lib/api/problem-names.ts'
import { isCall, refusing } from '../../../support/world/interceptors.ts'
import { openWorld, START_TIME, type World, webinar } from '../../../support/world.ts'
import { call, executionsOf, stateOf } from '../call.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await world.close()
})

const post = (body: unknown = webinar, key?: string, sub = 'app') =>
  call(world, 'POST /shows', { body, sub, ...(key !== undefined && { key }) })
const schedules = () => world.scheduler.list({ ScheduleGroup: 'shows', MaxResults: 100 }).schedules

describe('POST /shows', () => {
  it('keeps who posted a show with it, which the API shows', async () => {
    const { body } = await call(world, 'POST /shows', { body: webinar, sub: 'ann' })
    expect(await world.services.records.readRequest(body.showId)).toMatchObject({ by: 'ann' })
    expect((await call(world, `GET /shows/${body.showId}`)).body.acceptedBy).toBe('ann')
  })

  it('refuses a body that is longer than any show before it reads it, with the headers of every answer', async () => {
    const body = `{${' '.repeat(400_000)}`
    expect(await call(world, 'POST /shows', { body })).toMatchObject({
      status: 413,
      headers: { 'x-content-type-options': 'nosniff', 'strict-transport-security': 'max-age=31536000' },
      body: { detail: 'The body has 400001 bytes. At most 400000 are accepted.' },
    })
  })

  it('records a show, starts its execution and answers 202', async () => {
    const { status, headers, body } = await post()
    expect(status).toBe(202)
    expect(headers).toEqual({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      location: `/shows/${body.showId}`,
      'retry-after': '2',
      'x-content-type-options': 'nosniff',
      'strict-transport-security': 'max-age=31536000',
      vary: 'origin',
    })
    expect(body).toEqual({ showId: expect.stringMatching(/^[0-9a-z-]{36}$/), status: 'starting' })
    expect(executionsOf(world)).toMatchObject([{ name: body.showId, input: JSON.stringify({ showId: body.showId }) }])
    expect(await world.services.records.readRequest(body.showId)).toMatchObject({ acceptedAt: START_TIME })
  })

  it('starts another show for every request without a key', async () => {
    expect((await post()).body.showId).not.toBe((await post()).body.showId)
    expect(executionsOf(world)).toHaveLength(2)
  })

  it('starts one show for an Idempotency-Key, whenever it is repeated', async () => {
    const first = await post(webinar, 'key')
    await world.services.records.updateState(first.body.showId, (state) => ({ ...state, status: 'live' }))
    await world.clock.advance(3_600_000) // the execution of this world has ended by then
    expect(await post(webinar, 'key')).toMatchObject({ status: 202, body: { ...first.body, status: 'live' } })
    expect(executionsOf(world)).toHaveLength(1)
  })

  it('takes the same show written differently for the same', async () => {
    const { version, ...rest } = webinar
    await post(webinar, 'key')
    expect((await post({ ...rest, audienceWait: 900, version }, 'key')).status).toBe(202)
  })

  it('refuses a key that was used for another show', async () => {
    await post(webinar, 'key')
    expect(await post({ ...webinar, duration: 21 }, 'key')).toMatchObject({
      status: 409,
      body: { detail: 'The Idempotency-Key was used for another show. Use a new key.' },
    })
    expect(executionsOf(world)).toHaveLength(1)
  })

  it('keeps the keys of different callers apart', async () => {
    const first = await post(webinar, 'key', 'one')
    const second = await post({ ...webinar, duration: 21 }, 'key', 'two')
    expect(second.status).toBe(202)
    expect(second.body.showId).not.toBe(first.body.showId)
  })

  it('starts the execution that an earlier request could not', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    world.interceptors.aws = async (request, pass) =>
      request.headers.get('x-amz-target')?.endsWith('StartExecution') ? new Response(null, { status: 500 }) : pass()
    expect((await post(webinar, 'key')).status).toBe(500)
    world.interceptors.aws = (_request, pass) => pass()
    expect((await post(webinar, 'key')).status).toBe(202)
    expect(executionsOf(world)).toHaveLength(1)
  })

  it('names every problem of a show by its path', async () => {
    const { status, headers, body } = await post({ ...webinar, duration: 0, broadcasts: [{ name: 'a b' }], colour: 1 })
    expect(status).toBe(400)
    expect(headers['content-type']).toBe('application/problem+json')
    expect(body).toMatchObject({ type: problemUri('invalid-show'), title: 'Invalid show', status: 400 })
    expect(body.problems.map(({ path }: { path: string }) => path).sort()).toEqual([
      'broadcasts[0]',
      'broadcasts[0].name',
      'colour',
      'duration',
    ])
    expect(executionsOf(world)).toEqual([])
  })

  it.each([
    ['no body', undefined, 'The request has no body. Send a JSON document.'],
    ['no JSON', '{', 'The body is not JSON ('],
  ])('refuses %s', async (_what, body, detail) => {
    const answer = await call(world, 'POST /shows', { body })
    expect(answer.status).toBe(400)
    expect(answer.body.detail).toContain(detail)
  })

  it('refuses what is nested too deeply', async () => {
    const body = `{"labels":${'['.repeat(5_000)}${']'.repeat(5_000)}}`
    expect(await call(world, 'POST /shows', { body })).toMatchObject({
      status: 400,
      body: { problems: [{ path: 'labels', message: 'is nested more than 16 levels deep' }] },
    })
  })

  it('reads a body that API Gateway has encoded', async () => {
    const body = Buffer.from(JSON.stringify(webinar)).toString('base64')
    expect(await call(world, 'POST /shows', { body, isBase64Encoded: true })).toMatchObject({ status: 202 })
  })

  it.each(['', 'k'.repeat(256)])('refuses an Idempotency-Key of a wrong length', async (key) => {
    expect(await post(webinar, key)).toMatchObject({
      status: 400,
      body: { detail: 'Idempotency-Key must have 1 to 255 characters.' },
    })
  })

  it.each([
    ['an unknown parameter', { colour: 'red' }, 'colour', 'is not a field of this query'],
    ['half a dry run', { dryRun: 'maybe' }, 'dryRun', 'must be "true" or "false"'],
  ])('refuses %s', async (_what, query, path, message) => {
    const answer = await call(world, 'POST /shows', { body: webinar, query })
    expect(answer).toMatchObject({ status: 400, body: { problems: [{ path, message }] } })
    expect(executionsOf(world)).toEqual([])
  })
})

describe('POST /shows?dryRun=true', () => {
  const check = (body: unknown) => call(world, 'POST /shows', { body, query: { dryRun: 'true' } })

  it('shows the show with its defaults, and neither records nor starts it', async () => {
    const { status, body } = await check(webinar)
    expect(status).toBe(200)
    expect(body).toMatchObject({ valid: true, show: { ...webinar, audienceWait: 900 } })
    expect(body.forecast.steps[0]).toEqual({ step: 'start', details: 'immediately' })
    expect(body.forecast.cost.usd).toBeGreaterThan(0)
    expect((await call(world, 'GET /shows')).body.items).toEqual([])
    expect(executionsOf(world)).toEqual([])
  })

  it('schedules nothing', async () => {
    expect((await check({ ...webinar, start: { at: '2026-11-20T10:00' } })).status).toBe(200)
    expect(schedules()).toEqual([])
  })

  it('names the same problems as without', async () => {
    const wrong = { ...webinar, start: { cron: '0 9 * * * *' } }
    const answer = await check(wrong)
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual((await post(wrong)).body)
  })
})

describe('POST /shows with start', () => {
  const at = { ...webinar, start: { at: '2026-11-20T19:00', zone: 'Europe/Berlin' }, audienceWait: 10 }

  it('makes a schedule under the id of the show, and starts nothing', async () => {
    const { status, body } = await post(at)
    expect({ status, state: body.status }).toEqual({ status: 202, state: 'scheduled' })
    expect(schedules()).toMatchObject([
      {
        name: body.showId,
        input: {
          GroupName: 'shows',
          ScheduleExpression: 'at(2026-11-20T19:00:00)',
          ScheduleExpressionTimezone: 'Europe/Berlin',
          FlexibleTimeWindow: { Mode: 'OFF' },
          ActionAfterCompletion: 'DELETE',
        },
      },
    ])
    expect(executionsOf(world)).toEqual([])
    expect((await stateOf(world, body.showId)).status).toBe('scheduled')
  })

  it('has the schedule call with the id of the show and the time it is for', async () => {
    const { body } = await post(at)
    await world.clock.advance(9 * 3_600_000)
    expect(world.due).toEqual([{ scheduleId: body.showId, scheduledAt: '2026-11-20T18:00:00Z' }])
    expect(schedules()).toEqual([])
  })

  it('makes a recurring one', async () => {
    await post({ ...webinar, start: { cron: '0 9 ? * MON-FRI *', zone: 'Europe/Berlin' } })
    expect(schedules()).toMatchObject([{ input: { ScheduleExpression: 'cron(0 9 ? * MON-FRI *)' } }])
  })

  it('makes one schedule for an Idempotency-Key', async () => {
    const first = await post(at, 'key')
    expect(await post(at, 'key')).toEqual(first)
    expect(schedules()).toHaveLength(1)
  })

  it('answers a repeated key as before when the time has passed, and creates no second schedule', async () => {
    const first = await post(at, 'key')
    await world.clock.advance(9 * 3_600_000)
    expect(await post(at, 'key')).toEqual(first)
    expect(schedules()).toEqual([])
  })

  it('makes the schedule that an earlier request could not', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    world.interceptors.aws = refusing(isCall('POST', /^\/schedules\//), 500, 1)
    expect((await post(at, 'key')).status).toBe(500)
    expect((await post(at, 'key')).status).toBe(202)
    expect(schedules()).toHaveLength(1)
  })

  it.each([
    ['a time that has passed', { at: '2026-11-20T09:00' }, 'start.at', /^has passed: it was 2026-11-20T09:00:00.000Z$/],
    [
      'a time that has passed in its zone',
      { at: '2026-11-20T09:30', zone: 'Europe/Berlin' },
      'start.at',
      /^has passed/,
    ],
    ['a date that does not exist', { at: '2027-02-30T09:00' }, 'start.at', /^is not a date$/],
    [
      'a time that clocks jump over',
      { at: '2027-03-28T02:30', zone: 'Europe/Berlin' },
      'start.at',
      /set forward over it$/,
    ],
    ['years that have passed', { cron: '0 9 * * ? 2020' }, 'start.cron', /^has passed: its last year was 2020$/],
    ['no cron fields', { cron: 'daily' }, 'start.cron', /^must have six fields/],
    ['a zone that does not exist', { at: '2026-12-01T09:00', zone: 'Moon/Sea' }, 'start.zone', /time zone/],
  ])('refuses %s', async (_what, start, path, message) => {
    const { status, body } = await post({ ...webinar, start })
    expect(status).toBe(400)
    expect(body.problems).toEqual([{ path, message: expect.stringMatching(message) }])
    expect(schedules()).toEqual([])
  })

  it('ends a show whose times Scheduler does not take', async () => {
    world.interceptors.aws = async (request, pass) =>
      isCall('POST', /^\/schedules\//)(request)
        ? Response.json({ Message: 'Not so.' }, { status: 400, headers: { 'x-amzn-errortype': 'ValidationException' } })
        : pass()
    const { status, body } = await post(at, 'the same key')
    expect(status).toBe(400)
    expect(body.problems).toMatchObject([{ path: 'start', message: expect.stringContaining('Not so.') }])
    expect(await post(at, 'the same key')).toMatchObject({ status: 400, body: { problems: [{ path: 'start' }] } })
    const [listed] = (await call(world, 'GET /shows')).body.items
    expect(listed.status).toBe('stopped')
    expect(await world.services.records.readResult(listed.showId)).toMatchObject({
      reason: 'It could not be scheduled.',
    })
  })

  it.each([{}, { dryRun: 'true' }])(
    'refuses a callback that could never be delivered from here, asked with %j',
    async (query) => {
      const body = { ...webinar, callback: { url: 'http://127.0.0.1:3000/hook' } }
      expect((await call(world, 'POST /shows', { body, query })).status).toBeLessThan(300)
      const deployed = openWorld({ CALLBACK_REACH: 'public' })
      const answer = await call(deployed, 'POST /shows', { body, query })
      await deployed.close()
      expect(answer).toMatchObject({
        status: 400,
        body: { problems: [{ path: 'callback.url', message: expect.stringMatching(/^must be an https URL/) }] },
      })
    },
  )
})
