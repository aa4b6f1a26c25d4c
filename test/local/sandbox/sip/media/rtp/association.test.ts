import { describe, expect, it, vi } from 'vitest'
import { peakOf } from '../../../../../support/media/tones.ts'
import { dtlsOffer, noFingerprint, offerDtls } from '../offer-dtls.ts'
import { openSide, type Side, talk } from '../open-side.ts'

const PATIENCE = { timeout: 60_000, interval: 20 }
const fingerprint = `a=fingerprint:SHA-256 ${noFingerprint}`
const wrong = (sdp: string) => sdp.replace(/^a=fingerprint:.*$/m, fingerprint)
const unmuxed = (sdp: string) => sdp.replace('a=rtcp-mux\r\n', '')

/** Talks until both sides have heard each other, and have measured the way by RTCP. */
const untilBothHear = (caller: Side, callee: Side) =>
  vi.waitFor(async () => {
    const [heard, heardByCallee] = await talk(caller, callee)
    expect([peakOf(heard, 1_000), peakOf(heardByCallee, 440)].map((peak) => peak > 6_000)).toEqual([true, true])
    for (const { media } of [caller, callee]) expect(media.counters().audio?.latencyMs).toBeGreaterThanOrEqual(0)
  }, PATIENCE)

describe('createAssociation', () => {
  it.each([
    ['with one port', 'passive', (sdp: string) => sdp],
    ['with one port', 'active', (sdp: string) => sdp.replace('a=setup:actpass', 'a=setup:passive')],
    ['with two ports', 'passive', unmuxed],
  ])('encrypts audio, keys and RTCP %s, answering %s', async (_, setup, change) => {
    const [caller, callee] = [openSide({ codecs: ['PCMU/8000'] }), openSide()]
    const answer = await callee.media.answer(change(await offerDtls(caller.media)))
    expect(answer).toContain(`a=setup:${setup}`)
    await caller.media.accept(answer)
    caller.media.play('19') // they wait for the keys
    await untilBothHear(caller, callee)
    expect(callee.digits).toEqual(['1', '9'])
    await callee.media.accept(await caller.media.answer(callee.media.reoffer('sendrecv')))
    await untilBothHear(caller, callee)
  })

  it('lets nothing pass between sides of which one has another certificate', async () => {
    const [caller, callee] = [openSide({ codecs: ['PCMU/8000'] }), openSide()]
    const answer = await callee.media.answer(await offerDtls(caller.media))
    await caller.media.accept(answer)
    await untilBothHear(caller, callee)
    const reoffer = caller.media.reoffer('sendrecv')
    await caller.media.accept(wrong(await callee.media.answer(reoffer)))
    await talk(caller, callee) // plays what had arrived
    const [heard, heardByCallee] = await talk(caller, callee)
    expect([peakOf(heard, 1_000), peakOf(heardByCallee, 440)]).toEqual([0, 0])
  })

  it('refuses an offer without a role, or with a fingerprint of SHA-1 alone', async () => {
    const { media } = openSide()
    await expect(media.answer(dtlsOffer('a=setup:actpass', 'a=fingerprint:sha-1 AB:CD'))).rejects.toThrow('fingerprint')
    await expect(media.answer(dtlsOffer(fingerprint))).rejects.toThrow('setup')
  })
})
