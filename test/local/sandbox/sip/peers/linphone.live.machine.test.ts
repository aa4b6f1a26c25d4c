import { expect, it } from 'vitest'
import { peakOf } from '../../../../support/media/tones.ts'
import { startLinphone } from '../../../../support/sip/linphone.ts'
import { callPeer } from './call-peer.ts'

const cases = [
  { transport: 'udp', secure: false },
  { transport: 'tcp', secure: true },
]

it.concurrent.for(cases)(
  'a call to Linphone carries Opus both ways: %o',
  async ({ transport, secure }, { onTestFinished }) => {
    const phone = await startLinphone({ sends: 620, secure })
    onTestFinished(phone.close)
    const call = callPeer({ uri: `${phone.uri};transport=${transport}`, secure, sends: 700 })
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
  },
)
