/** A sentence of a Markdown document, and the line that its block starts at. */
export interface Sentence {
  readonly line: number
  readonly text: string
  readonly words: number
}

const blank = (text: string) => text.replace(/[^\n]/g, '')

/** Removes what people did not write as prose: code, generated blocks, comments and diagrams. Keeps the line numbers. */
const withoutCode = (markdown: string) =>
  markdown
    .replace(/<!-- generated:[\s\S]*?<!-- end -->/g, blank)
    .replace(/<!--[\s\S]*?-->/g, blank)
    .replace(/^ *```[\s\S]*?^ *```/gm, blank)
    .replace(/(?<=\n *\n)(?: {4}.*(?:\n|$))+/g, blank)

/** Replaces inline code and links to files by one word, other links by their text. */
const plain = (text: string) =>
  text
    .replace(/`[^`]*`/g, 'code')
    .replace(/\[[\w./-]+\.(?:ts|md|json)\]\([^)]*\)/g, 'code')
    .replace(/!\[([^\]]*)\]\([^)]*\)/g, '$1.')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\*\*|⚠/g, '')

/** Blocks of prose: paragraphs, list items, table cells and headings, each with its first line. */
function blocksOf(markdown: string): { line: number; text: string }[] {
  const blocks: { line: number; text: string }[] = []
  let open: { line: number; text: string } | undefined
  for (const [index, raw] of withoutCode(markdown).split('\n').entries()) {
    const line = index + 1
    if (/^\s*\|/.test(raw)) {
      open = undefined
      const cells = raw.trim().replaceAll('\\|', '/').slice(1, -1).split('|')
      blocks.push(...cells.filter((cell) => /\w/.test(cell)).map((text) => ({ line, text })))
      continue
    }
    const [, begins, text = ''] = /^\s*([-*>] |\d+\. |#+ )?(.*)$/.exec(raw) ?? []
    if (!text.trim()) open = undefined
    else if (begins || !open) {
      open = { line, text }
      blocks.push(open)
    } else open.text += ` ${text}`
  }
  return blocks
}

/** Splits a Markdown document into sentences. Code counts as one word; generated blocks are left out. */
export const sentencesOf = (markdown: string): Sentence[] =>
  blocksOf(markdown).flatMap(({ line, text }) =>
    plain(text)
      .split(/(?<=[.!?][)’”"*]?)\s+(?=\S)/)
      .map((sentence) => ({ line, text: sentence.trim(), words: sentence.match(/[\p{L}\p{N}][^\s]*/gu)?.length ?? 0 }))
      .filter(({ words }) => words > 0),
  )
