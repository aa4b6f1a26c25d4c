import { torture } from './torture.ts'

/**
 * Returns mutated messages, the same for one seed: bytes replaced, left out or repeated, and lines exchanged.
 * @param texts messages that are mutated. @default those of RFC 4475
 */
export function* fuzzed(
  count: number,
  seed: number,
  texts: readonly string[] = torture.map(({ text }) => text),
): Generator<Buffer> {
  let state = seed
  const below = (bound: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * bound)
  }
  for (let index = 0; index < count; index++) {
    let data: Buffer = Buffer.from(texts[below(texts.length)] ?? '')
    for (let change = below(4); change >= 0; change--) data = mutated(data, below)
    yield data
  }
}

function mutated(data: Buffer, below: (bound: number) => number): Buffer {
  const at = below(data.length)
  const size = 1 + below(12)
  const lines = data.toString('latin1').split('\r\n')
  switch (below(5)) {
    case 0:
      return Buffer.concat([data.subarray(0, at), Buffer.of(below(256)), data.subarray(at + 1)])
    case 1:
      return Buffer.concat([data.subarray(0, at), data.subarray(at + size)])
    case 2:
      return Buffer.concat([data.subarray(0, at + size), data.subarray(at)])
    case 3:
      lines.splice(below(lines.length), 1, lines[below(lines.length)] ?? '')
      return Buffer.from(lines.join('\r\n'), 'latin1')
    default:
      return data.subarray(0, at)
  }
}

/** Returns true for bytes that begin as a request of another method than ACK, and have a Via. */
export function isAnswerable(data: Buffer): boolean {
  const text = data.toString('utf8').replace(/^(?:\r\n)+/, '')
  return /^(?!ACK )[\w\-.!%*+`'~]+ .*SIP\/\d+\.\d+\s*(\r\n|$)/i.test(text) && /^(v|via)[ \t]*:/im.test(text)
}
