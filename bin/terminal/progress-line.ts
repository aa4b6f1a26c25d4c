/** One line of a terminal that is replaced by its next version. Nothing is written elsewhere, as to a file. */
export interface ProgressLine {
  show(text: string): void
  /** Removes the line. */
  clear(): void
}

/** Milliseconds between two versions: a terminal shows no more, and each costs time. */
const INTERVAL_MS = 100

export function createProgressLine(stream: NodeJS.WriteStream): ProgressLine {
  let shownAt = Number.NEGATIVE_INFINITY
  return {
    show(text) {
      if (!stream.isTTY || performance.now() - shownAt < INTERVAL_MS) return
      shownAt = performance.now()
      stream.write(`\r\u001b[2K${text.slice(0, (stream.columns || 80) - 1)}`)
    },
    clear() {
      if (stream.isTTY && shownAt > 0) stream.write('\r\u001b[2K')
    },
  }
}
