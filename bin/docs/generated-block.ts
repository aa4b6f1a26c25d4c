/** Replaces the text between two markers in a document that people write. */
export interface GeneratedBlock {
  /** A document with nothing but the markers. */
  readonly alone: string
  /** @throws Error when the document lacks its markers */
  replaceIn(document: string, content: string): string
}

/**
 * Creates the block of a document.
 * @param path path of the document, for the message
 * @param name name of the block in the document
 */
export function generatedBlock(path: string, name: string): GeneratedBlock {
  const [opening, closing] = [`<!-- generated:${name} -->`, '<!-- end -->']
  return {
    alone: `${opening}\n${closing}\n`,
    replaceIn(document, content) {
      const start = document.indexOf(opening)
      const end = document.indexOf(closing, start)
      if (start < 0 || end < 0) throw new Error(`${path} needs a line ${opening} and below it a line ${closing}.`)
      return `${document.slice(0, start)}${opening}\n\n${content}\n\n${document.slice(end)}`
    },
  }
}
