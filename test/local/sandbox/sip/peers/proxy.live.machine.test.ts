import { describe, expect, it } from 'vitest'
import { createSelfSignedCertificate } from '../../../../support/certificates.ts'
import { startBaresip } from '../../../../support/sip/baresip.ts'
import { startSipProxy } from '../../../../support/sip/proxy.ts'
import { callPeer } from './call-peer.ts'

describe('a call through Kamailio and rtpengine', () => {
  it('goes over TLS to the proxy, and its media over the relay with SRTP, until either side hangs up', async ({
    onTestFinished,
  }) => {
    const certificate = createSelfSignedCertificate()
    const proxy = await startSipProxy(certificate)
    onTestFinished(proxy.close)
    const settings = { outboundProxy: proxy.uri, ca: certificate.cert }
    const cases = [
      { transport: 'udp', secure: false },
      { transport: 'udp', secure: true },
      { transport: 'tcp', secure: true },
    ] as const
    for (const { transport, secure } of cases) {
      const phone = await startBaresip({ transport, codec: 'any', secure, sends: 'echo' })
      onTestFinished(phone.close)
      const call = callPeer({ uri: phone.uri, secure, sends: 700 }, settings)
      onTestFinished(call.close)
      await call.until('answered')
      await call.untilHeard(700) // the phone returns it
      expect(await proxy.relayed()).toBe(1)
      await phone.run('hold')
      await call.until('held')
      await phone.run('resume')
      await call.until('resumed')
      if (transport === 'udp') {
        await phone.run('hangup')
        await call.until('ended 700')
      } else {
        await call.hangup()
        await phone.until('CALL_CLOSED')
      }
      await expect.poll(proxy.relayed, { timeout: 60_000 }).toBe(0)
    }
  })
})
