import { describe, expect, it } from 'vitest'
import { ANSWER } from '../fake-media.ts'
import { answerTo, openUserAgent } from '../open-user-agent.ts'

/** Returns the times at which messages are sent until a time, in ms. */
async function timesOf(opened: Pick<ReturnType<typeof openUserAgent>, 'clock' | 'sent'>, end: number) {
  const times: number[] = []
  let count = opened.sent.length
  while ((opened.clock.nextDue() ?? end) < end) {
    await opened.clock.advance((opened.clock.nextDue() ?? end) - opened.clock.now())
    for (; count < opened.sent.length; count++) times.push(opened.clock.now())
  }
  return times
}

describe('createTransactions', () => {
  it('sends an INVITE again over UDP after intervals that double, and gives up after 32 s', async () => {
    const opened = openUserAgent()
    const made = await opened.call()
    expect(await timesOf(opened, 40_000)).toEqual([500, 1_500, 3_500, 7_500, 15_500, 31_500])
    expect(opened.clock.now()).toBe(32_000)
    expect(made.happened).toEqual(['ended 408 Request Timeout'])
  })

  it('sends nothing again over a connection, or after a provisional response', async () => {
    const overTcp = openUserAgent({ kind: 'tcp' })
    await overTcp.call()
    expect(await timesOf(overTcp, 31_000)).toEqual([])
    const ringing = openUserAgent()
    const made = await ringing.call()
    await ringing.deliver(answerTo(ringing.lastRequest('INVITE'), 180))
    expect(await timesOf(ringing, 300_000)).toEqual([])
    expect(made.happened).toEqual(['ringing'])
  })

  it('sends a BYE again at most each 4 s, and gives up after 32 s', async () => {
    const opened = openUserAgent()
    const made = await opened.call()
    await opened.deliver(answerTo(opened.lastRequest('INVITE'), 200, ['Session-Expires: 0'], ANSWER))
    await made.hangup()
    const expected = [500, 1_500, 3_500, 7_500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500]
    expect(await timesOf(opened, 40_000)).toEqual(expected)
    await opened.clock.advance(10_000)
    expect(opened.logged).toEqual([expect.stringContaining('was answered 408')])
  })

  it('ignores responses of other branches, methods and with further hops', async () => {
    const { call, lastRequest, deliver } = openUserAgent()
    const made = await call()
    const answer = answerTo(lastRequest('INVITE'), 486)
    await deliver(answer.replace(/branch=\w+/, 'branch=z9hG4bKother'))
    await deliver(answer.replace('1 INVITE', '1 OPTIONS'))
    await deliver(answer.replace(/^From/m, 'Via: SIP/2.0/UDP 255.255.255.255;branch=z9hG4bK1\r\nFrom'))
    expect(made.happened).toEqual([])
    await deliver(answer)
    expect(made.happened).toEqual(['ended 486 Answer'])
  })
})
