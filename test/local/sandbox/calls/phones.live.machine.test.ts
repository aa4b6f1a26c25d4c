import { describe, expect, it, vi } from 'vitest'
import { realClock } from '../../../../lib/clock.ts'
import { paletteIdentityOf } from '../../../../local/sandbox/media/pattern/palette.ts'
import { createSelfSignedCertificate } from '../../../support/certificates.ts'
import { peakOf } from '../../../support/media/tones.ts'
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
    const archive = await call('startArchive', { sessionId, hasVideo: false })
    await call('playDtmfToConnection', { sessionId, connectionId, digits: '1p9*#' })
    await phone.run('sndcode', '5')
    await vi.waitFor(() => expect(phone.digits()).toBe('19*#'), PATIENCE)
    const listed = await send('GET', `/sandbox/calls/${id}`)
    expect(listed.body).toMatchObject({ state: 'ACTIVE', callerNumber: '15551234567', heard: [{ digits: '1' }, {}] })
    await realClock.sleep(1_000) // of audio
    const recorded = await audioOf(archive.body.id)
    await phone.run('hangup')
    expect(await called.ended()).toEqual({ code: 700, message: 'Normal Clearing' })

    expect(peakOf(recorded.subarray(-48_000), 440)).toBeGreaterThan(2_000)
    const { samples, rate } = await phone.end()
    const beep = paletteIdentityOf(0).tone
    // It beeps for a tenth of each second.
    expect(peakOf(samples.subarray(-rate), beep, rate)).toBeGreaterThan(300)
    expect(peakOf(samples.subarray(-rate), 440, rate)).toBeLessThan(100)
  })
})
