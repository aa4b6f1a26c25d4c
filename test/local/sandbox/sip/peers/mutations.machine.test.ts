import { describe, expect, it } from 'vitest'
import { parseMessage } from '../../../../../local/sandbox/sip/messages/parse-message.ts'
import { ANSWER } from '../fake-media.ts'
import { fuzzed, isAnswerable } from '../messages/fuzz.ts'
import { answerTo, openUserAgent, outline } from '../open-user-agent.ts'

describe('createUserAgent', () => {
  it('survives 10,000 mutated messages in a call, and answers only requests', async () => {
    const { agent, call, lastRequest, deliver, sent, clock } = openUserAgent()
    const made = await call()
    await deliver(answerTo(lastRequest('INVITE'), 200, [], ANSWER))
    const wrong: string[] = []
    for (const data of fuzzed(10_000, 3261)) {
      const before = sent.length
      await deliver(data)
      const parsed = parseMessage(data)
      const mayAnswer = isAnswerable(data) && ('message' in parsed || 'refused' in parsed)
      if (sent.length > before + 1 || (sent.length > before && !mayAnswer)) wrong.push(data.toString())
    }
    expect(wrong).toEqual([])
    expect(made.happened).toEqual(['answered'])
    expect(outline(sent).filter((line) => /^[12]\d\d INVITE/.test(line))).toEqual([])
    agent.close()
    expect(clock.nextDue()).toBeUndefined()
  })
})
