import { quote, refuse, type Token } from './tokens.ts'

/** A length in pixels, or in per cent of the picture's width or height. */
export interface Length {
  readonly value: number
  readonly unit: 'px' | '%'
}

/** Placement of a stream, by the property names of CSS 2. */
export interface Style {
  readonly display: 'block' | 'none'
  readonly position: 'static' | 'relative' | 'absolute'
  readonly float: 'none' | 'left' | 'right'
  readonly clear: 'none' | 'left' | 'right' | 'both'
  readonly 'object-fit': 'contain' | 'cover'
  /** A picture never leaves its cell. */
  readonly overflow: 'hidden'
  readonly 'z-index': number | 'auto'
  readonly left: Length | 'auto'
  readonly right: Length | 'auto'
  readonly top: Length | 'auto'
  readonly bottom: Length | 'auto'
  readonly width: Length | 'auto'
  readonly height: Length | 'auto'
  readonly 'min-width': Length
  readonly 'min-height': Length
  readonly 'max-width': Length | 'none'
  readonly 'max-height': Length | 'none'
  readonly 'margin-left': Length
  readonly 'margin-right': Length
  readonly 'margin-top': Length
  readonly 'margin-bottom': Length
}

const ZERO: Length = { value: 0, unit: 'px' }

/** Style of a stream without any matching rule. */
export const INITIAL_STYLE: Style = {
  display: 'block',
  position: 'static',
  float: 'none',
  clear: 'none',
  'object-fit': 'contain',
  overflow: 'hidden',
  'z-index': 'auto',
  left: 'auto',
  right: 'auto',
  top: 'auto',
  bottom: 'auto',
  width: 'auto',
  height: 'auto',
  'min-width': ZERO,
  'min-height': ZERO,
  'max-width': 'none',
  'max-height': 'none',
  'margin-left': ZERO,
  'margin-right': ZERO,
  'margin-top': ZERO,
  'margin-bottom': ZERO,
}

/** Values that a property accepts, and their description in refusals. */
interface Kind<Value> {
  readonly expected: string
  /** Returns undefined for any other value. */
  read(token: Token): Value | undefined
}

const oneOf = <Word extends string>(...words: Word[]): Kind<Word> => ({
  expected: words.join(', '),
  read: ({ text }) => words.find((word) => word === text.toLowerCase()),
})

const length: Kind<Length> = {
  expected: 'a number of px or %',
  read({ text }) {
    const [, number, unit] = /^([+-]?(?:\d*\.)?\d+)(px|%)?$/i.exec(text) ?? []
    if (number === undefined || (!unit && Number(number) !== 0)) return undefined
    return { value: Number(number), unit: unit === '%' ? '%' : 'px' }
  },
}

const size: Kind<Length> = {
  expected: 'a number of px or % that is not negative',
  read(token) {
    const read = length.read(token)
    return read && read.value >= 0 ? read : undefined
  },
}

const whole: Kind<number> = {
  expected: 'a whole number',
  read: ({ text }) => (/^[+-]?\d+$/.test(text) ? Number(text) : undefined),
}

const either = <A, B>(first: Kind<A>, second: Kind<B>): Kind<A | B> => ({
  expected: `${first.expected}, ${second.expected}`,
  read: (token) => first.read(token) ?? second.read(token),
})

const KINDS: { readonly [Name in keyof Style]: Kind<Style[Name]> } = {
  display: oneOf('block', 'none'),
  position: oneOf('static', 'relative', 'absolute'),
  float: oneOf('none', 'left', 'right'),
  clear: oneOf('none', 'left', 'right', 'both'),
  'object-fit': oneOf('contain', 'cover'),
  overflow: oneOf('hidden'),
  'z-index': either(whole, oneOf('auto')),
  left: either(length, oneOf('auto')),
  right: either(length, oneOf('auto')),
  top: either(length, oneOf('auto')),
  bottom: either(length, oneOf('auto')),
  width: either(size, oneOf('auto')),
  height: either(size, oneOf('auto')),
  'min-width': size,
  'min-height': size,
  'max-width': either(size, oneOf('none')),
  'max-height': either(size, oneOf('none')),
  'margin-left': length,
  'margin-right': length,
  'margin-top': length,
  'margin-bottom': length,
}

/** Sides in the order of the shorthand, each with the index of the side that it copies when omitted. */
const SIDES = [
  ['margin-top', 0],
  ['margin-right', 0],
  ['margin-bottom', 0],
  ['margin-left', 1],
] as const

const isProperty = (name: string): name is keyof Style => Object.hasOwn(KINDS, name)

/** Reads a declaration. @throws {@link MediaError} for an unknown property or value */
export function readDeclaration(property: Token, values: readonly Token[]): Partial<Style> {
  const name = property.text.toLowerCase()
  const written = values.map(({ text }) => text).join(' ')
  const refuseValue = (expected: string): never =>
    refuse(property.line, `${name} cannot be ${quote(written)}; it takes ${expected}`)
  if (name === 'margin') {
    const lengths = values.map((token) => length.read(token) ?? refuseValue('one to four numbers of px or %'))
    const [first = refuseValue('one to four numbers of px or %')] = lengths
    if (lengths.length > 4) refuseValue('one to four numbers of px or %')
    return Object.fromEntries(
      SIDES.map(([side, like], index) => [side, lengths[index] ?? lengths[index === 2 ? 0 : like] ?? first]),
    )
  }
  if (!isProperty(name))
    refuse(property.line, `the property ${quote(name)} is not supported; use margin, ${Object.keys(KINDS).join(', ')}`)
  const kind = KINDS[name]
  const [value, ...rest] = values
  const read = value && rest.length === 0 ? kind.read(value) : undefined
  return { [name]: read ?? refuseValue(kind.expected) }
}
