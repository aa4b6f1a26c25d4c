/** One media section of a session description (RFC 8866, 5.14). */
export interface SdpMedia {
  readonly kind: string
  readonly port: number
  readonly protocol: string
  readonly formats: readonly string[]
  /** Address of its connection line, or of the session's. */
  readonly address: string | undefined
  /** Attributes as they are written, without `a=`. Those of the session's level come first. */
  readonly attributes: readonly string[]
}

export const directions = ['sendrecv', 'sendonly', 'recvonly', 'inactive'] as const

/** Direction of media, seen from the writer of a description. */
export type Direction = (typeof directions)[number]

/**
 * Reads the media sections of a description.
 * @throws Error for text that is not a session description
 */
export function readSdp(text: string): SdpMedia[] {
  const lines = text.split(/\r?\n/).filter((line) => line !== '')
  if (lines[0] !== 'v=0') throw new Error('The session description does not begin with v=0.')
  const first = lines.findIndex((line) => line.startsWith('m='))
  const session = first < 0 ? lines : lines.slice(0, first)
  const sections: string[][] = []
  for (const line of first < 0 ? [] : lines.slice(first)) {
    if (line.startsWith('m=')) sections.push([line])
    else sections.at(-1)?.push(line)
  }
  return sections.map((section) => readMedia(section, session))
}

function readMedia(section: readonly string[], session: readonly string[]): SdpMedia {
  const [, kind, port, protocol, formats] = /^m=(\S+) (\d{1,5})(?:\/\d+)? (\S+) (.+)$/.exec(section[0] ?? '') ?? []
  if (!kind || !port || !protocol || !formats || Number(port) > 65_535)
    throw new Error(`The session description has a media line that cannot be read: ${section[0]?.slice(0, 100)}`)
  const own = attributesOf(section)
  const hasOwnDirection = own.some((attribute) => isDirection(attribute))
  const inherited = attributesOf(session).filter((attribute) => !(hasOwnDirection && isDirection(attribute)))
  return {
    kind,
    port: Number(port),
    protocol,
    formats: formats.trim().split(/ +/),
    address: addressOf(section) ?? addressOf(session),
    attributes: [...inherited, ...own],
  }
}

const attributesOf = (lines: readonly string[]) =>
  lines.filter((line) => line.startsWith('a=')).map((line) => line.slice(2).trim())

const addressOf = (lines: readonly string[]) =>
  lines.map((line) => /^c=IN IP[46] ([^\s/]+)/.exec(line)?.[1]).find((address) => address !== undefined)

const isDirection = (attribute: string): attribute is Direction => (directions as readonly string[]).includes(attribute)

/** Returns the direction of a section. An address of zeros holds the call, as before RFC 3264. @default sendrecv */
export function directionOf({ attributes, address }: SdpMedia): Direction {
  const direction = attributes.find(isDirection) ?? 'sendrecv'
  if (address !== '0.0.0.0') return direction
  return direction === 'recvonly' || direction === 'inactive' ? 'inactive' : 'sendonly'
}

/** Returns the values of an attribute, such as `96 opus/48000/2` for `rtpmap`. */
export const valuesOf = ({ attributes }: Pick<SdpMedia, 'attributes'>, name: string): string[] =>
  attributes
    .filter((attribute) => attribute.startsWith(`${name}:`))
    .map((attribute) => attribute.slice(name.length + 1))

/** Writes a description whose media sections are given line by line. */
export function writeSdp(
  origin: { readonly id: number; readonly version: number; readonly address: string },
  sections: readonly (readonly string[])[],
): string {
  const { id, version, address } = origin
  const session = ['v=0', `o=- ${id} ${version} IN IP4 ${address}`, 's=-', `c=IN IP4 ${address}`, 't=0 0']
  return [...session, ...sections.flat(), ''].join('\r\n')
}
