import { describe, expect, it } from 'vitest'
import { peakOf } from '../../../../support/media/tones.ts'
import { arrive, BLOCK, connect, openSide, talk } from './open-side.ts'

describe('createCallMedia', () => {
  it.each([
    ['opus/48000/2', false],
    ['PCMA/8000', false],
    ['PCMU/8000', true],
  ] as const)('carries a tone both ways with %s, secure: %s', async (codec, secure) => {
    const [caller, callee] = [openSide({ codecs: [codec], secure }), openSide({ secure })]
    await connect(caller, callee)
    const [heard, heardByCallee] = await talk(caller, callee)
    expect(peakOf(heard, 1_000)).toBeGreaterThan(6_000)
    expect(peakOf(heardByCallee, 440)).toBeGreaterThan(6_000)
    expect(peakOf(heardByCallee, 1_000)).toBeLessThan(300)
    expect(caller.receiving).toEqual([true])
    expect(caller.media.counters().audio).toMatchObject({ expected: 25, lost: 0 })
  })
  it.each(['opus/48000/2', 'PCMU/8000'] as const)('sends and receives digits with %s, each once', async (codec) => {
    const [caller, callee] = [openSide({ codecs: [codec] }), openSide()]
    await connect(caller, callee)
    caller.media.play('19*#')
    await talk(caller, callee, 50)
    expect(callee.digits).toEqual(['1', '9', '*', '#'])
    expect(caller.digits).toEqual([])
  })
  it('plays the tones of a digit to a phone that takes no telephone events', async () => {
    const [caller, callee] = [openSide({ codecs: ['PCMU/8000'] }), openSide()]
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
    const [caller, callee] = [openSide({ codecs: ['PCMU/8000'] }), openSide()]
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
    const [caller, callee] = [openSide({ secure: true }), openSide()]
    const offer = await caller.media.offer()
    expect(offer).toMatch(/m=audio \d+ RTP\/SAVP /)
    expect(offer).toMatch(/a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:[A-Za-z0-9+/]{40}/)
    const answer = await callee.media.answer(offer)
    await expect(caller.media.accept(answer.replace('RTP/SAVP', 'RTP/AVP'))).rejects.toThrow('must be encrypted')
    await expect(caller.media.accept(answer.replace(/a=crypto.*\r\n/, ''))).rejects.toThrow('gives no key')
    const plain = openSide()
    await expect(caller.media.answer(await plain.media.offer())).rejects.toThrow('must be encrypted')
  })
  it('refuses video and what it does not support', async () => {
    const [caller, callee] = [openSide(), openSide()]
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
    const callee = openSide()
    const key = `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${'A'.repeat(40)}${'|a'.repeat(10_000)};\r\n`
    const offer = `v=0\r\nc=IN IP4 127.0.0.1\r\nm=audio 4000 RTP/SAVP 0\r\n${key}`
    await expect(callee.media.answer(offer)).rejects.toThrow('gives no key')
  })
  it('offers the encryption that the other side asked for', async () => {
    const [caller, callee] = [openSide({ secure: true }), openSide()]
    await callee.media.answer(await caller.media.offer())
    const hold = callee.media.reoffer('sendonly')
    expect(hold).toMatch(/^m=audio \d+ RTP\/SAVP .*^a=crypto:/ms)
    const plain = 'v=0\r\nc=IN IP4 127.0.0.1\r\nm=audio 4000 RTP/AVP 0\r\n'
    await expect(callee.media.accept(plain)).rejects.toThrow('RTP/AVP, which was not offered')
    await callee.media.accept(await caller.media.answer(hold))
  })
})
