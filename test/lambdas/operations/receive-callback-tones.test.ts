import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ShowDocument } from '../../../lib/show/document/show.ts'
import { isCall, losingAnswers, refusing } from '../../support/world/interceptors.ts'
import { openWorld, type World, webinar } from '../../support/world.ts'
import { openShow, run } from '../run.ts'
import { postCallback, registerCallbacks } from './platform-callbacks.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(() => world.close())

const isTones = isCall('POST', /play-dtmf$/)

/** Dials, and lets the callee answer. */
async function dial(dialIn: NonNullable<ShowDocument['dialIns']>[number]) {
  const { sessionId } = await openShow(world, { ...webinar, dialIns: [dialIn] })
  await registerCallbacks(world)
  await run(world, 'startDialIn', { showId: 'a-show', sessionId, name: dialIn.name })
  await world.clock.advance(30_000)
}

/** Delivers the callback of this state as the platform does; one with other bytes counts as another one. */
const deliver = (state: string, space = '') =>
  postCallback(world, `${world.posted.find((one) => JSON.parse(one).state === state)}${space}`)

const heard = async () => {
  const { body } = await world.platform.send('GET', `/sandbox/calls/${(await entry())?.callId}`)
  return (body as { heard: { digits?: string }[] }).heard.flatMap(({ digits }) => digits ?? [])
}
const entry = async () => (await world.services.shows.state('a-show')).dialIns[0]
const happened = async () =>
  (await world.services.shows.state('a-show')).timeline.map(({ what }) => what).filter((what) => /tones/.test(what))
const stage = { name: 'stage', uri: 'sip:answer@example.com', tones: '1713#' }

describe('receiveCallback of a dial-in with tones', () => {
  it('plays them once the callee has answered, and never again', async () => {
    await dial(stage)
    await deliver('RINGING')
    expect([await heard(), (await entry())?.tones]).toEqual([[], undefined])
    await deliver('ACTIVE')
    expect([await heard(), await entry()]).toMatchObject([['1713#'], { tones: 'played', tonesAskedAt: world.now() }])
    await deliver('ACTIVE', ' ')
    expect([await heard(), await happened()]).toEqual([['1713#'], ['dialIn.tonesPlayed']])
  })

  it('does not repeat them when the answer is lost, and reports the outcome as unknown', async () => {
    await dial(stage)
    world.interceptors.platform = losingAnswers(isTones)
    await deliver('ACTIVE')
    world.interceptors.platform = (_request, pass) => pass()
    await deliver('ACTIVE', ' ')
    expect([await heard(), (await entry())?.tones, await happened()]).toEqual([
      ['1713#'],
      'unknown',
      ['dialIn.tonesUnknown'],
    ])
  })

  it('reports tones that the platform refuses, or whose secret is missing', async () => {
    await dial({ ...stage, tones: { secret: 'none#pin' } })
    await deliver('ACTIVE')
    expect([await heard(), (await entry())?.tones, await happened()]).toEqual([[], 'failed', ['dialIn.tonesFailed']])
    expect(JSON.stringify(await entry())).not.toContain('1713')
  })

  it('stores no message of the platform about a secret PIN', async () => {
    world.keepShowSecret('conference', { pin: '1713#' }, ['sip:example.com', 'sip:answer@example.com'])
    await dial({ ...stage, tones: { secret: 'conference#pin' } })
    let asked = ''
    world.interceptors.platform = async (request, pass) => {
      if (!isTones(request)) return pass()
      asked = await request.text()
      return Response.json({ code: 400, message: 'Bad digits 1713#' }, { status: 400 })
    }
    await deliver('ACTIVE')
    expect([asked, (await entry())?.tones]).toEqual(['{"digits":"1713#"}', 'failed'])
    expect(JSON.stringify(await world.services.shows.state('a-show'))).not.toContain('1713')
  })

  it('asks for the callback again while it may be about a dial-in whose dial is not noted yet', async () => {
    await dial(stage)
    await world.services.shows.update('a-show', (state) => ({
      ...state,
      dialIns: state.dialIns.map(({ name, askedAt }) => ({ name, ...(askedAt && { askedAt }) })),
    }))
    await expect(deliver('ACTIVE')).rejects.toMatchObject({ name: 'ServiceError' })
  })

  it('has the result say which tones were not played', async () => {
    await dial(stage)
    world.interceptors.platform = refusing(isTones, 400)
    await deliver('ACTIVE')
    world.interceptors.platform = (_request, pass) => pass()
    const { showId, sessionId } = await world.services.shows.state('a-show')
    await run(world, 'stopShow', { showId, sessionId: sessionId ?? '', reason: null, failure: null })
    const report = { showId, sessionId: sessionId ?? '', reason: null, failure: null }
    expect((await run(world, 'reportShow', report)).reason).toContain(
      'The tones for the dial-in stage could not be played.',
    )
  })
})
