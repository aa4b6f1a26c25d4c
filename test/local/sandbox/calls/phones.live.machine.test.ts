import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { realClock } from '../../../../lib/clock.ts'
import { paletteIdentityOf } from '../../../../local/sandbox/media/pattern/palette.ts'
import { createSelfSignedCertificate } from '../../../support/certificates.ts'
import { measureLateness } from '../../../support/lateness.ts'
import { peakOf } from '../../../support/media/tones.ts'
import { freePort } from '../../../support/rtmp/free-port.ts'
import type { BaresipOptions } from '../../../support/sip/baresip.ts'
import { openPhoneRoom, PATIENCE } from './open-phone-room.ts'

const certificate = createSelfSignedCertificate()
const cases = [
  { transport: 'udp', codec: 'pcmu', secure: false },
  { transport: 'tcp', codec: 'pcma', secure: true },
  { transport: 'tls', codec: 'opus', secure: true },
  { transport: 'udp', codec: 'opus', secure: false },
] as const satisfies readonly BaresipOptions[]

describe('createPhones', () => {
  it.concurrent.each(cases)('talks to a phone: %o', async ({ transport, codec, secure }) => {
    await using room = await openPhoneRoom({ sip: { ca: certificate.cert } })
    const { openPhone, dial, join, call, sessionId, send, audioOf } = room
    await join(sessionId, { name: 'Ada' })
    const phone = await openPhone({ transport, codec, secure, ...(transport === 'tls' && { certificate }) })
    const called = await dial(phone, { secure, from: '15551234567@example.com' })
    const { connectionId, id } = called
    await called.until('ACTIVE')
    const meter = measureLateness()
    onTestFinished(meter.stop)
    const activeAt = realClock.now()
    const archive = await call('startArchive', { sessionId, hasVideo: false })
    await call('playDtmfToConnection', { sessionId, connectionId, digits: '1p9*#' })
    await phone.run('sndcode', '5')
    await vi.waitFor(() => expect(phone.digits()).toBe('19*#'), PATIENCE)
    const listed = await send('GET', `/sandbox/calls/${id}`)
    expect(listed.body).toMatchObject({ state: 'ACTIVE', callerNumber: '15551234567', heard: [{ digits: '1' }, {}] })
    await realClock.sleep(1_000) // of audio
    const late = meter.between(activeAt) / (realClock.now() - activeAt)
    const recorded = await audioOf(archive.body.id)
    await phone.run('hangup')
    expect(await called.ended()).toEqual({ code: 700, message: 'Normal Clearing' })

    // A machine that has other things to do leaves gaps in both directions.
    const least = (share: number) => Math.max(share / 4, share - late)
    expect(shareOf(recorded.subarray(onsetOf(recorded, 440) * 48_000), 440)).toBeGreaterThan(least(0.6))
    const { samples, rate } = await phone.end()
    const beep = paletteIdentityOf(0).tone
    // It beeps for a tenth of each second.
    expect(shareOf(samples, beep, rate)).toBeGreaterThan(least(0.06))
    expect(shareOf(samples, 440, rate)).toBe(0)
  })

  it('is on hold while the phone holds the call, and is muted and hung up', async () => {
    await using room = await openPhoneRoom()
    const { openPhone, dial, call, sessionId, callbacksOf } = room
    const phone = await openPhone()
    const called = await dial(phone, { observeForceMute: true })
    const { streamId, connectionId } = called
    await called.until('ACTIVE')
    await phone.run('hold')
    await called.until('ON_HOLD')
    await phone.run('resume')
    await called.until('ACTIVE')
    await call('muteStream', { sessionId, streamId })
    expect(await called.read()).toMatchObject({ isMuted: true, heard: [{ speech: 'A moderator has muted you.' }] })
    await phone.run('sndcode', '*')
    await phone.run('sndcode', '6')
    await vi.waitFor(async () => expect(await called.read()).toMatchObject({ isMuted: false }), PATIENCE)
    expect((await called.act({ does: 'hold' })).body).toMatchObject({
      code: 409,
      message: expect.stringContaining('real phone'),
    })
    await call('forceDisconnect', { sessionId, connectionId })
    await phone.until('CALL_CLOSED')
    expect(await called.ended()).toEqual({ code: 700, message: 'Normal Clearing' })
    const states = (await callbacksOf('call', ['callUpdated'])).map(({ state }) => state)
    expect(states.filter((state) => state !== 'RINGING')).toEqual(['DIALING', 'ACTIVE', 'ON_HOLD', 'ACTIVE', 'HANGUP'])
  })

  it.concurrent('ends as the phone refuses, and hangs up when the sandbox closes', async () => {
    await using room = await openPhoneRoom()
    const { openPhone, dial } = room
    const [busy, open] = [await openPhone({ answers: false }), await openPhone({ codec: 'opus' })]
    const refused = await dial(busy)
    await refused.until('RINGING')
    await busy.run('hangup')
    expect(await refused.ended()).toMatchObject({ code: 486 })
    const unreachable = await dial({ uri: `sip:bob@127.0.0.1:${await freePort()};transport=tcp` })
    expect(await unreachable.ended()).toMatchObject({ code: 503 })
    const unencrypted = await dial(open, { secure: true })
    expect(await unencrypted.ended()).toMatchObject({ code: 488 })
    await (await dial(open)).until('ACTIVE')
    await room.sandbox.close()
    await open.until('CALL_CLOSED')
  })
})

/** Returns the share of the audio, in parts of 25 ms, that contains a tone. */
function shareOf(audio: Int16Array, hertz: number, rate = 48_000): number {
  const length = rate / 40
  const parts = Array.from({ length: Math.floor(audio.length / length) }, (_, index) =>
    audio.subarray(index * length, (index + 1) * length),
  )
  return parts.filter((part) => peakOf(part, hertz, rate) > 2_500).length / parts.length
}

/** Returns when a tone begins, in seconds. */
function onsetOf(audio: Int16Array, hertz: number): number {
  const window = 480
  for (let start = 0; start + window <= audio.length; start += 48)
    if (peakOf(audio.subarray(start, start + window), hertz) > 4_000) return (start + window / 2) / 48_000
  throw new Error(`There is no tone of ${hertz} Hz.`)
}
