import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'vitest'
import { runFfmpeg } from '../../../../../lib/media/ffmpeg/ffmpeg.ts'
import { findFfmpeg } from '../../../../../lib/media/ffmpeg/find-ffmpeg.ts'
import { codecNames } from '../../../../../local/sandbox/sip/media/codecs/create-codec.ts'
import { createSelfSignedCertificate } from '../../../../support/certificates.ts'
import { startBaresip } from '../../../../support/sip/baresip.ts'
import { callPeer } from './call-peer.ts'

const certificate = createSelfSignedCertificate()
const cases = (['udp', 'tcp', 'tls'] as const).flatMap((transport) =>
  ([false, true, 'dtls'] as const).map((secure) => ({ transport, secure })),
)

/** The key that baresip takes as the end of another. */
const RELEASED = '\u0004'

describe('a call to baresip', () => {
  // The phone returns what it hears, so a tone that is heard went both ways.
  it.concurrent.for(cases)('carries each codec: %o', async ({ transport, secure }, { onTestFinished, expect }) => {
    const tls = transport === 'tls' && { certificate }
    const phone = await startBaresip({ transport, codec: 'any', secure, sends: 'echo', ...tls })
    onTestFinished(phone.close)
    for (const codec of codecNames) {
      const call = callPeer({ uri: phone.uri, codecs: [codec], secure, sends: 700 }, { ca: certificate.cert })
      onTestFinished(call.close)
      await call.until('answered')
      await call.untilHeard(700)
      await call.hangup()
      expect(call.happened.at(-2)).toBe('answered')
    }
  })

  it.concurrent.for(cases)(
    'carries keys both ways, and is held by either side: %o',
    async (each, { onTestFinished, expect }) => {
      const { transport, secure } = each
      const phone = await startBaresip({
        ...each,
        codec: 'any',
        sends: 620,
        ...(transport === 'tls' && { certificate }),
      })
      onTestFinished(phone.close)
      const call = callPeer({ uri: phone.uri, secure, sends: 700 }, { ca: certificate.cert })
      onTestFinished(call.close)
      await call.until('answered')
      await call.untilHeard(620)
      await phone.untilHears(700)
      call.play('1p9*#D')
      for (const key of '0A#') {
        await phone.run('sndcode', key)
        await phone.run('sndcode', RELEASED)
      }
      await call.untilPressed('0A#')
      await expect.poll(phone.digits, { timeout: 60_000 }).toBe('19*#D')
      expect(await call.hold()).toBe(true)
      await call.untilSilent()
      expect(await call.resume()).toBe(true)
      await call.untilHeard(620)
      await phone.run('hold')
      await call.until('held', 2)
      await call.untilSilent()
      await phone.run('resume')
      await call.until('resumed', 2)
      await call.untilHeard(620)
      call.play('7') // baresip records no more audio after a hold
      await expect.poll(phone.digits, { timeout: 60_000 }).toBe('19*#D7')
      await call.hangup()
    },
  )

  it.concurrent.for([false, true, 'dtls'] as const)(
    'receives its picture, secure: %s',
    async (secure, { onTestFinished }) => {
      const folder = await mkdtemp(join(tmpdir(), 'showrunner-picture-'))
      onTestFinished(() => rm(folder, { recursive: true }))
      const path = join(folder, 'picture.mkv')
      const source = ['-f', 'lavfi', '-i', 'testsrc=size=320x240:rate=25:duration=5']
      await runFfmpeg(await findFfmpeg(), [
        ...source,
        '-c:v',
        'libx264',
        '-preset',
        'ultrafast',
        '-pix_fmt',
        'yuv420p',
        path,
      ])
      const phone = await startBaresip({ codec: 'any', secure, video: { path, codec: 'any' } })
      onTestFinished(phone.close)
      const call = callPeer({ uri: phone.uri, secure, sends: 700, video: true })
      onTestFinished(call.close)
      await call.until('answered')
      await call.untilSeen(10)
      await call.hangup()
    },
  )
})
