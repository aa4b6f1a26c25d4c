import type { LogLine } from '../local/function-log.ts'

/**
 * The lines that are about a show: structured ones by the show they name, others by its id in their text, each with the
 * indented ones that go on with it, such as the stack of an error.
 */
export function linesOfShow(showId: string, lines: readonly LogLine[]): LogLine[] {
  const goesOn = new Map<string, boolean>()
  return lines.filter(({ name, text }) => {
    const isAbout = /^\s/.test(text) ? (goesOn.get(name) ?? false) : isAboutShow(showId, text)
    goesOn.set(name, isAbout)
    return isAbout
  })
}

function isAboutShow(showId: string, text: string): boolean {
  const named = showNamedIn(text)
  return named === undefined ? mentions(showId, text) : named === showId
}

/** Undefined for a line that is no JSON or names no show in a field of its own. */
function showNamedIn(text: string): string | undefined {
  if (!text.startsWith('{')) return undefined
  try {
    const { showId } = JSON.parse(text)
    return typeof showId === 'string' ? showId : undefined
  } catch {
    return undefined
  }
}

/** Ids of shows may begin with one another: `series` and `series-20261201t1900`. Closing executions are the show's. */
const mentions = (showId: string, text: string) =>
  new RegExp(`(?<![0-9a-z-])${RegExp.escape(showId)}(?![0-9a-z]|-(?!close-\\d))`).test(text)
