import { randomBytes } from 'node:crypto'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { CallLeg } from '../../../../../local/sandbox/sip/media/call-audio.ts'
import { type CallMediaOptions, createCallMedia } from '../../../../../local/sandbox/sip/media/call-media.ts'
import { joined, peakOf, toneAt } from '../../../../support/media/tones.ts'

const BLOCK = 960

/** Creates one side of a call, whose blocks the test moves. */
function open(options: Partial<CallMediaOptions> = {}) {
  const digits: string[] = []
  const receiving: boolean[] = []
  let leg: CallLeg | undefined
  const media = createCallMedia({
    address: () => '127.0.0.1',
    secure: false,
    random: randomBytes,
    onDigit: (digit) => digits.push(digit),
    onReceiving: (isReceiving) => receiving.push(isReceiving),
    audio: {
      connect(connected) {
        leg = connected
        return () => {
          leg = undefined
        }
      },
    },
    ...options,
  })
  onTestFinished(media.close)
  return { media, digits, receiving, leg: () => leg as CallLeg }
}
type Side = ReturnType<typeof open>

async function connect(caller: Side, callee: Side) {
  await caller.media.accept(await callee.media.answer(await caller.media.offer()))
}
/** Lets the packets that were sent arrive. */
const arrive = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

/** Sends a tone from one side to the other in both directions, and returns what each hears. */
async function talk(one: Side, other: Side, blocks = 25) {
  const heard: [Int16Array[], Int16Array[]] = [[], []]
  for (let index = 0; index < blocks; index++) {
    for (const [place, [side, hertz]] of (
      [
        [one, 440],
        [other, 1_000],
      ] as const
    ).entries()) {
      heard[place]?.push(side.leg().take() ?? new Int16Array(BLOCK))
      side.leg().send(toneAt(hertz, BLOCK, { start: index * BLOCK }))
    }
    await arrive()
  }
  return heard.map((side) => joined(side.slice(blocks - 10))) as [Int16Array, Int16Array]
}

describe('createCallMedia', () => {
  it.each([
    ['opus/48000/2', false],
    ['PCMA/8000', false],
    ['PCMU/8000', true],
  ] as const)('carries a tone both ways with %s, secure: %s', async (codec, secure) => {
    const [caller, callee] = [open({ codecs: [codec], secure }), open({ secure })]
    await connect(caller, callee)
    const [heard, heardByCallee] = await talk(caller, callee)
    expect(peakOf(heard, 1_000)).toBeGreaterThan(6_000)
    expect(peakOf(heardByCallee, 440)).toBeGreaterThan(6_000)
    expect(peakOf(heardByCallee, 1_000)).toBeLessThan(300)
    expect(caller.receiving).toEqual([true])
    expect(caller.media.counters().audio).toMatchObject({ expected: 25, lost: 0 })
  })
  it.each(['opus/48000/2', 'PCMU/8000'] as const)('sends and receives digits with %s, each once', async (codec) => {
    const [caller, callee] = [open({ codecs: [codec] }), open()]
    await connect(caller, callee)
    caller.media.play('19*#')
    await talk(caller, callee, 50)
    expect(callee.digits).toEqual(['1', '9', '*', '#'])
    expect(caller.digits).toEqual([])
  })
  it('plays the tones of a digit to a phone that takes no telephone events', async () => {
    const [caller, callee] = [open({ codecs: ['PCMU/8000'] }), open()]
    const answer = await callee.media.answer(await caller.media.offer())
    await caller.media.accept(answer.replaceAll('telephone-event', 'unknown'))
    caller.media.play('5')
    const heard = [] as Int16Array[]
    for (let index = 0; index < 12; index++) {
      caller.leg().send(new Int16Array(BLOCK))
      await arrive()
      const block = callee.leg().take()
      if (block) heard.push(block)
    }
    const tones = heard.slice(1, 4).map((block) => [770, 1_336, 941].map((hertz) => peakOf(block, hertz) > 3_000))
    expect(tones).toContainEqual([true, true, false])
  })
  it('neither sends to a phone that holds the call nor plays it, until it resumes', async () => {
    const [caller, callee] = [open({ codecs: ['PCMU/8000'] }), open()]
    await connect(caller, callee)
    const answer = await caller.media.answer(callee.media.reoffer('inactive'))
    expect(answer).toContain('a=inactive')
    await callee.media.accept(answer)
    const [held, heldByCallee] = await talk(caller, callee)
    expect([peakOf(held, 1_000), peakOf(heldByCallee, 440)]).toEqual([0, 0])
    await callee.media.accept(await caller.media.answer(callee.media.reoffer('sendrecv')))
    const [heard] = await talk(caller, callee)
    expect(peakOf(heard, 1_000)).toBeGreaterThan(6_000)
  })
  it('requires encryption if the call is secure', async () => {
    const [caller, callee] = [open({ secure: true }), open()]
    const offer = await caller.media.offer()
    expect(offer).toMatch(/m=audio \d+ RTP\/SAVP /)
    expect(offer).toMatch(/a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:[A-Za-z0-9+/]{40}/)
    const answer = await callee.media.answer(offer)
    await expect(caller.media.accept(answer.replace('RTP/SAVP', 'RTP/AVP'))).rejects.toThrow('must be encrypted')
    await expect(caller.media.accept(answer.replace(/a=crypto.*\r\n/, ''))).rejects.toThrow('gives no key')
    const plain = open()
    await expect(caller.media.answer(await plain.media.offer())).rejects.toThrow('must be encrypted')
  })
  it('refuses video and what it does not support', async () => {
    const [caller, callee] = [open(), open()]
    const offer = await caller.media.offer()
    const video = 'm=video 4000 RTP/AVP 97\r\na=rtpmap:97 H264/90000\r\n'
    expect(await callee.media.answer(offer + video)).toContain('m=video 0 RTP/AVP 97')
    const answer = (formats: string) => `v=0\r\nc=IN IP4 127.0.0.1\r\nm=audio 4000 RTP/AVP ${formats}\r\n`
    await expect(caller.media.accept(answer('3 9'))).rejects.toThrow('neither Opus nor G.711')
    await expect(caller.media.accept(answer('0').replace('4000', '0'))).rejects.toThrow('refuses audio')
    await expect(caller.media.accept('not sdp')).rejects.toThrow('v=0')
    await caller.media.accept(answer('0 8'))
  })
  // With a pattern that goes back, this would take years.
  it('refuses a key of many parameters', async () => {
    const callee = open()
    const key = `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${'A'.repeat(40)}${'|a'.repeat(10_000)};\r\n`
    const offer = `v=0\r\nc=IN IP4 127.0.0.1\r\nm=audio 4000 RTP/SAVP 0\r\n${key}`
    await expect(callee.media.answer(offer)).rejects.toThrow('gives no key')
  })
  it('takes DTLS with the hashes of today, and offers it from then on', async () => {
    const [callee, fingerprint] = [open(), Array(32).fill('AB').join(':')]
    const dtls = (...lines: string[]) =>
      ['v=0', 'c=IN IP4 127.0.0.1', 'm=audio 4000 UDP/TLS/RTP/SAVP 0', ...lines, ''].join('\r\n')
    await expect(callee.media.answer(dtls('a=setup:actpass', 'a=fingerprint:sha-1 AB:CD'))).rejects.toThrow(
      'fingerprint',
    )
    await expect(callee.media.answer(dtls(`a=fingerprint:sha-256 ${fingerprint}`))).rejects.toThrow('setup')
    const sides = [
      ['actpass', 'active'],
      ['passive', 'active'],
      ['active', 'passive'],
    ] as const
    for (const [theirs, ours] of sides) {
      const answer = await callee.media.answer(dtls(`a=setup:${theirs}`, `a=fingerprint:SHA-256 ${fingerprint}`))
      expect(answer).toMatch(/^m=audio \d+ UDP\/TLS\/RTP\/SAVP 0\r$/m)
      expect(answer).toMatch(/^a=fingerprint:sha-256 [\dA-F]{2}(?::[\dA-F]{2}){31}\r$/m)
      expect(answer).toContain(`a=setup:${ours}`)
      expect(answer).not.toContain('a=crypto')
    }
    expect(callee.media.reoffer('sendonly')).toMatch(/UDP\/TLS\/RTP\/SAVP.*a=setup:actpass/s)
  })
})
