/** The parts of an HTML page that documentation promises. Texts are unescaped. */
export interface PageContent {
  readonly title: string | undefined
  readonly heading: string | undefined
  readonly description: string | undefined
  /** Contents of `meta` elements by `name` or `property`. */
  readonly meta: Readonly<Record<string, string>>
  readonly canonical: string | undefined
  /** Class of the body. */
  readonly bodyClass: string | undefined
  /** Address for frames. */
  readonly embed: string | undefined
  /** Addresses of scripts. */
  readonly scripts: readonly string[]
  readonly styles: readonly string[]
  /** True if a script is in the page itself, or a handler of an event. */
  readonly hasInlineScript: boolean
  /** The part for browsers without scripts. */
  readonly plain: {
    readonly text: string
    readonly video: string | undefined
    readonly poster: string | undefined
    /** Addresses by the text of their links. */
    readonly links: Readonly<Record<string, string>>
  }
}

type Attributes = Readonly<Record<string, string>>

interface Tag {
  readonly name: string
  readonly attributes: Attributes
}

const TAG = /<([a-z][a-z0-9]*)((?:\s+[a-z][a-z-]*(?:="[^"]*")?)*)\s*\/?>/g
const ATTRIBUTE = /([a-z][a-z-]*)(?:="([^"]*)")?/g

/** Reads a page. It finds only tags whose attributes are quoted, so a text that breaks out of its place changes the result. */
export function readPage(html: string): PageContent {
  const tags = tagsIn(html)
  const metas = tags.filter(({ name }) => name === 'meta').map(({ attributes }) => attributes)
  const linked = (rel: string) => tags.filter(({ name, attributes }) => name === 'link' && attributes.rel === rel)
  const scripts = tags.filter(({ name }) => name === 'script')
  const body = tags.find(({ name }) => name === 'body')?.attributes
  const [, noscript = ''] = /<noscript>([\s\S]*?)<\/noscript>/.exec(html) ?? []
  const video = tagsIn(noscript).find(({ name }) => name === 'video')?.attributes
  const anchors = [...noscript.matchAll(/<a href="([^"]*)">([^<]*)<\/a>/g)]
  return {
    title: textOf(/<title>([^<]*)<\/title>/.exec(html)?.[1]),
    heading: textOf(/<h1[^>]*>([^<]*)<\/h1>/.exec(html)?.[1]),
    description: textOf(/<p class="description">([^<]*)<\/p>/.exec(html)?.[1]),
    meta: Object.fromEntries(metas.map((one) => [one.name ?? one.property ?? '', one.content ?? ''])),
    canonical: linked('canonical')[0]?.attributes.href,
    bodyClass: body?.class,
    embed: body?.['data-embed'],
    scripts: scripts.flatMap(({ attributes: { src } }) => src ?? []),
    styles: linked('stylesheet').flatMap(({ attributes: { href } }) => href ?? []),
    hasInlineScript:
      scripts.some(({ attributes: { src } }) => src === undefined) ||
      html.split('<script').length - 1 !== scripts.length ||
      tags.some(({ attributes }) => Object.keys(attributes).some((name) => name.startsWith('on'))),
    plain: {
      text: textOf(noscript.replace(/<[^>]*>/g, '')) ?? '',
      video: video?.src,
      poster: video?.poster,
      links: Object.fromEntries(anchors.map(([, address, text]) => [textOf(text), textOf(address) ?? ''])),
    },
  }
}

/** Returns every address that a page names and a viewer’s browser or a service for previews fetches. */
export function addressesIn({ scripts, styles, embed, meta, canonical, plain }: PageContent): string[] {
  const named = [canonical, meta['og:image'], embed, plain.video, plain.poster, ...Object.values(plain.links)]
  return [...new Set([...scripts, ...styles, ...named.flatMap((one) => one ?? [])])]
}

const tagsIn = (html: string): Tag[] =>
  [...html.matchAll(TAG)].map(([, name = '', attributes = '']) => ({
    name,
    attributes: Object.fromEntries(
      [...attributes.matchAll(ATTRIBUTE)].map(([, key = '', value = '']) => [key, textOf(value) ?? '']),
    ),
  }))

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

const textOf = (html: string | undefined) =>
  html?.replace(/&(?:#(\d+)|(\w+));/g, (whole, code?: string, name?: string) =>
    code === undefined ? (NAMED[name ?? ''] ?? whole) : String.fromCodePoint(Number(code)),
  )
