import { quote, refuseToken, type Token } from './tokens.ts'

/** A length in pixels, or in per cent of the picture's width or height. */
export interface Length {
  readonly value: number
  readonly unit: 'px' | '%'
}

const ZERO: Length = { value: 0, unit: 'px' }

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

/** Property of CSS 2, with its value where no rule matches. */
interface Property<Value> extends Kind<Value> {
  readonly initial: Value
}

const property = <Value>(kind: Kind<Value>, initial: NoInfer<Value>): Property<Value> => ({ ...kind, initial })

const PROPERTIES = {
  display: property(oneOf('block', 'none'), 'block'),
  position: property(oneOf('static', 'relative', 'absolute'), 'static'),
  float: property(oneOf('none', 'left', 'right'), 'none'),
  clear: property(oneOf('none', 'left', 'right', 'both'), 'none'),
  'object-fit': property(oneOf('contain', 'cover'), 'contain'),
  overflow: property(oneOf('hidden'), 'hidden'), // a picture never leaves its cell
  'z-index': property(either(whole, oneOf('auto')), 'auto'),
  left: property(either(length, oneOf('auto')), 'auto'),
  right: property(either(length, oneOf('auto')), 'auto'),
  top: property(either(length, oneOf('auto')), 'auto'),
  bottom: property(either(length, oneOf('auto')), 'auto'),
  width: property(either(size, oneOf('auto')), 'auto'),
  height: property(either(size, oneOf('auto')), 'auto'),
  'min-width': property(size, ZERO),
  'min-height': property(size, ZERO),
  'max-width': property(either(size, oneOf('none')), 'none'),
  'max-height': property(either(size, oneOf('none')), 'none'),
  'margin-left': property(length, ZERO),
  'margin-right': property(length, ZERO),
  'margin-top': property(length, ZERO),
  'margin-bottom': property(length, ZERO),
}

type Properties = typeof PROPERTIES

/** Placement of a stream, by the property names of CSS 2. */
export type Style = { readonly [Name in keyof Properties]: Properties[Name]['initial'] }

/** Style of a stream without any matching rule. */
export const INITIAL_STYLE = Object.fromEntries(
  Object.entries(PROPERTIES).map(([name, { initial }]) => [name, initial]),
) as Style

/** Sides in the order of the shorthand, each with the index of the side that it copies when omitted. */
const SIDES = [
  ['margin-top', 0],
  ['margin-right', 0],
  ['margin-bottom', 0],
  ['margin-left', 1],
] as const

const isProperty = (name: string): name is keyof Style => Object.hasOwn(PROPERTIES, name)

/** Reads a declaration. @throws {@link LayoutError} for an unknown property or value */
export function readDeclaration(property: Token, values: readonly Token[]): Partial<Style> {
  const name = property.text.toLowerCase()
  const written = values.map(({ text }) => text).join(' ')
  const refuseValue = (expected: string): never =>
    refuseToken(property.line, `${name} cannot be ${quote(written)}; it takes ${expected}`)
  if (name === 'margin') {
    const lengths = values.map((token) => length.read(token) ?? refuseValue('one to four numbers of px or %'))
    const [first = refuseValue('one to four numbers of px or %')] = lengths
    if (lengths.length > 4) refuseValue('one to four numbers of px or %')
    return Object.fromEntries(
      SIDES.map(([side, like], index) => [side, lengths[index] ?? lengths[index === 2 ? 0 : like] ?? first]),
    )
  }
  if (!isProperty(name))
    refuseToken(
      property.line,
      `the property ${quote(name)} is not supported; use margin, ${Object.keys(PROPERTIES).join(', ')}`,
    )
  const kind = PROPERTIES[name]
  const [value, ...rest] = values
  const read = value && rest.length === 0 ? kind.read(value) : undefined
  return { [name]: read ?? refuseValue(kind.expected) }
}
