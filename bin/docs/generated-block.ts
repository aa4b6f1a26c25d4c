/**
 * Creates the block between two markers in a document that people write.
 * @param path path of the document, for the message
 * @param name name of the block in the document
 */
export function generatedBlock(path: string, name: string) {
  const [opening, closing] = [`<!-- generated:${name} -->`, '<!-- end -->']
  return {
    /** A document with nothing but the markers. */
    alone: `${opening}\n${closing}\n`,
    /** Replaces the text between the markers. @throws Error when the document lacks them */
    replaceIn(document: string, content: string): string {
      const start = document.indexOf(opening)
      const end = document.indexOf(closing, start)
      if (start < 0 || end < 0) throw new Error(`${path} needs a line ${opening} and below it a line ${closing}.`)
      return `${document.slice(0, start)}${opening}\n\n${content}\n\n${document.slice(end)}`
    },
  }
}
