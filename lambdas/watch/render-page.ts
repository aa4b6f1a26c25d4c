/** Content that the function writes into the page, so that it needs no script to be read. */
export interface PageContent {
  /** The main title first. */
  readonly titles: readonly string[]
  readonly description?: string | undefined
  /** Preview in messengers and search engines; absent unless anyone may watch. */
  readonly preview?: { readonly address: string; readonly image?: string | undefined } | undefined
  /** Player and links of a browser without scripts. */
  readonly plain?: {
    readonly video: string | null
    readonly poster: string | undefined
    readonly links: readonly { readonly text: string; readonly url: string | null }[]
  }
  /** Sentence for a browser without scripts. */
  readonly note?: string
  /** Shows nothing but the player. */
  readonly isEmbed: boolean
  /** Address for frames; absent if no page may frame this one. */
  readonly embed?: string | undefined
}

/** Replaces the marks of `watch.html`. @throws Error if the page lacks a mark */
export function renderPage(html: string, content: PageContent): string {
  const { titles, description, isEmbed, embed } = content
  const marks: Readonly<Record<string, string>> = {
    '<!--head-->': headOf(content),
    '{title}': escaped(titles[0] ?? ''),
    '<!--description-->': escaped(description ?? ''),
    '<!--plain-->': content.note
      ? `<noscript><p class="plain-links">${escaped(content.note)}</p></noscript>`
      : plainOf(content.plain),
    '<body>': `<body${isEmbed ? ' class="embed"' : ''}${embed ? ` data-embed="${escaped(embed)}"` : ''}>`,
  }
  for (const mark of Object.keys(marks)) if (!html.includes(mark)) throw new Error(`The watch page has no ${mark}.`)
  // At once, since the texts may contain marks.
  return html.replace(MARK, (mark) => marks[mark] ?? mark)
}

const MARK = /<!--(?:head|description|plain)-->|\{title\}|<body>/g

function headOf({ titles, description, preview }: PageContent): string {
  const title = titles.join(' – ')
  const properties = {
    'og:type': 'video.other',
    'og:title': title,
    ...(preview && { 'og:url': preview.address }),
    ...(preview && description !== undefined && { 'og:description': description }),
    ...(preview?.image !== undefined && { 'og:image': preview.image }),
  }
  const names = {
    ...(preview && description !== undefined && { description }),
    ...(preview?.image !== undefined && { 'twitter:card': 'summary_large_image' }),
    ...(!preview && { robots: 'noindex' }),
  }
  const tags = (attribute: string, all: Record<string, string>) =>
    Object.entries(all).map(([name, text]) => `<meta ${attribute}="${name}" content="${escaped(text)}">`)
  return [
    `<title>${escaped(title)}</title>`,
    ...(preview ? [`<link rel="canonical" href="${escaped(preview.address)}">`] : []),
    ...tags('name', names),
    ...tags('property', properties),
  ].join('\n    ')
}

function plainOf(plain: PageContent['plain']): string {
  if (!plain) return ''
  const { video, poster, links } = plain
  const player = video
    ? `<video class="plain" controls playsinline preload="none" src="${escaped(video)}"${poster ? ` poster="${escaped(poster)}"` : ''}></video>`
    : ''
  const anchors = links
    .filter(({ url }) => url !== null)
    .map(({ text, url }) => `<a href="${escaped(url ?? '')}">${escaped(text)}</a>`)
  return `<noscript>${player}<p class="plain-links">${anchors.join(' ')}</p></noscript>`
}

/** Escapes a text for content and quoted attributes of HTML. */
export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
