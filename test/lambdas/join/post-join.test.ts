import { jwtVerify } from 'jose'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createInvitations } from '../../../lib/operations/invitations.ts'
import { createWatchLinks } from '../../../lib/publish/watch-links.ts'
import { openWorld, type World, webinar } from '../../support/world.ts'
import { bringLive, bringWaiting, call } from '../api/call.ts'
import { getOf } from '../watch/show/watched-show.ts'
import { createJoining, refusal } from './joining.ts'

let world: World
beforeEach(() => {
  world = openWorld({ JOIN_URL: 'https://events.example.com/join' })
})
afterEach(() => world.close())

const { invite, invitationTo, join, schedule, change, start } = createJoining(() => world)
const claimsOf = async (token: string) => {
  const key = new TextEncoder().encode(world.platform.apiSecret)
  return (await jwtVerify(token, key, { currentDate: new Date(world.clock.now()) })).payload
}

describe('POST /shows/{id}/invitations', () => {
  it('answers an invitation and a link to the join page, until a day after the planned end', async () => {
    const showId = await schedule({ at: '2026-12-01T19:00', zone: 'UTC' })
    const { status, body } = await invite({ data: 'Ada' }, showId)
    expect(status).toBe(200)
    expect(body).toEqual({
      ...{ showId, invitation: expect.stringMatching(/^[\w-]+\.[\w-]{43}$/), expiresAt: '2026-12-02T19:15:20.000Z' },
      url: `https://events.example.com/join#invitation=${body.invitation}`,
    })
  })

  it('answers the invitation alone if the settings have no join page', async () => {
    await world.close()
    world = openWorld()
    await world.accept()
    expect((await invite()).body).not.toHaveProperty('url')
  })

  it('bounds the validity', async () => {
    await world.accept()
    expect((await invite({ expiresAt: '2026-11-20T10:00:00Z' })).body.expiresAt).toBe('2026-11-20T10:00:00.000Z')
    expect((await invite({ expiresAt: '2027-11-21T09:00:00Z' })).status).toBe(200)
    for (const expiresAt of ['2026-11-20T08:59:59Z', '2027-11-21T09:00:01Z', 'tomorrow'])
      expect(await invite({ expiresAt })).toMatchObject({
        ...refusal(400, 'invalid-body'),
        body: { problems: [{ path: 'expiresAt' }] },
      })
  })

  it('is valid until a day after the longest time of a show with an open end', async () => {
    await world.accept({ ...webinar, version: 1.1, duration: null, maxDuration: 3_600 })
    expect((await invite()).body.expiresAt).toBe('2026-11-21T10:15:00.000Z')
  })

  it('is valid for 90 days for a series without an end, and until a day after the last show of another', async () => {
    const weekly = { cron: '0 19 ? * FRI *', zone: 'UTC' }
    expect((await invite({}, await schedule(weekly))).body.expiresAt).toBe('2027-02-18T09:00:00.000Z')
    const ending = await schedule({ ...weekly, until: '2026-12-31' })
    expect((await invite({}, ending)).body.expiresAt).toBe('2027-01-02T00:15:20.000Z')
  })

  it('refuses an unknown show, one that is over, and what a token refuses', async () => {
    expect(await invite()).toMatchObject(refusal(404, 'unknown-show'))
    await bringLive(world)
    expect(await invite({ role: 'boss', data: 'a-show/dial-ins/stage' })).toMatchObject({
      body: { problems: [{ path: 'role' }, { path: 'data' }] },
    })
    await change({ endedAt: world.now() })
    expect(await invite()).toMatchObject(refusal(409, 'wrong-show-state'))
  })
})

describe('POST /public/join', () => {
  it('asks for a retry until the session exists, and then answers what a participant connects with', async () => {
    const showId = await schedule({ at: '2026-11-20T09:01', zone: 'UTC' })
    const invitation = await invitationTo(showId, { data: 'Ada', expiresIn: 60, layoutClasses: ['focus'] })
    expect(await join(invitation)).toMatchObject({
      ...refusal(409, 'show-not-open'),
      headers: { 'retry-after': '60' },
      body: { startsAt: '2026-11-20T09:01:00.000Z' },
    })
    await world.clock.advance(60_000)
    await start(showId, '2026-11-20T09:01:00Z')
    const starting = await join(invitation)
    expect(starting).toMatchObject({ ...refusal(409, 'show-not-open'), headers: { 'retry-after': '2' } })
    expect(starting.body).not.toHaveProperty('startsAt')
    const sessionId = await world.platform.createSession()
    await change({ status: 'waiting', sessionId }, showId)
    const { status, body } = await join(invitation, { data: 'Eve' })
    expect([status, body]).toEqual([
      200,
      { showId, apiKey: world.platform.apiKey, sessionId, token: expect.any(String) },
    ])
    const { iat = 0, exp, ...claims } = await claimsOf(body.token)
    expect(claims).toMatchObject({
      ...{ session_id: sessionId, role: 'publisher' },
      ...{ connection_data: 'Ada', initial_layout_class_list: 'focus' },
    })
    expect(exp).toBe(iat + 60)
    await change({ status: 'stopped', endedAt: world.now() }, showId)
    expect(await join(invitation)).toMatchObject(refusal(410, 'show-over'))
  })

  it('asks for retries for five minutes at most, because a start can be moved', async () => {
    const invitation = await invitationTo(await schedule({ at: '2026-12-01T19:00', zone: 'UTC' }))
    expect((await join(invitation)).headers).toMatchObject({ 'retry-after': '300' })
  })

  it('takes the data of the participant if the invitation has none, but not that of a dial-in', async () => {
    await bringWaiting(world)
    const invitation = await invitationTo()
    expect(await claimsOf((await join(invitation, { data: 'Eve' })).body.token)).toMatchObject({
      connection_data: 'Eve',
    })
    expect(await claimsOf((await join(invitation)).body.token)).not.toHaveProperty('connection_data')
    expect(await join(invitation, { data: 'a-show/dial-ins/stage' })).toMatchObject(refusal(400, 'invalid-body'))
  })

  it('needs no token of the API, and no more than the invitation', async () => {
    await bringWaiting(world)
    const invitation = await invitationTo()
    expect(
      (await call(world, 'POST /public/join', { body: { invitation }, claims: { scope: undefined } })).status,
    ).toBe(200)
    expect(await call(world, 'POST /public/join', { body: {} })).toMatchObject(refusal(400, 'invalid-body'))
    expect(await call(world, 'POST /public/join', { body: { invitation }, query: { a: 'b' } })).toMatchObject(
      refusal(400, 'invalid-query'),
    )
  })
})

describe('an invitation', () => {
  beforeEach(() => bringWaiting(world))

  /** The invitation with changed content and its own signature. */
  const changed = (invitation: string, changes: object) => {
    const [content = '', signature] = invitation.split('.')
    const opened = JSON.parse(Buffer.from(content, 'base64url').toString())
    return `${Buffer.from(JSON.stringify({ ...opened, ...changes })).toString('base64url')}.${signature}`
  }

  it('is refused if anything of it was changed', async () => {
    const invitation = await invitationTo('a-show', { role: 'subscriber' })
    const forged = [
      changed(invitation, { role: 'moderator' }),
      changed(invitation, { expires: 99_999_999_999 }),
      changed(invitation, { showId: 'b-show' }),
      `${invitation.slice(0, -2)}AA`,
      invitation.split('.')[0],
      `${invitation}.`,
      'nonsense',
      '.',
    ]
    for (const text of forged) expect(await join(String(text)), text).toMatchObject(refusal(403, 'invalid-invitation'))
    expect((await join(changed(invitation, {}))).status).toBe(200) // so the others fail by what was changed
  })

  it('does not admit to another show', async () => {
    const { sessionId } = await bringWaiting(world, webinar, 'b-show')
    const { body } = await join(await invitationTo('a-show'))
    expect(body.showId).toBe('a-show')
    expect(body.sessionId).not.toBe(sessionId)
  })

  it('can be exchanged with the longest content', async () => {
    const layoutClasses = Array.from({ length: 10 }, () => '"'.repeat(64))
    const invitation = await invitationTo('a-show', { data: '\u0001'.repeat(1_000), layoutClasses })
    expect((await join(invitation)).status).toBe(200)
  })

  it('expires', async () => {
    const invitation = await invitationTo('a-show', { expiresAt: '2026-11-20T09:01:00Z' })
    await world.clock.advance(59_999)
    expect((await join(invitation)).status).toBe(200)
    await world.clock.advance(1)
    expect(await join(invitation)).toMatchObject(refusal(403, 'invitation-expired'))
  })

  it('is revoked with all others of its show, and those issued later are valid', async () => {
    await bringWaiting(world, webinar, 'b-show')
    const [mine, other] = [await invitationTo(), await invitationTo('b-show')]
    expect(await call(world, 'DELETE /shows/a-show/invitations')).toMatchObject({
      status: 200,
      body: { showId: 'a-show' },
    })
    expect(await join(mine)).toMatchObject(refusal(403, 'invitation-revoked'))
    expect((await join(other)).status).toBe(200)
    expect((await join(await invitationTo())).status).toBe(200)
    expect(await call(world, 'DELETE /shows/none/invitations')).toMatchObject(refusal(404, 'unknown-show'))
    expect((await call(world, 'GET /shows/a-show')).body).not.toHaveProperty('invitationEpoch')
  })

  it('to a series is revoked with those of each of its occurrences', async () => {
    const series = await schedule({ cron: '0 10 * * ? *', zone: 'UTC' })
    await world.clock.advance(3_600_000)
    await start(series, '2026-11-20T10:00:00Z')
    const showId = `${series}-20261120t1000`
    await change({ status: 'live', sessionId: await world.platform.createSession() }, showId)
    const invitations = [await invitationTo(series), await invitationTo(showId)]
    for (const invitation of invitations) expect((await join(invitation)).status).toBe(200)
    await call(world, `DELETE /shows/${showId}/invitations`)
    for (const invitation of invitations)
      expect(await join(invitation)).toMatchObject(refusal(403, 'invitation-revoked'))
    for (const id of [series, showId]) expect((await join(await invitationTo(id))).status).toBe(200)
  })

  it('ends with the secret that signed it', async () => {
    const invitation = await invitationTo()
    const { clock, services } = world
    const { signer } = createWatchLinks(
      { read: async () => ({ secret: 'another secret, as after its rotation' }) } as never,
      'watch',
      clock,
    )
    expect(await createInvitations(signer, clock).open(invitation)).toBe('not ours')
    expect(await services.invitations.open(invitation)).toMatchObject({ showId: 'a-show' })
  })

  it('is not a link to a watch page, and such a link is not an invitation', async () => {
    const invitation = await invitationTo()
    const [content, signature] = invitation.split('.')
    const { expires } = JSON.parse(Buffer.from(content ?? '', 'base64url').toString())
    const page = (credentials: Record<string, string>) =>
      getOf(world, `/watch/show/a-show/state?${new URLSearchParams(credentials)}`)
    expect((await page({ expires: String(expires), signature: signature ?? '' })).statusCode).toBe(403)
    const { watch } = (await call(world, 'GET /shows/a-show')).body
    const link = new URL(watch.url).searchParams
    expect(await join(`${content}.${link.get('signature')}`)).toMatchObject(refusal(403, 'invalid-invitation'))
    const subject = `show/a-show\n${link.get('expires')}`
    expect(await join(`${Buffer.from(subject).toString('base64url')}.${link.get('signature')}`)).toMatchObject(
      refusal(403, 'invalid-invitation'),
    )
  })
})
