import { quote, refuseToken, type Token } from './tokens.ts'

/** Properties of a stream that selectors match; the streams of a picture are siblings in their order. */
export interface Selectable {
  readonly layoutClasses: readonly string[]
}

export interface Selector {
  /** The matching rule with the greatest specificity wins, or the last of those. */
  readonly specificity: number
  matches(streams: readonly Selectable[], index: number): boolean
}

/** A compound selector such as `stream.focus:first-child`, and its combinator with the one before. */
interface Step {
  readonly combinator: '+' | '~' | undefined
  readonly classes: readonly string[]
  readonly places: readonly Place[]
}
/** Predicate on a stream's place: its number from 1, and the number of streams. */
type Place = (number: number, count: number) => boolean

const KNOWN = 'use stream, .class, :first-child, :last-child, :nth-child(), :nth-last-child(), + and ~'
/** Weight of a class or a place: greater than that of any number of element names. */
const WEIGHT = 1_000

/** Reads the selectors of a rule, separated by commas. @throws {@link LayoutError} for an unsupported selector */
export function readSelectors(tokens: readonly Token[], line: number): Selector[] {
  const selectors: Token[][] = [[]]
  for (const token of tokens) {
    if (token.text === ',') selectors.push([])
    else selectors.at(-1)?.push(token)
  }
  return selectors.map((selector) => readSelector(trim(selector), line))
}

function readSelector(tokens: readonly Token[], line: number): Selector {
  if (tokens.length === 0) refuseToken(line, 'a selector is missing')
  const steps: Step[] = []
  let types = 0
  let at = 0
  const here = () => tokens[at]
  while (at < tokens.length) {
    const combinator = steps.length > 0 ? readCombinator() : undefined
    steps.push({ combinator, ...readDescription() })
  }

  function readCombinator(): '+' | '~' {
    while (here()?.kind === 'space') at++
    const token = tokens[at++]
    if (token?.text !== '+' && token?.text !== '~')
      refuseToken(
        token?.line ?? line,
        `streams have no parents and children: use + or ~ instead of ${quote(token?.text ?? '')}`,
      )
    while (here()?.kind === 'space') at++
    return token.text
  }

  function readDescription(): Omit<Step, 'combinator'> {
    const classes: string[] = []
    const places: Place[] = []
    const start = at
    if (here()?.kind === 'word') {
      if (here()?.text.toLowerCase() !== 'stream') unknown()
      types++
      at++
    }
    for (;;) {
      const next = tokens[at + 1]
      if (here()?.text === '.' && next?.kind === 'word') classes.push(next.text)
      else if (here()?.text === ':' && next?.kind === 'word') places.push(readPlace(next))
      else break
      at += 2
    }
    if (at === start || (here() && here()?.kind !== 'space' && !'+~'.includes(here()?.text ?? ''))) unknown()
    return { classes, places }
  }

  /** Reads the parentheses as well, and leaves `at` where a pseudo-class without them would. */
  function readPlace({ text, line: where }: Token): Place {
    const name = text.toLowerCase()
    if (name === 'first-child') return (number) => number === 1
    if (name === 'last-child') return (number, count) => number === count
    if (name !== 'nth-child' && name !== 'nth-last-child') unknown()
    const end = tokens.findIndex((token, index) => index > at && token.text === ')')
    if (tokens[at + 2]?.text !== '(' || end < 0) refuseToken(where, `${name} needs a number in parentheses`)
    const written = tokens.slice(at + 3, end).map((token) => token.text)
    const isNth = readNth(written.join('').trim().toLowerCase(), where)
    at = end - 1
    return name === 'nth-child' ? isNth : (number, count) => isNth(count + 1 - number, count)
  }

  function unknown(): never {
    const written = tokens.map(({ text }) => text).join('')
    refuseToken(here()?.line ?? line, `the selector ${quote(written)} is not supported; ${KNOWN}`)
  }

  const weight = steps.reduce((sum, { classes, places }) => sum + classes.length + places.length, 0)
  return { specificity: weight * WEIGHT + types, matches: (streams, index) => match(steps, streams, index) }
}

/** Reads `3`, `odd`, `even` or a formula such as `2n+1`. */
function readNth(text: string, line: number): Place {
  const formula = text === 'odd' ? '2n+1' : text === 'even' ? '2n' : text.replaceAll(/\s/g, '')
  const [, number, step, offset = '0'] = /^(?:([+-]?\d+)|([+-]?\d*)n([+-]\d+)?)$/.exec(formula) ?? []
  if (number !== undefined) return (place) => place === Number(number)
  if (step === undefined)
    refuseToken(line, `${quote(text)} is not a place: write a number, odd, even or a formula such as 2n+1`)
  const every = step === '' || step === '+' ? 1 : step === '-' ? -1 : Number(step)
  return (place) => {
    const left = place - Number(offset)
    return every === 0 ? left === 0 : left % every === 0 && left / every >= 0
  }
}

/** Returns true if the last step matches the stream, and the steps before it match earlier streams. */
function match(steps: readonly Step[], streams: readonly Selectable[], index: number): boolean {
  const stream = streams[index]
  const step = steps.at(-1)
  if (!stream || !step) return false
  const isDescribed =
    step.classes.every((name) => stream.layoutClasses.includes(name)) &&
    step.places.every((isAt) => isAt(index + 1, streams.length))
  if (!isDescribed || !step.combinator) return isDescribed
  const before = steps.slice(0, -1)
  if (step.combinator === '+') return match(before, streams, index - 1)
  return streams.slice(0, index).some((_, earlier) => match(before, streams, earlier))
}

function trim(tokens: readonly Token[]): Token[] {
  const isSpace = ({ kind }: Token) => kind === 'space'
  const start = tokens.findIndex((token) => !isSpace(token))
  return start < 0 ? [] : tokens.slice(start, tokens.findLastIndex((token) => !isSpace(token)) + 1)
}
