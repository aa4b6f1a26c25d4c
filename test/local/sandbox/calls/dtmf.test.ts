import { describe, expect, it } from 'vitest'
import { openSession } from '../open-session.ts'

async function openCall(sip = {}) {
  const world = await openSession()
  const dialled = await world.dial('answer', sip)
  await world.clock.advance(5_000)
  const now = world.clock.now()
  const heard = async () =>
    (await dialled.read()).heard.map(({ at, digits, speech }: { at: number; digits?: string; speech?: string }) => {
      return `${at - now} ${digits ?? speech}`
    })
  return { ...world, ...dialled, heard }
}

describe('createDtmf', () => {
  it('plays digits to the callee, and waits half a second at each p', async () => {
    const { call, clock, sessionId, connectionId, heard } = await openCall()
    expect(await call('playDtmfToConnection', { sessionId, connectionId, digits: '17p*pp#' })).toEqual({
      status: 200,
      body: {},
    })
    expect(await heard()).toEqual(['0 17'])
    await clock.advance(2_000)
    expect(await heard()).toEqual(['0 17', '500 *', '1500 #'])
  })

  it('reaches every callee of a session that is on the line', async () => {
    const { call, clock, dial, sessionId, heard } = await openCall()
    const second = await dial('instant')
    const ringing = await dial('manual')
    await clock.advance(2_000)
    await call('playDtmfToSession', { sessionId, digits: '5' })
    expect(await heard()).toEqual(['2000 5'])
    expect((await second.read()).heard).toMatchObject([{ digits: '5' }])
    expect((await ringing.read()).heard).toEqual([])
  })

  it('plays nothing to a callee on hold or to other clients', async () => {
    const { call, join, act, sessionId, heard } = await openCall()
    await act({ does: 'hold' })
    const ada = await join(sessionId)
    expect(await call('playDtmfToSession', { sessionId, digits: '5' })).toMatchObject({ status: 200 })
    const { connectionId } = ada
    expect(await call('playDtmfToConnection', { sessionId, connectionId, digits: '5' })).toMatchObject({ status: 200 })
    expect(await heard()).toEqual([])
  })

  it('stops when the call ends', async () => {
    const { call, clock, act, sessionId, heard } = await openCall()
    await call('playDtmfToSession', { sessionId, digits: '1p2' })
    await act({ does: 'hangUp' })
    await clock.advance(10_000)
    expect(await heard()).toEqual(['0 1'])
  })

  it('toggles the callee’s mute by *6 if the call observes forced mutes', async () => {
    const { act, read, call, sessionId, streamId } = await openCall({ observeForceMute: true })
    const press = async (keys: string) => (await act({ does: 'press', keys })).body.isMuted
    expect(await press('*')).toBe(false)
    expect(await press('6')).toBe(true)
    expect(await press('*16')).toBe(true)
    expect(await press('12*6')).toBe(false)
    await call('muteStream', { sessionId, streamId })
    expect(await press('*6')).toBe(false)
    expect((await read()).heard.map(({ speech }: { speech: string }) => speech)).toEqual([
      'You are muted.',
      'You are no longer muted.',
      'A moderator has muted you.',
      'You are no longer muted.',
    ])
  })

  it('does not toggle the mute otherwise', async () => {
    const { act, read } = await openCall()
    expect((await act({ does: 'press', keys: '*6' })).body.isMuted).toBe(false)
    expect((await read()).heard).toEqual([])
  })

  it('mutes a callee whose script presses *6', async () => {
    const { dial, clock } = await openSession()
    const { read } = await dial('mute-3', { observeForceMute: true })
    await clock.advance(5_000)
    expect(await read()).toMatchObject({ isMuted: true, heard: [{ speech: 'You are muted.' }] })
  })
})
