import { RtmpError } from './rtmp-error.ts'

/** Values of commands: Action Message Format 0, as far as RTMP commands use it. */
export type AmfValue = number | boolean | string | null | undefined | AmfObject | readonly AmfValue[]
export interface AmfObject {
  readonly [key: string]: AmfValue
}

const NUMBER = 0
const BOOLEAN = 1
const STRING = 2
const OBJECT = 3
const NULL = 5
const UNDEFINED = 6
const ECMA_ARRAY = 8
const OBJECT_END = 9
const STRICT_ARRAY = 10
const LONG_STRING = 12

/** Maximum depth of objects within objects. */
const MAX_DEPTH = 8

/** Encodes the values of a command. @throws {@link RtmpError} for a string of more than 64 KB */
export function encodeAmf(...values: readonly AmfValue[]): Buffer {
  return Buffer.concat(values.map(encodeValue))
}

function encodeValue(value: AmfValue): Buffer {
  if (value === null || value === undefined) return Buffer.of(value === null ? NULL : UNDEFINED)
  if (typeof value === 'boolean') return Buffer.of(BOOLEAN, Number(value))
  if (typeof value === 'string') return Buffer.concat([Buffer.of(STRING), encodeText(value)])
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(9)
    bytes.writeDoubleBE(value, 1)
    return bytes
  }
  if (Array.isArray(value)) {
    const head = Buffer.of(STRICT_ARRAY, 0, 0, 0, 0)
    head.writeUInt32BE(value.length, 1)
    return Buffer.concat([head, ...value.map(encodeValue)])
  }
  const fields = Object.entries(value as AmfObject).flatMap(([key, field]) => [encodeText(key), encodeValue(field)])
  return Buffer.concat([Buffer.of(OBJECT), ...fields, Buffer.of(0, 0, OBJECT_END)])
}

function encodeText(text: string): Buffer {
  const bytes = Buffer.from(text)
  if (bytes.length > 0xffff) throw new RtmpError('A text is too long to be sent: the maximum is 64 KB.')
  return Buffer.concat([Buffer.of(bytes.length >> 8, bytes.length & 0xff), bytes])
}

/** Decodes all values of a command. @throws {@link RtmpError} for an incomplete command or an unknown type of value */
export function decodeAmf(bytes: Buffer): AmfValue[] {
  const reader = { bytes, at: 0 }
  const values: AmfValue[] = []
  try {
    while (reader.at < bytes.length) values.push(decodeValue(reader, 0))
  } catch (error) {
    if (error instanceof RangeError) throw new RtmpError('The server sent an incomplete command.')
    throw error
  }
  return values
}

interface Reader {
  readonly bytes: Buffer
  at: number
}

function decodeValue(reader: Reader, depth: number): AmfValue {
  const { bytes } = reader
  const take = (length: number) => {
    reader.at += length
    return reader.at - length
  }
  if (depth > MAX_DEPTH) throw new RtmpError('The server sent a command that is nested too deeply.')
  const type = bytes.readUInt8(take(1))
  switch (type) {
    case NUMBER:
      return bytes.readDoubleBE(take(8))
    case BOOLEAN:
      return bytes.readUInt8(take(1)) !== 0
    case STRING:
      return decodeText(reader, bytes.readUInt16BE(take(2)))
    case LONG_STRING:
      return decodeText(reader, bytes.readUInt32BE(take(4)))
    case OBJECT:
      return decodeFields(reader, depth)
    case ECMA_ARRAY:
      take(4) // its length, which is only a hint
      return decodeFields(reader, depth)
    case STRICT_ARRAY: {
      const length = bytes.readUInt32BE(take(4))
      const values: AmfValue[] = []
      while (values.length < length) values.push(decodeValue(reader, depth + 1))
      return values
    }
    case NULL:
      return null
    case UNDEFINED:
      return undefined
    default:
      throw new RtmpError(`The server sent a value of the unknown type ${type}.`)
  }
}

function decodeFields(reader: Reader, depth: number): AmfObject {
  const fields = new Map<string, AmfValue>()
  for (;;) {
    const key = decodeText(reader, reader.bytes.readUInt16BE(reader.at), 2)
    if (key === '' && reader.bytes.readUInt8(reader.at) === OBJECT_END) {
      reader.at++
      return Object.fromEntries(fields)
    }
    fields.set(key, decodeValue(reader, depth + 1))
  }
}

function decodeText(reader: Reader, length: number, skipped = 0): string {
  const start = reader.at + skipped
  if (start + length > reader.bytes.length) throw new RangeError('beyond the end')
  reader.at = start + length
  return reader.bytes.toString('utf8', start, reader.at)
}
