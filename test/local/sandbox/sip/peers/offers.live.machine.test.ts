import { describe, expect, it } from 'vitest'
import { callPeer } from './call-peer.ts'
import { answer, receive, receiveStatus, request, startSipp } from './sipp.ts'

const answered = [receive('INVITE'), answer('200 OK', { sdp: [], retrans: 500 }), '<recv request="ACK" crlf="true"/>']
const bye = [receive('BYE', 'inside'), answer('200 OK', { to: 'inside' })]
const found = (regexp: string, where: string) =>
  `<ereg regexp="${regexp}" ${where} check_it="true" assign_to="found${regexp.replace(/\W/g, '')}"/>`
const inBody = 'search_in="body"'
const inWarning = 'search_in="hdr" header="Warning:"'

const unknown = ['m=audio 49170 UDP/DTLS/RTP/SAVP 0', 'a=rtpmap:0 PCMU/8000']
const video = ['m=video 49172 RTP/AVP 97 98', 'a=rtpmap:97 H264/90000', 'a=rtpmap:98 VP8/90000']

describe('an offer of SIPp inside a call', () => {
  it('is refused if its encryption is unknown, and the call continues', async ({ onTestFinished }) => {
    const sipp = await startSipp('udp', [
      ...answered,
      request('INVITE', 1, unknown),
      receiveStatus(488, found('399 .*UDP.DTLS.RTP.SAVP', inWarning)),
      request('ACK', 1, undefined, 'branch-2'),
      request('INVITE', 2, ['a=sendonly']),
      receiveStatus(200),
      request('ACK', 2),
      ...bye,
    ])
    const call = callPeer({ uri: sipp.uri, sends: 700 })
    onTestFinished(call.close)
    await call.until('held')
    await call.hangup()
    await sipp.done
    expect(call.happened).toEqual(['answered', 'held', 'ended 700'])
  })

  it('is accepted without its video', async ({ onTestFinished }) => {
    const sipp = await startSipp('udp', [
      ...answered,
      request('INVITE', 1, ['a=sendonly', ...video]),
      receiveStatus(200, found('m=audio [1-9]', inBody) + found('m=video 0 RTP.AVP 97 98', inBody)),
      request('ACK', 1),
      ...bye,
    ])
    const call = callPeer({ uri: sipp.uri, sends: 700 })
    onTestFinished(call.close)
    await call.until('held')
    await call.hangup()
    await sipp.done
  })
})
