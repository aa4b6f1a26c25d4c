/** Creates a text on a terminal that is replaced by its next version. Elsewhere the versions follow each other. */
export function createScreen(stream: NodeJS.WriteStream): { show(text: string): void } {
  let isFirst = true
  return {
    show(text) {
      if (stream.isTTY) stream.write('\u001b[H\u001b[2J')
      else if (!isFirst) stream.write('\n')
      stream.write(`${text}\n`)
      isFirst = false
    },
  }
}
