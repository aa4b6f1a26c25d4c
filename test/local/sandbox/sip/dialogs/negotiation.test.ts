import { describe, expect, it } from 'vitest'
import { headerOf } from '../../../../../local/sandbox/sip/messages/headers.ts'
import { ANSWER, OFFER } from '../fake-media.ts'
import { answerTo, openUserAgent, outline, requestOf } from '../open-user-agent.ts'

async function openCall(headers: readonly string[] = []) {
  const opened = openUserAgent()
  const call = await opened.call()
  const invite = opened.lastRequest('INVITE')
  await opened.deliver(answerTo(invite, 200, headers, ANSWER))
  opened.sent.length = 0
  call.happened.length = 0
  const ask = (method: string, cseq: number, body = '', lines: readonly string[] = []) =>
    opened.deliver(requestOf(invite, method, cseq, lines, body))
  return { ...opened, call, invite, ask }
}

const held = `${OFFER}a=sendonly\r\n`

describe('createNegotiation', () => {
  it('is held and resumed by the peer', async () => {
    const { call, ask, sent } = await openCall()
    await ask('INVITE', 1, held)
    await ask('ACK', 1)
    await ask('UPDATE', 2, OFFER)
    expect(outline(sent)).toEqual(['200 INVITE', '200 UPDATE'])
    expect(call.happened).toEqual(['held', 'resumed'])
    expect(call.media.asked).toEqual(['accept', 'answer', 'answer'])
  })

  it('refuses an offer that is not acceptable, and keeps the call', async () => {
    const { call, ask, sent } = await openCall()
    await ask('INVITE', 1, 'refuse')
    await ask('ACK', 1)
    expect(outline(sent)).toEqual(['488 INVITE'])
    expect(call.happened).toEqual([])
  })

  it('offers when the peer’s re-INVITE has no offer, and takes the answer of the ACK', async () => {
    const { call, ask, sent } = await openCall()
    await ask('INVITE', 1)
    await ask('ACK', 1, ANSWER)
    expect(outline(sent)).toEqual(['200 INVITE'])
    expect(call.media.asked).toEqual(['accept', 'reoffer sendrecv', 'accept'])
  })

  it('refuses offers that meet its own, and offers again later when the peer does', async () => {
    const { call, ask, sent, deliver, lastRequest, clock } = await openCall()
    const isHeld = call.hold()
    await clock.advance(0)
    await ask('INVITE', 1, OFFER)
    await ask('UPDATE', 2, OFFER)
    await deliver(answerTo(lastRequest('INVITE'), 491))
    expect(outline(sent)).toEqual(['INVITE', '491 INVITE', '491 UPDATE', 'ACK'])
    await clock.advance(4_010)
    await deliver(answerTo(lastRequest('INVITE'), 200, [], ANSWER))
    expect(await isHeld).toBe(true)
    expect(outline(sent).at(-1)).toBe('ACK')
    expect(headerOf(lastRequest('INVITE'), 'CSeq')).toBe('3 INVITE')
    expect(lastRequest('INVITE').body).toContain('a=sendonly')
    expect(call.happened).toEqual(['held'])
  })

  it('answers 500 while an offer of the peer is open, and to requests out of order', async () => {
    const { ask, sent } = await openCall()
    await ask('INVITE', 5, OFFER)
    await ask('UPDATE', 6, OFFER)
    await ask('OPTIONS', 4)
    expect(outline(sent)).toEqual(['200 INVITE', '500 UPDATE', '500 OPTIONS'])
  })

  it('sends its 200 again until the ACK arrives, and ends the call without one', async () => {
    const { ask, sent, clock, call } = await openCall()
    await ask('INVITE', 1, OFFER)
    await clock.advance(31_900)
    // At 0.5, 1.5, 3.5, 7.5 seconds, and then each 4 seconds.
    expect(outline(sent)).toEqual(Array(11).fill('200 INVITE'))
    await clock.advance(100)
    expect(outline(sent).at(-1)).toBe('BYE')
    expect(call.happened).toEqual(['ended 703 Unexpected Clearing'])
  })

  it('refuses methods, extensions and bodies that it does not take', async () => {
    const { ask, sent } = await openCall()
    await ask('INFO', 1)
    await ask('OPTIONS', 2, '', ['Require: nothingSupportsThis'])
    await ask('UPDATE', 3, 'x', ['Content-Encoding: gzip'])
    await ask('PRACK', 4)
    expect(outline(sent)).toEqual(['405 INFO', '420 OPTIONS', '415 UPDATE', '481 PRACK'])
  })
})

describe('createSessionTimer', () => {
  it('refreshes the session by UPDATE at half of the interval', async () => {
    const { sent, clock, deliver, lastRequest } = await openCall([
      'Allow: UPDATE',
      'Session-Expires: 200;refresher=uac',
    ])
    await clock.advance(100_000)
    expect(outline(sent)).toEqual(['UPDATE'])
    expect(headerOf(lastRequest('UPDATE'), 'Session-Expires')).toBe('200;refresher=uac')
    await deliver(answerTo(lastRequest('UPDATE'), 200, ['Session-Expires: 200;refresher=uac']))
    await clock.advance(100_000)
    expect(outline(sent)).toEqual(['UPDATE', 'UPDATE'])
  })

  it('ends a call that the peer does not refresh', async () => {
    const { sent, clock, call, ask } = await openCall(['Session-Expires: 90;refresher=uas'])
    await ask('UPDATE', 1, '', ['Session-Expires: 90;refresher=uac'])
    await clock.advance(59_999)
    expect(outline(sent)).toEqual(['200 UPDATE'])
    await clock.advance(1)
    expect(outline(sent)).toEqual(['200 UPDATE', 'BYE'])
    expect(call.happened).toEqual(['ended 703 Unexpected Clearing'])
  })

  it('calls again with the interval that the peer asks for, and refuses a short one', async () => {
    const { call, lastRequest, deliver } = openUserAgent()
    await call()
    await deliver(answerTo(lastRequest('INVITE'), 422, ['Min-SE: 3600']))
    expect(headerOf(lastRequest('INVITE'), 'Session-Expires')).toBe('3600')
    expect(headerOf(lastRequest('INVITE'), 'CSeq')).toBe('2 INVITE')
    const { ask, sent } = await openCall()
    await ask('UPDATE', 1, '', ['Session-Expires: 30'])
    expect(outline(sent)).toEqual(['422 UPDATE'])
  })
})
