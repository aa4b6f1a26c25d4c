import { describe, expect, it } from 'vitest'
import { parseMessage } from '../../../../../local/sandbox/sip/messages/parse-message.ts'
import { writeMessage } from '../../../../../local/sandbox/sip/messages/write-message.ts'
import { fuzzed, isAnswerable } from './fuzz.ts'
import { message, tortuous, torture } from './torture.ts'

const read = (text: string | Buffer) => parseMessage(Buffer.from(text))

describe('parseMessage', () => {
  it.each(torture)('finds $expected for section $section of RFC 4475: $name', ({ text, expected }) => {
    const parsed = read(text)
    const found = 'message' in parsed ? 'valid' : 'refused' in parsed ? parsed.status : 'dropped'
    expect(found).toBe(expected)
  })

  it('reads compact names, folded lines and quoted commas', () => {
    const parsed = read(tortuous)
    if (!('message' in parsed)) throw new Error(parsed.problem)
    const { headers } = parsed.message
    expect(headers.find(({ name }) => name === 'Call-ID')?.value).toBe('tortuous.1@host.example')
    expect(headers.filter(({ name }) => name === 'Via')).toHaveLength(2)
    expect(headers.find(({ name }) => name === 'To')?.value).toContain('"J, \\"Rose\\""')
  })

  it('ignores bytes after the body of a datagram', () => {
    const parsed = read(`${message({ body: 'v=0' })}INVITE sip:again@host.example SIP/2.0\r\n`)
    expect('message' in parsed && parsed.message.body).toBe('v=0')
  })

  it('reads what writeMessage writes', () => {
    const first = read(message({ body: 'v=0' }))
    if (!('message' in first)) throw new Error(first.problem)
    const headers = first.message.headers.filter(({ name }) => name !== 'Content-Length')
    const written = read(writeMessage({ ...first.message, headers }))
    expect(written).toEqual({ message: first.message })
  })

  it('survives 1,000 mutated messages, and refuses only requests that can be answered', () => {
    const counts = { valid: 0, refused: 0, dropped: 0 }
    const wrong: string[] = []
    for (const data of fuzzed(1_000, 4475)) {
      const parsed = parseMessage(data)
      counts['message' in parsed ? 'valid' : 'refused' in parsed ? 'refused' : 'dropped']++
      if ('refused' in parsed && !isAnswerable(data)) wrong.push(data.toString())
    }
    expect(wrong).toEqual([])
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(10)
  })
})
