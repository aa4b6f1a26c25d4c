import { describe, expect, it } from 'vitest'
import { createStreamSplitter } from '../../../../../local/sandbox/sip/messages/split-stream.ts'
import { message } from './torture.ts'

/** Returns the messages of a connection, and whether it was given up. */
function split(...chunks: readonly (string | Buffer)[]) {
  const messages: string[] = []
  let isBroken = false
  const take = createStreamSplitter(
    (data) => messages.push(data.toString()),
    () => {
      isBroken = true
    },
  )
  for (const chunk of chunks) take(Buffer.from(chunk))
  return { messages, isBroken }
}

describe('createStreamSplitter', () => {
  it('divides messages that arrive in pieces, and skips line breaks between them', () => {
    const [one, other] = [message({ body: 'v=0' }), message()]
    const pieces = [...`\r\n\r\n${one}\r\n${other}`]
    expect(split(...pieces)).toEqual({ messages: [one, other], isBroken: false })
  })

  it('gives up a header or a body of more than 65,535 bytes, and a length that is unclear', () => {
    expect(split('a'.repeat(65_535)).isBroken).toBe(false)
    expect(split('a'.repeat(65_536)).isBroken).toBe(true)
    for (const length of ['65535', '-1', '', '1e3', '0\r\nl: 1'])
      expect(split(message({ fields: { 'Content-Length': length } })).isBroken).toBe(true)
  })

  // With a pattern that goes back, this would take hours.
  it('reads fields of many spaces', () => {
    const spaces = ' '.repeat(60_000)
    expect(split(message({ fields: { 'Content-Length': `0${spaces}x` } })).isBroken).toBe(true)
    expect(split(message({ fields: { 'Content-Length': `${spaces}0${spaces.slice(5_000)}` } })).messages).toHaveLength(
      0,
    )
  })
})
