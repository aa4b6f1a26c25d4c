import { describe, expect, it, onTestFinished } from 'vitest'
import { createSelfSignedCertificate } from '../../../../support/certificates.ts'
import { startBaresip } from '../../../../support/sip/baresip.ts'
import { startSipProxy } from '../../../../support/sip/proxy.ts'
import { callPeer } from './call-peer.ts'

const PATIENCE = { timeout: 60_000 }

describe('a call through Kamailio and rtpengine', () => {
  it('goes over TLS to the proxy, and its media over the relay with SRTP, until either side hangs up', async () => {
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

  it.each(['muxed', 'unmuxed', 'passive'] as const)('takes DTLS-SRTP when the relay offers it: %s', async (dtls) => {
    const certificate = createSelfSignedCertificate()
    const proxy = await startSipProxy(certificate, { dtls })
    onTestFinished(proxy.close)
    const phone = await startBaresip({ codec: 'any', sends: 620 })
    onTestFinished(phone.close)
    const call = callPeer({ uri: phone.uri, sends: 700 }, { outboundProxy: proxy.uri, ca: certificate.cert })
    onTestFinished(call.close)
    await call.until('answered')
    await phone.run('hold')
    await call.until('held')
    await call.untilSilent()
    await phone.run('resume')
    await call.until('resumed')
    call.play('7') // waits for the keys. baresip records no more audio after a hold
    await call.untilHeard(620)
    await expect.poll(phone.digits, PATIENCE).toBe('7')
    for (const offer of call.offered)
      expect(offer).toMatch(/^m=audio \d+ UDP\/TLS\/RTP\/SAVP .*^a=fingerprint:sha-256/ms)
    const isMuxed = dtls !== 'unmuxed'
    expect(call.offered.map((offer) => offer.includes('a=rtcp-mux'))).toEqual([isMuxed, isMuxed])
    expect(await call.hold()).toBe(true)
    await call.untilSilent()
    expect(await call.resume()).toBe(true)
    await call.untilHeard(620)
    call.play('9')
    await expect.poll(phone.digits, PATIENCE).toBe('79')
    await call.hangup()
  })

  it.each(['MD5', 'SHA-256'] as const)('answers the challenges of Kamailio with %s', async (algorithm) => {
    const certificate = createSelfSignedCertificate()
    const password = 'wonderland'
    const proxy = await startSipProxy(certificate, { auth: { algorithm, password } })
    onTestFinished(proxy.close)
    const settings = { outboundProxy: proxy.uri, ca: certificate.cert }
    const phone = await startBaresip({ codec: 'any', sends: 620 })
    onTestFinished(phone.close)
    const unknown = callPeer({ uri: phone.uri, auth: { username: 'alice', password: 'other' }, sends: 700 }, settings)
    onTestFinished(unknown.close)
    await unknown.until('ended 407')
    expect(phone.events).not.toContain('CALL_INCOMING')
    const call = callPeer({ uri: phone.uri, auth: { username: 'alice', password }, sends: 700 }, settings)
    onTestFinished(call.close)
    await call.until('answered')
    await call.untilHeard(620)
    expect(await call.hold()).toBe(true) // the INVITE inside the call is challenged as well, and so is the BYE
    await call.hangup()
    await phone.until('CALL_CLOSED')
  })
})
