import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { S3Error } from '../errors.ts'

/** The content of an element: text, elements by name, or several elements of one name. `undefined` omits it. */
export type XmlContent = string | number | boolean | undefined | { readonly [name: string]: XmlContent } | XmlContent[]

const NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/'

/** Writes a document with S3's namespace; `root` has exactly one name. */
export function writeXml(root: Record<string, XmlContent>, namespace: string | undefined = NAMESPACE): string {
  const [name = '', content] = Object.entries(root)[0] ?? []
  const attribute = namespace ? ` xmlns="${namespace}"` : ''
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${name}${attribute}>${write(content)}</${name}>`
}

export function writeErrorXml(fields: Record<string, XmlContent>): string {
  return writeXml({ Error: fields }, '')
}

function write(content: XmlContent): string {
  if (content === undefined) return ''
  if (typeof content !== 'object') return escapeText(String(content))
  return Object.entries(content)
    .flatMap(([name, value]) => (Array.isArray(value) ? value : [value]).map((item) => [name, item] as const))
    .map(([name, item]) => (item === undefined ? '' : `<${name}>${write(item)}</${name}>`))
    .join('')
}

/**
 * Escapes text. Control characters become references, as in S3: keys may contain them, and a bare CR would be read as
 * LF.
 */
function escapeText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is escaped
  return text.replace(/[&<>"\u0000-\u0008\u000a-\u001f]/g, (character) => `&#${character.charCodeAt(0)};`)
}

const parser = new XMLParser({
  ignoreAttributes: true,
  parseTagValue: false,
  trimValues: false,
  htmlEntities: true,
  // A request may name 10,000 parts with two quotes each. Its length is limited before it is read.
  processEntities: { enabled: true, maxTotalExpansions: 1_000_000, maxExpandedLength: 100_000_000 },
})

export interface XmlElement {
  text(name: string): string | undefined
  all(name: string): XmlElement[]
}

/** Reads a request document with this root. @throws S3Error MalformedXML */
export function readXml(document: string, root: string): XmlElement {
  const malformed = () =>
    new S3Error('MalformedXML', `The XML you provided was not well formed or has no <${root}> at its root.`)
  if (document.includes('<!DOCTYPE') || XMLValidator.validate(document) !== true) throw malformed()
  const parsed = parser.parse(document) as Record<string, unknown>
  if (!(root in parsed)) throw malformed()
  return element(parsed[root])
}

function element(content: unknown): XmlElement {
  const children = (name: string): unknown[] => {
    if (typeof content !== 'object' || content === null || !Object.hasOwn(content, name)) return []
    const found = (content as Record<string, unknown>)[name]
    return Array.isArray(found) ? found : [found]
  }
  return {
    text: (name) => children(name).find((child): child is string => typeof child === 'string'),
    all: (name) => children(name).map(element),
  }
}
