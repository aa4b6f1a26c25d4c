import { describe, expect, it } from 'vitest'
import { openSession } from '../open-session.ts'

describe('createCallControlRoutes', () => {
  it('acts as the callee as a script would', async () => {
    const { dial } = await openSession()
    const { act, callUpdates } = await dial('manual')
    const states: unknown[] = []
    for (const does of ['ring', 'answer', 'hold', 'resume', 'hangUp']) states.push((await act({ does })).body.state)
    expect(states).toEqual(['RINGING', 'ACTIVE', 'ON_HOLD', 'ACTIVE', 'HANGUP'])
    expect((await callUpdates()).at(-1)).toMatchObject({ event: 'callDestroyed', reason_code: 700 })
  })

  it.each(['hold', 'resume'])('answers 409 to %s while the call is not answered', async (does) => {
    const { dial } = await openSession()
    const { act } = await dial('manual')
    const message = `The callee cannot ${does} now: the call is DIALING.`
    expect(await act({ does })).toEqual({ status: 409, body: { code: 409, message } })
  })

  it('answers 409 to everything once the call has ended', async () => {
    const { dial } = await openSession()
    const { act } = await dial('manual')
    await act({ does: 'hangUp' })
    for (const deed of [{ does: 'answer' }, { does: 'hangUp' }, { does: 'press', keys: '1' }])
      expect(await act(deed)).toMatchObject({ status: 409 })
  })

  it('continues a script from the state that the callee has reached', async () => {
    const { dial, clock } = await openSession()
    const { act, callUpdates } = await dial('hangup-1')
    await act({ does: 'answer' })
    await clock.advance(10_000)
    const states = (await callUpdates()).map(({ state }) => state).filter(Boolean)
    expect(states).toEqual(['DIALING', 'ACTIVE', 'HANGUP'])
  })

  it('answers for a callee whose script does not answer', async () => {
    const { dial, clock } = await openSession()
    const { act, read } = await dial('noanswer')
    await act({ does: 'answer' })
    await clock.advance(120_000)
    expect((await read()).state).toBe('ACTIVE')
  })

  it.each([{}, { does: 'sing' }, { does: 'press' }, { does: 'press', keys: 'p' }])(
    'answers 400 to %j',
    async (deed) => {
      const { dial } = await openSession()
      expect(await (await dial('manual')).act(deed)).toMatchObject({ status: 400 })
    },
  )

  it('shows the callee at most 9 of the others, if the call has video', async () => {
    const { dial, join, sessionId } = await openSession()
    const { read: hear } = await dial('answer')
    const { read: watch } = await dial('answer', { video: true })
    const streams: unknown[] = []
    for (let count = 0; count < 10; count++) streams.push((await join(sessionId)).streamId)
    await join(sessionId, { publish: false })
    expect((await hear()).sees).toEqual([])
    expect((await watch()).sees).toEqual(streams.slice(0, 9))
  })

  it.each([
    ['15551234567@example.com', '15551234567'],
    ['stage@example.com', '0000000000'],
    [undefined, '0000000000'],
  ])('shows the callee of a call from %s the number %s', async (from, callerNumber) => {
    const { dial } = await openSession()
    const { read } = await dial('answer', { from })
    expect(await read()).toMatchObject({ callerNumber })
  })

  it('answers 404 for an unknown call or session', async () => {
    const { send } = await openSession()
    for (const [method, path] of [
      ['GET', '/sandbox/calls/none'],
      ['POST', '/sandbox/calls/none'],
      ['GET', '/sandbox/sessions/none/calls'],
    ] as const)
      expect(await send(method, path)).toMatchObject({ status: 404 })
  })

  it('serves only this machine', async () => {
    const { dial, send, sessionId } = await openSession()
    const { id } = await dial('manual')
    for (const path of [`/sandbox/calls/${id}`, `/sandbox/sessions/${sessionId}/calls`]) {
      expect(await send('GET', path, { headers: { host: 'example.com' } })).toMatchObject({ status: 403 })
      expect(await send('GET', path, { headers: { origin: 'https://example.com' } })).toMatchObject({ status: 403 })
    }
  })
})
