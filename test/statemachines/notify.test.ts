import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { handler } from '../../lambdas/operations/notify-owner.ts'
import { readDefinition } from '../../lib/constructs/deploy/definition.ts'
import { createStepFunctions } from '../../local/cloud/states/step-functions.ts'
import { invoke, openWorld, type World, webinar } from '../support/world.ts'

const machine = 'arn:aws:states:us-east-1:000000000000:stateMachine:notify'
const task = 'arn:aws:lambda:us-east-1:000000000000:function:notify-owner'
/** The event as the bus delivers it to the machine. */
const busEvent = {
  source: 'showrunner',
  'detail-type': 'recording.started',
  detail: {
    id: 'a-show/recording.started/program/1/',
    event: 'recording.started',
    at: '2026-11-20T09:00:00.000Z',
    showId: 'a-show',
    callback: true,
  },
}

let world: World
let states: ReturnType<typeof createStepFunctions>
let posts: number
beforeEach(async () => {
  world = openWorld()
  posts = 0
  states = createStepFunctions({
    clock: world.clock,
    random: () => 0.5,
    region: 'us-east-1',
    account: '000000000000',
    invoke: (_arn, input) => invoke(handler, world.services, input),
  })
  states.addMachine({
    arn: machine,
    name: 'notify',
    definition: readDefinition('notify').text.replace('${NotifyOwner}', task),
  })
  await world.accept({ ...webinar, callback: { url: 'https://app.example.com/hook' } })
  await world.services.shows.note('a-show', { what: 'recording.started', name: 'program', part: 1 })
})
afterEach(async () => {
  await states.close()
  await world.close()
})

/** Runs the machine against an app whose first calls answer with these statuses, and all others with the last. */
async function notify(...statuses: number[]) {
  world.interceptors.platform = async () => new Response(null, { status: statuses[posts++] ?? statuses.at(-1) ?? 0 })
  return run(busEvent)
}

/** Runs the machine to its end, over all its tries. */
async function run(event: object, onTry: (tries: number) => Promise<unknown> = async () => {}) {
  const { executionArn } = states.startExecution({ stateMachineArn: machine, input: JSON.stringify(event) })
  const execution = () => states.describeExecution({ executionArn })
  const settledTries = () =>
    states.executionHistory({ executionArn }).filter(({ type }) => /^LambdaFunction(Failed|Succeeded)$/.test(type))
      .length
  for (let tries = 1; ; tries++) {
    while (settledTries() < tries) await world.clock.advance(0)
    await world.clock.advance(0)
    if (execution().status !== 'RUNNING') return execution()
    await onTry(tries)
    world.clock.step() // to the next try
  }
}

describe('the notify machine', () => {
  it.each([204, 410])('is done with an app that takes the event, or wants no more of them (%i)', async (status) => {
    expect(await notify(status)).toMatchObject({ status: 'SUCCEEDED' })
    expect(posts).toBe(1)
  })

  it('tries an app again that is down, until it is back', async () => {
    expect(await notify(503, 500, 429, 200)).toMatchObject({ status: 'SUCCEEDED' })
    expect(posts).toBe(4)
  })

  const taking = async () => {
    posts++
    return new Response(null, { status: 204 })
  }
  const ended = { ...busEvent, detail: { ...busEvent.detail, id: 'a-show/show.ended///', event: 'show.ended' } }

  it('waits for the record of an event, which is put on the bus before it', async () => {
    world.interceptors.platform = taking
    const note = async (tries: number) => tries === 2 && world.services.shows.note('a-show', { what: 'show.ended' })
    expect(await run(ended, note)).toMatchObject({ status: 'SUCCEEDED' })
    expect(posts).toBe(1)
  })

  it('waits for a deployment that lacks a secret, and then posts the event', async () => {
    world.interceptors.platform = taking
    const { aws } = world.interceptors
    let missed = 0
    world.interceptors.aws = async (request, pass) => {
      if (!request.headers.get('x-amz-target')?.startsWith('secretsmanager.')) return pass()
      missed++
      return Response.json({ __type: 'ResourceNotFoundException', message: 'missing' }, { status: 400 })
    }
    const create = async (tries: number) => {
      if (tries === 3) world.interceptors.aws = aws
    }
    expect(await run(busEvent, create)).toMatchObject({ status: 'SUCCEEDED' })
    expect([missed, posts]).toEqual([3, 1])
  })

  it('gives up a forged event within minutes, and posts nothing', async () => {
    world.interceptors.platform = taking
    const { status, cause, startDate, stopDate } = await run(ended)
    expect([status, posts]).toEqual(['FAILED', 0])
    expect(cause).toContain('do not hold the event a-show/show.ended///')
    expect(Number(stopDate) - Number(startDate)).toBeLessThan(5 * 60_000)
  })

  it('fails at once, with the reason, where the app will not take the event', async () => {
    const { status, error, cause = '' } = await notify(404)
    expect([status, error, posts]).toEqual(['FAILED', 'OwnerNotNotified', 1])
    expect(JSON.parse(cause)).toMatchObject({
      outcome: 'refused',
      reason: expect.stringContaining('answered with 404'),
    })
  })

  it('gives up after about a day, with the reason', async () => {
    const { status, error, cause, startDate, stopDate } = await notify(503)
    expect([status, error]).toEqual(['FAILED', 'OwnerNotNotified'])
    expect(cause).toContain('did not accept the event a-show/recording.started/program/1/ (503)')
    expect((Number(stopDate) - Number(startDate)) / 3_600_000).toBeCloseTo(24.7, 1)
    expect(posts).toBe(58)
  })
})
