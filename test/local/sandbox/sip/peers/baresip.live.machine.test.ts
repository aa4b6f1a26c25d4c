import { describe, expect, it } from 'vitest'
import { codecNames } from '../../../../../local/sandbox/sip/media/codecs/create-codec.ts'
import { createSelfSignedCertificate } from '../../../../support/certificates.ts'
import { startBaresip } from '../../../../support/sip/baresip.ts'
import { callPeer } from './call-peer.ts'

const certificate = createSelfSignedCertificate()
const cases = (['udp', 'tcp', 'tls'] as const).flatMap((transport) =>
  [false, true].map((secure) => ({ transport, secure })),
)

describe('a call to baresip', () => {
  // The phone returns what it hears, so a tone that is heard went both ways.
  it.concurrent.for(cases)('carries each codec: %o', async ({ transport, secure }, { onTestFinished }) => {
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
})
