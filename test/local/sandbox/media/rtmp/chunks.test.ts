import { describe, expect, it } from 'vitest'
import {
  createChunkReader,
  messageTypes,
  type RtmpMessage,
  writeMessage,
} from '../../../../../local/sandbox/media/rtmp/chunks.ts'

const message = (type: number, time: number, length: number): RtmpMessage => ({
  ...{ type, time, stream: 1 },
  body: Buffer.from(Array.from({ length }, (_, index) => index % 251)),
})
const written = (messages: readonly RtmpMessage[], chunkSize: number) =>
  Buffer.concat(messages.flatMap((each) => writeMessage(each, chunkSize)))
const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')

describe('writeMessage', () => {
  it('starts with the full header and continues with one byte of header per chunk', () => {
    expect(written([{ type: 9, time: 258, stream: 1, body: Buffer.from('abcde') }], 4).toString('hex')).toBe(
      hex('06 000102 000005 09 01000000 61626364 c6 65').toString('hex'),
    )
  })

  it('repeats a time of more than 4.6 h in every chunk', () => {
    expect(written([{ type: 8, time: 0x01000000, stream: 1, body: Buffer.from('abc') }], 2).toString('hex')).toBe(
      hex('04 ffffff 000003 08 01000000 01000000 6162 c4 01000000 63').toString('hex'),
    )
  })
})

describe('createChunkReader', () => {
  it('reads written messages in pieces of any size', () => {
    const messages = [message(20, 0, 300), message(8, 40, 7), message(9, 20_000_000, 500), message(9, 20_000_040, 0)]
    const bytes = written(messages, 128)
    const read = createChunkReader()
    const byByte = [...bytes].flatMap((byte) => read(Buffer.of(byte)))
    expect(byByte).toEqual(messages)
    expect(createChunkReader()(bytes)).toEqual(messages)
  })

  it('applies a new chunk size', () => {
    const size = { ...message(messageTypes.setChunkSize, 0, 0), body: hex('00001000') }
    expect(createChunkReader()(written([size, message(9, 0, 4000)], 4096))).toEqual([message(9, 0, 4000)])
  })

  it('fills in what shorter headers leave out', () => {
    const read = createChunkReader()
    const [first] = read(hex('03 000064 000001 14 01000000 aa'))
    const [sameStream] = read(hex('43 00000a 000002 12 bbbb'))
    const [sameLength] = read(hex('83 000005 cccc'))
    const [sameAll] = read(hex('c3 dddd'))
    expect([first, sameStream, sameLength, sameAll].map((each) => [each?.time, each?.type, each?.stream])).toEqual([
      [100, 20, 1],
      [110, 18, 1],
      [115, 18, 1],
      [120, 18, 1],
    ])
  })

  it('limits the number of chunk streams', () => {
    const read = createChunkReader()
    const begin = (id: number) =>
      read(Buffer.concat([Buffer.of(id), hex('000000 0000ff 14 01000000'), Buffer.alloc(128)]))
    for (let id = 2; id < 34; id++) expect(begin(id)).toEqual([])
    expect(begin(2)).toEqual([])
    expect(() => begin(34)).toThrow('The server used more than 32 chunk streams.')
  })

  it('reads chunk streams of two and three bytes', () => {
    const read = createChunkReader()
    expect(read(hex('00 05 000000 000001 14 00000000 aa'))).toHaveLength(1)
    expect(read(hex('01 0501 000000 000001 14 00000000 aa'))).toHaveLength(1)
  })

  it('drops an aborted message', () => {
    const read = createChunkReader()
    const [head, extension, start] = writeMessage(message(20, 0, 300), 128)
    read(Buffer.concat([head, extension, start] as Buffer[]))
    expect(read(written([{ ...message(messageTypes.abort, 0, 0), body: hex('00000003') }], 128))).toEqual([])
    expect(read(written([message(20, 0, 5)], 128))).toEqual([message(20, 0, 5)])
  })

  it.each([
    ['more than 1 MB', '03 000000 ffffff 14 00000000'],
    ['does not continue a message', 'c3 00'],
    ['impossible chunk size', '02 000000 000004 01 00000000 00000000'],
    ['incomplete', '02 000000 000001 01 00000000 00'],
  ])('refuses a violation of the protocol: %s', (what, bytes) => {
    expect(() => createChunkReader()(hex(bytes))).toThrow(what)
  })
})
