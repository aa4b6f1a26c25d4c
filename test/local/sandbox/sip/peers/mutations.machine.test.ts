import { describe, expect, it } from 'vitest'
import type { SipRequest } from '../../../../../local/sandbox/sip/messages/message.ts'
import { parseMessage } from '../../../../../local/sandbox/sip/messages/parse-message.ts'
import { ANSWER, OFFER } from '../fake-media.ts'
import { fuzzed, isAnswerable } from '../messages/fuzz.ts'
import { answerTo, openUserAgent, outline, requestOf } from '../open-user-agent.ts'

const COUNT = 10_000

/** Opens a call, and delivers messages. `wrong` are those after which more was sent than one answer to a request. */
async function survive(messagesOf: (invite: SipRequest) => Iterable<Buffer>) {
  const opened = openUserAgent()
  const { call, lastRequest, deliver, sent, clock } = opened
  const made = await call()
  await deliver(answerTo(lastRequest('INVITE'), 200, [], ANSWER))
  await clock.advance(64_000) // the transaction of the INVITE has ended
  expect(clock.nextDue()).toBeUndefined()
  const wrong: string[] = []
  for (const data of messagesOf(lastRequest('INVITE'))) {
    const before = sent.length
    await deliver(data)
    const parsed = parseMessage(data)
    const mayAnswer = isAnswerable(data) && ('message' in parsed || 'refused' in parsed)
    if (sent.length > before + 1 || (sent.length > before && !mayAnswer)) wrong.push(data.toString())
  }
  return { ...opened, made, wrong }
}

describe('createUserAgent', () => {
  it('survives 10,000 mutated messages beside a call, answers only requests, and keeps nothing of them', async () => {
    const { made, wrong, sent, clock } = await survive(() => fuzzed(COUNT, 3261))
    expect(wrong).toEqual([])
    expect(made.happened).toEqual(['answered'])
    expect(outline(sent).filter((line) => /^[12]\d\d INVITE/.test(line))).toEqual([])
    expect(clock.nextDue()).toBeUndefined() // neither a transaction nor a timer
  })

  it('survives 10,000 mutated messages inside a call, and keeps nothing of them', async () => {
    const { made, wrong, sent, clock } = await survive((invite) => {
      const methods = ['OPTIONS', 'PRACK', 'INFO', 'CANCEL', 'ACK', 'MESSAGE']
      const requests = methods.map((method, at) => requestOf(invite, method, at))
      const offers = ['INVITE', 'UPDATE'].map((method, at) => requestOf(invite, method, 10 + at, [], OFFER))
      const responses = [180, 200, 401, 486].map((status) => answerTo(invite, status, [], ANSWER))
      return fuzzed(COUNT, 3262, [...requests, ...offers, ...responses])
    })
    expect(wrong).toEqual([])
    expect(made.happened[0]).toBe('answered')
    const answers = new Set(outline(sent))
    for (const answer of ['200 OPTIONS', '405 INFO', '500 UPDATE', '481 CANCEL']) expect(answers).toContain(answer)
    await clock.advance(200_000) // an unconfirmed 2xx to a re-INVITE ends the call, and its BYE is given up
    expect(clock.nextDue()).toBeUndefined()
  })
})
