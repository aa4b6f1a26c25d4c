import { describe, expect, it } from 'vitest'
import { fieldsOf, headerOf } from '../../../../local/sandbox/sip/messages/headers.ts'
import type { SipResponse } from '../../../../local/sandbox/sip/messages/message.ts'
import { ANSWER } from './fake-media.ts'
import { torture } from './messages/torture.ts'
import { answerTo, openUserAgent, outline, requestOf } from './open-user-agent.ts'

describe('createUserAgent', () => {
  it('calls, acknowledges the answer and hangs up', async () => {
    const { call, lastRequest, deliver, sent } = openUserAgent()
    const made = await call({ headers: { 'X-Show': 'keynote' } })
    const invite = lastRequest('INVITE')
    expect(headerOf(invite, 'X-Show')).toBe('keynote')
    await deliver(answerTo(invite, 180))
    await deliver(answerTo(invite, 180))
    await deliver(answerTo(invite, 200, [], ANSWER))
    await made.hangup()
    await deliver(answerTo(lastRequest('BYE'), 200))
    expect(made.happened).toEqual(['ringing', 'answered', 'ended 700 Normal Clearing'])
    expect(made.media.asked).toEqual(['accept', 'close'])
    expect(outline(sent)).toEqual(['INVITE', 'ACK', 'BYE'])
    expect(headerOf(lastRequest('BYE'), 'CSeq')).toBe('2 BYE')
  })

  it('routes requests inside the call by Record-Route, and to the peer’s Contact', async () => {
    const { call, lastRequest, deliver } = openUserAgent()
    await call()
    const routes = ['Record-Route: <sip:near.example;lr>, <sip:far.example;lr>', 'Contact: <sip:desk@127.0.0.9>']
    await deliver(answerTo(lastRequest('INVITE'), 200, routes.toReversed(), ANSWER))
    expect(lastRequest('ACK').uri).toBe('sip:desk@127.0.0.9')
    expect(fieldsOf(lastRequest('ACK'), 'Route')).toEqual(['<sip:far.example;lr>', '<sip:near.example;lr>'])
  })

  it('addresses a strict router by the request URI', async () => {
    const { call, lastRequest, deliver } = openUserAgent()
    await call()
    await deliver(answerTo(lastRequest('INVITE'), 200, ['Record-Route: <sip:strict.example>'], ANSWER))
    expect(lastRequest('ACK').uri).toBe('sip:strict.example')
    expect(fieldsOf(lastRequest('ACK'), 'Route')).toEqual(['<sip:bob@127.0.0.1:5060>'])
  })

  it('sends the first request through an outbound proxy', async () => {
    const { call, lastRequest } = openUserAgent({ outboundProxy: 'sip:127.0.0.2' })
    await call()
    expect(fieldsOf(lastRequest('INVITE'), 'Route')).toEqual(['<sip:127.0.0.2;lr>'])
  })

  it('refuses hosts that are neither loopback nor allowed', async () => {
    const { agent } = openUserAgent({ allow: ['pbx.example'] })
    const hosts = [
      '127.0.0.1',
      '[::1]',
      'localhost',
      'pbx.example',
      'PBX.example:5070',
      'example.com',
      '127.0.0.1.example',
    ]
    expect(hosts.filter((host) => agent.reaches(`sip:bob@${host}`))).toEqual(hosts.slice(0, 5))
  })

  it.each([
    [486, 'ended 486 Answer'],
    [302, 'ended 302 Answer'],
    [603, 'ended 603 Answer'],
  ])('ends a call that is answered %i with it, and acknowledges it', async (status, ended) => {
    const { call, lastRequest, deliver, sent } = openUserAgent()
    const made = await call()
    const invite = lastRequest('INVITE')
    await deliver(answerTo(invite, status, ['Contact: <sip:other@example.com>']))
    await deliver(answerTo(invite, status))
    expect(made.happened).toEqual([ended])
    expect(outline(sent)).toEqual(['INVITE', 'ACK', 'ACK'])
    expect(headerOf(lastRequest('ACK'), 'Via')).toBe(headerOf(invite, 'Via'))
    expect(headerOf(lastRequest('ACK'), 'To')).toContain('tag=peer')
  })

  it('cancels a call that rings', async () => {
    const { call, lastRequest, deliver, sent, clock } = openUserAgent()
    const made = await call()
    const invite = lastRequest('INVITE')
    await made.hangup()
    await clock.advance(100)
    expect(outline(sent)).toEqual(['INVITE'])
    await deliver(answerTo(invite, 180))
    await deliver(answerTo(lastRequest('CANCEL'), 200))
    await deliver(answerTo(invite, 487))
    expect(outline(sent)).toEqual(['INVITE', 'CANCEL', 'ACK'])
    expect(made.happened).toEqual(['ended 487 Request Terminated'])
  })

  it('ends with a BYE a call that is answered as it is cancelled', async () => {
    const { call, lastRequest, deliver, sent } = openUserAgent()
    const made = await call()
    await deliver(answerTo(lastRequest('INVITE'), 180))
    await made.hangup()
    await deliver(answerTo(lastRequest('INVITE'), 200, [], ANSWER))
    expect(outline(sent)).toEqual(['INVITE', 'CANCEL', 'ACK', 'BYE'])
    expect(made.happened).toEqual(['ringing', 'ended 487 Request Terminated'])
  })

  it('ends a call whose answer is not acceptable with a BYE that gives the reason', async () => {
    const { call, lastRequest, deliver, sent } = openUserAgent()
    const made = await call()
    await deliver(answerTo(lastRequest('INVITE'), 200, [], 'refuse'))
    expect(outline(sent)).toEqual(['INVITE', 'ACK', 'BYE'])
    expect(headerOf(lastRequest('BYE'), 'Reason')).toBe('SIP;cause=488')
    expect(made.happened).toEqual(['ended 488 Not Acceptable Here'])
  })

  it('keeps the first of two answers that a proxy forked, and ends the other', async () => {
    const { call, lastRequest, deliver, sent } = openUserAgent()
    const made = await call()
    const answer = answerTo(lastRequest('INVITE'), 200, [], ANSWER)
    await deliver(answer)
    await deliver(answer.replace('tag=peer', 'tag=other'))
    await deliver(answer)
    expect(outline(sent)).toEqual(['INVITE', 'ACK', 'ACK', 'BYE', 'ACK'])
    expect(headerOf(lastRequest('BYE'), 'To')).toContain('tag=other')
    expect(made.happened).toEqual(['answered'])
  })

  it('answers the peer’s BYE, also when it crosses its own', async () => {
    const { call, lastRequest, deliver, sent } = openUserAgent()
    const made = await call()
    const invite = lastRequest('INVITE')
    await deliver(answerTo(invite, 200, [], ANSWER))
    await made.hangup()
    await deliver(requestOf(invite, 'BYE', 1))
    await deliver(requestOf(invite, 'BYE', 1))
    expect(outline(sent)).toEqual(['INVITE', 'ACK', 'BYE', '200 BYE', '200 BYE'])
    expect(made.happened).toEqual(['answered', 'ended 700 Normal Clearing'])
  })

  it('ends calls over a connection that is lost before the answer', async () => {
    const { call, lose } = openUserAgent({ kind: 'tcp' })
    const made = await call()
    lose()
    expect(made.happened).toEqual(['ended 503 Service Unavailable'])
  })

  it('plays early media once, and sends PRACK for each reliable response in order', async () => {
    const { call, lastRequest, deliver, sent } = openUserAgent()
    const made = await call()
    const invite = lastRequest('INVITE')
    const reliable = (rseq: number) => ['Require: 100rel', `RSeq: ${rseq}`]
    await deliver(answerTo(invite, 183, reliable(7), ANSWER))
    await deliver(answerTo(invite, 183, reliable(7), ANSWER))
    await deliver(answerTo(invite, 180, reliable(9)))
    await deliver(answerTo(invite, 180, reliable(8)))
    await deliver(answerTo(invite, 200, [], ANSWER))
    expect(outline(sent)).toEqual(['INVITE', 'PRACK', 'PRACK', 'ACK'])
    expect(headerOf(lastRequest('PRACK'), 'RAck')).toBe('8 1 INVITE')
    expect(made.happened).toEqual(['ringing', 'earlyMedia', 'answered'])
    expect(made.media.asked).toEqual(['accept'])
  })

  it('answers OPTIONS and refuses calls and unknown methods outside of a call', async () => {
    const { call, lastRequest, deliver, sent } = openUserAgent()
    await call()
    const invite = lastRequest('INVITE')
    const outside = (method: string) => requestOf(invite, method, 9).replace(/^(To: .*);tag=.*$/m, '$1')
    for (const method of ['OPTIONS', 'INVITE', 'REGISTER', 'DANCE', 'BYE', 'ACK']) await deliver(outside(method))
    expect(outline(sent).slice(1)).toEqual(['200 OPTIONS', '403 INVITE', '405 REGISTER', '501 DANCE', '481 BYE'])
    expect(headerOf(sent[1] as SipResponse, 'Allow')).toContain('UPDATE')
  })

  it.each(torture)('answers section $section of RFC 4475 with $answers: $name', async ({ text, answers }) => {
    const { deliver, sent, clock } = openUserAgent()
    await deliver(text)
    expect(sent.map((message) => 'status' in message && message.status)).toEqual(answers)
    expect(clock.nextDue()).toBeUndefined()
  })

  it('keeps nothing of a flood of requests outside of calls, and answers repeated ones alike', async () => {
    const { call, lastRequest, deliver, sent, clock } = openUserAgent()
    await call()
    await deliver(answerTo(lastRequest('INVITE'), 200, [], ANSWER))
    await clock.advance(64_000)
    const stray = requestOf(lastRequest('INVITE'), 'OPTIONS', 1).replace(/^(To: .*);tag=.*$/m, '$1')
    for (let index = 0; index < 1_000; index++) await deliver(stray.replace('branch=z9hG4bK', `branch=z9hG4bK${index}`))
    await deliver(stray)
    await deliver(stray)
    expect(clock.nextDue()).toBeUndefined()
    expect(sent.at(-1)).toEqual(sent.at(-2))
    expect(outline(sent).filter((line) => line === '200 OPTIONS')).toHaveLength(1_002)
  })
})
