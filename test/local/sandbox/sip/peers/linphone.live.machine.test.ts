import { expect, it, onTestFinished } from 'vitest'
import type { UserAgentSettings } from '../../../../../local/sandbox/sip/user-agent.ts'
import { createSelfSignedCertificate } from '../../../../support/certificates.ts'
import { peakOf } from '../../../../support/media/tones.ts'
import { type Linphone, startLinphone } from '../../../../support/sip/linphone.ts'
import { startSipProxy } from '../../../../support/sip/proxy.ts'
import { callPeer } from './call-peer.ts'

it.each([
  { transport: 'udp', secure: false },
  { transport: 'tcp', secure: true },
])('a call to Linphone carries Opus both ways: %o', async ({ transport, secure }) => {
  const phone = await startLinphone({ sends: 620, secure })
  onTestFinished(phone.close)
  await talk(phone, { transport, secure })
})

it.each([false, true])('a call to Linphone over TLS carries Opus both ways, with SRTP: %o', async (secure) => {
  const certificate = createSelfSignedCertificate()
  const proxy = await startSipProxy(certificate)
  onTestFinished(proxy.close)
  const registrar = { port: proxy.tlsPort, ca: certificate.cert }
  const phone = await startLinphone({ sends: 620, secure, registrar })
  onTestFinished(phone.close)
  await talk(phone, { transport: 'tls', secure }, { ca: certificate.cert })
})

it('neither side takes a certificate of another authority', async () => {
  const [certificate, other] = [createSelfSignedCertificate(), createSelfSignedCertificate()]
  const proxy = await startSipProxy(certificate)
  onTestFinished(proxy.close)
  const port = proxy.tlsPort
  await expect(startLinphone({ registrar: { port, ca: other.cert } })).rejects.toThrow('refuses the certificate')
  const phone = await startLinphone({ registrar: { port, ca: certificate.cert } })
  onTestFinished(phone.close)
  const call = callPeer({ uri: `${phone.uri};transport=tls`, sends: 700 }, { ca: other.cert })
  onTestFinished(call.close)
  await call.until('ended 503')
})

/** Calls a phone that sends 620 Hz, until it hangs up, and searches the tone of this side in what it has heard. */
async function talk(
  phone: Linphone,
  { transport, secure }: { readonly transport: string; readonly secure: boolean },
  settings: Partial<UserAgentSettings> = {},
) {
  const call = callPeer({ uri: `${phone.uri};transport=${transport}`, secure, sends: 700 }, settings)
  onTestFinished(call.close)
  await call.until('answered')
  await call.untilHeard(620)
  await phone.untilRecorded()
  phone.hangup()
  await call.until('ended 700')
  const { samples, rate } = await phone.end()
  const windows = Array.from({ length: Math.floor((samples.length * 20) / rate) }, (_, index) =>
    peakOf(samples.subarray((index * rate) / 20, ((index + 1) * rate) / 20), 700, rate),
  )
  expect(Math.max(...windows)).toBeGreaterThan(1_000)
}
