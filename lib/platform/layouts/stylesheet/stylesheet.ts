import { INITIAL_STYLE, readDeclaration, type Style } from './properties.ts'
import { readSelectors, type Selectable, type Selector } from './selectors.ts'
import { quote, refuseToken, type Token, tokenize } from './tokens.ts'

export interface Stylesheet {
  styleOf(streams: readonly Selectable[], index: number): Style
}

interface Rule {
  readonly selector: Selector
  readonly style: Partial<Style>
}

/**
 * Reads the part of CSS that places streams: selectors by class and by place among the streams, and the properties of
 * positioned boxes, floats and blocks.
 * @throws {@link LayoutError} that names the first unsupported part and its line
 */
export function readStylesheet(css: string): Stylesheet {
  const rules = readRules(tokenize(css)).toSorted((a, b) => a.selector.specificity - b.selector.specificity)
  return {
    styleOf: (streams, index) =>
      Object.assign(
        {},
        INITIAL_STYLE,
        ...rules.filter(({ selector }) => selector.matches(streams, index)).map(({ style }) => style),
      ),
  }
}

function readRules(tokens: readonly Token[]): Rule[] {
  const rules: Rule[] = []
  let at = 0
  for (;;) {
    while (tokens[at]?.kind === 'space') at++
    const first = tokens[at]
    if (!first) return rules
    const open = tokens.findIndex(({ text }, index) => index >= at && text === '{')
    const close = tokens.findIndex(({ text }, index) => index > open && text === '}')
    if (open < 0 || close < 0) refuseToken(first.line, `the rule that begins with ${quote(first.text)} has no { and }`)
    const style = readBlock(tokens.slice(open + 1, close))
    for (const selector of readSelectors(tokens.slice(at, open), first.line)) rules.push({ selector, style })
    at = close + 1
  }
}

function readBlock(tokens: readonly Token[]): Partial<Style> {
  let style: Partial<Style> = {}
  let declaration: Token[] = []
  const end = () => {
    const [property, colon, ...values] = declaration
    declaration = []
    if (!property) return
    if (property.kind !== 'word' || colon?.text !== ':')
      refuseToken(property.line, `${quote(property.text)} does not begin a declaration such as width: 50%`)
    style = { ...style, ...readDeclaration(property, values) }
  }
  for (const token of tokens) {
    if (token.text === ';') end()
    else if (token.kind !== 'space') declaration.push(token)
  }
  end()
  return style
}
