import type { FunctionLogLine } from '../local/function-log.ts'

/**
 * Returns the log lines about a show: structured lines by their `showId`, others by the id in their text. Indented lines that
 * follow, such as a stack trace, belong to the line before.
 */
export function linesOfShow(showId: string, lines: readonly FunctionLogLine[]): FunctionLogLine[] {
  const isContinued = new Map<string, boolean>()
  return lines.filter(({ name, text }) => {
    const isAbout = /^\s/.test(text) ? (isContinued.get(name) ?? false) : isAboutShow(showId, text)
    isContinued.set(name, isAbout)
    return isAbout
  })
}

function isAboutShow(showId: string, text: string): boolean {
  const named = showNamedIn(text)
  return named === undefined ? mentions(showId, text) : named === showId
}

/** Returns the `showId` of a structured line, or undefined. */
function showNamedIn(text: string): string | undefined {
  if (!text.startsWith('{')) return undefined
  try {
    const { showId } = JSON.parse(text)
    return typeof showId === 'string' ? showId : undefined
  } catch {
    return undefined
  }
}

/** An id can be a prefix of another one: `series` and `series-20261201t1900`. Closing executions belong to the show. */
const mentions = (showId: string, text: string) =>
  new RegExp(`(?<![0-9a-z-])${RegExp.escape(showId)}(?![0-9a-z]|-(?!close-\\d))`).test(text)
