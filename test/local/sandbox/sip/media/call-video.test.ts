import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createCallMedia } from '../../../../../local/sandbox/sip/media/call-media.ts'
import { writeRtcp } from '../../../../../local/sandbox/sip/media/rtp/rtcp.ts'
import { writeRtp } from '../../../../../local/sandbox/sip/media/rtp/rtp-packet.ts'
import { createSrtpProtector, createSrtpReceiver } from '../../../../../local/sandbox/sip/media/rtp/srtp.ts'

const SSRC = 77
const [KEY, SALT] = [randomBytes(16), randomBytes(14)]
const CRYPTO = `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${Buffer.concat([KEY, SALT]).toString('base64')}`

/** Opens the media of a call with video, and the ports of a phone. */
async function open({ secure = false } = {}) {
  const happened: unknown[] = []
  let requestKeyframe = () => {}
  const media = createCallMedia({
    address: () => '127.0.0.1',
    secure,
    random: randomBytes,
    onDigit() {},
    onReceiving() {},
    audio: { connect: () => () => {} },
    codecs: ['PCMU/8000'],
    video: {
      begin(codec, request) {
        happened.push(codec)
        requestKeyframe = request
      },
      take: ({ payload }) => happened.push(Buffer.from(payload).toString()),
      show: (isShown) => happened.push(isShown),
      report: (time, timestamp) => happened.push({ time, timestamp }),
    },
  })
  const [rtp, rtcp] = [createSocket('udp4'), createSocket('udp4')]
  for (const socket of [rtp, rtcp]) {
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
  }
  onTestFinished(() => {
    media.close()
    for (const socket of [rtp, rtcp]) socket.close()
  })
  const offer = await media.offer()
  const port = Number(/m=video (\d+)/.exec(offer)?.[1])
  const protector = secure ? createSrtpProtector({ key: KEY, salt: SALT }) : undefined
  const packet = (payloadType: number, text: string, sequence = 1) =>
    writeRtp({ payloadType, marker: true, sequence, timestamp: 9_000, ssrc: SSRC, payload: Buffer.from(text) })
  return {
    media,
    offer,
    happened,
    rtcp,
    requestKeyframe: () => requestKeyframe(),
    /** Returns the description of a phone with these lines of video. */
    phone: (...video: string[]) => {
      const [audio, key] = secure ? ['RTP/SAVP', CRYPTO] : ['RTP/AVP', 'a=x']
      const lines = ['v=0', 'c=IN IP4 127.0.0.1', `m=audio 4000 ${audio} 0`, key, ...video]
      return lines.join('\r\n').replaceAll('PORT', `${rtp.address().port}`).replaceAll('RTCP', `${rtcp.address().port}`)
    },
    send(...args: Parameters<typeof packet>) {
      const plain = packet(...args)
      rtp.send(protector ? protector.rtp(plain) : plain, port, '127.0.0.1')
    },
    report(time: number) {
      const sender = { time, timestamp: 9_000, packets: 1, bytes: 1 }
      rtcp.send(writeRtcp({ ssrc: SSRC, sender, receptions: [] }, 'phone'), port + 1, '127.0.0.1')
    },
  }
}

const VP8 = ['m=video PORT RTP/AVP 98', 'a=rtcp:RTCP', 'a=rtpmap:98 VP8/90000', 'a=rtcp-fb:* nack pli']
const H264 = ['m=video PORT RTP/AVP 99', 'a=rtcp:RTCP', 'a=rtpmap:99 H264/90000', 'a=fmtp:99 packetization-mode=0']

describe('createCallMedia with video', () => {
  it('receives what the phone sends, and requests keyframes', async () => {
    const { media, offer, phone, send, report, happened, requestKeyframe, rtcp } = await open()
    expect(offer).toMatch(/m=video \d+ RTP\/AVP 97 98 99\r\n/)
    expect(offer).toContain('a=fmtp:97 profile-level-id=42e01f;packetization-mode=1')
    expect(offer).toMatch(/a=recvonly\r\n$/)
    await media.accept(phone(...VP8, 'a=sendonly'))
    send(98, 'picture')
    await vi.waitFor(() => expect(happened).toEqual(['VP8', 'picture']))
    report(5_000)
    await vi.waitFor(() => expect(happened.at(-1)).toEqual({ time: 5_000, timestamp: 9_000 }))
    const received = once(rtcp, 'message')
    requestKeyframe()
    requestKeyframe() // too soon
    const [packet] = (await received) as [Buffer]
    const pli = packet.subarray(-12)
    expect([pli[0], pli[1], pli.readUInt32BE(8)]).toEqual([0x81, 206, SSRC])
    expect(media.counters().video).toMatchObject({ frames: 1, lost: 0 })
  })
  it('requests keyframes by FIR from a phone that takes no PLI', async () => {
    const { media, phone, send, happened, requestKeyframe, rtcp } = await open()
    await media.accept(phone(...H264, 'a=rtcp-fb:99 ccm fir'))
    send(99, 'picture')
    await vi.waitFor(() => expect(happened).toEqual(['H264', 'picture']))
    const received = once(rtcp, 'message')
    requestKeyframe()
    const fir = ((await received) as [Buffer])[0].subarray(-20)
    expect([fir[0], fir[1], fir.readUInt32BE(12), fir[16]]).toEqual([0x84, 206, SSRC, 1])
  })
  it('decrypts video of a secure call', async () => {
    const { media, offer, phone, send, happened, requestKeyframe, rtcp } = await open({ secure: true })
    expect(new Set(offer.match(/inline:\S+/g)).size).toBe(2) // one of audio, another of video
    await media.accept(phone(...VP8.map((line) => line.replace('AVP', 'SAVP')), CRYPTO))
    send(98, 'picture')
    await vi.waitFor(() => expect(happened).toEqual(['VP8', 'picture']))
    const received = once(rtcp, 'message')
    requestKeyframe()
    const own = Buffer.from(/m=video[\s\S]*inline:(\S+)/.exec(offer)?.[1] ?? '', 'base64')
    const receiver = createSrtpReceiver({ key: own.subarray(0, 16), salt: own.subarray(16) })
    expect(receiver.rtcp(((await received) as [Buffer])[0])?.subarray(-12)[1]).toBe(206)
  })
  it('takes no video of a secure call that is not encrypted', async () => {
    const { media, phone, happened } = await open({ secure: true })
    await media.accept(phone(...VP8))
    expect(happened).toEqual([false])
  })
  it('is without video if the phone refuses it, and offers it no more', async () => {
    const { media, phone, happened } = await open()
    await media.accept(phone('m=video 0 RTP/AVP 97'))
    expect(happened).toEqual([false])
    expect(media.reoffer('sendrecv')).toMatch(/m=video 0 RTP\/AVP 97\r\n$/)
  })
  it('follows the offers of the phone within the call', async () => {
    const { media, phone, send, happened } = await open()
    await media.accept(phone(...VP8))
    expect(media.reoffer('inactive')).toMatch(/m=video [1-9]\d* [\s\S]*a=inactive\r\n$/)
    expect(await media.answer(phone(...H264, 'a=inactive'))).toMatch(
      /m=video [1-9]\d* RTP\/AVP 99\r\n[\s\S]*a=inactive\r\n$/,
    )
    expect(happened).toEqual([false])
    const answer = await media.answer(phone(...H264))
    expect(answer).toContain('a=fmtp:99 packetization-mode=0')
    expect(answer).toMatch(/a=recvonly\r\n$/)
    send(99, 'again')
    await vi.waitFor(() => expect(happened).toEqual([false, true, 'H264', 'again']))
    expect(await media.answer(phone(...H264.map((line) => line.replace('H264', 'H265'))))).toContain(
      'm=video 0 RTP/AVP 99',
    )
    expect(await media.answer(phone('m=application 9 UDP/BFCP *', ...H264))).toMatch(
      /m=application 0 [\s\S]*m=video [1-9]/,
    )
    expect(media.reoffer('sendrecv')).toMatch(/m=audio [1-9][\s\S]*m=application 0 [\s\S]*m=video [1-9]/)
  })
})
