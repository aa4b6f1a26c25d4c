import { readFileSync } from 'node:fs'
import { type Profiler, Session } from 'node:inspector/promises'
import { fileURLToPath } from 'node:url'

/** A position in a module. */
interface Place {
  readonly url: string
  readonly start: number
}

/** Counts how often this thread executes some places, with the block coverage of V8. Modules have to be loaded afterwards. */
export async function startCoverage(places: readonly Place[]) {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  const texts = new Map([...new Set(places.map(({ url }) => url))].map((url) => [url, textOf(url)]))
  return {
    /** Returns the executions of each place since the last call. */
    async take(): Promise<number[]> {
      const { result } = await session.post('Profiler.takePreciseCoverage')
      const ranges = new Map(result.map(({ url, functions }) => [url, functions.flatMap((one) => one.ranges)]))
      return places.map(({ url, start }) => countAt(ranges.get(url) ?? [], start, texts.get(url) ?? ''))
    },
  }
}

const textOf = (url: string) => (url.endsWith('.ts') ? readFileSync(fileURLToPath(url), 'utf8') : '')

/**
 * Returns the count of the innermost block that holds an offset. V8 omits functions that have not been called. It lets a branch
 * of a conditional expression that awaits reach too far, so such a block counts as what is around it.
 */
export function countAt(ranges: readonly Profiler.CoverageRange[], offset: number, source: string): number {
  let found: Profiler.CoverageRange | undefined
  for (const range of ranges) {
    const { startOffset, endOffset } = range
    if (offset < startOffset || offset >= endOffset) continue
    if (found && endOffset - startOffset > found.endOffset - found.startOffset) continue
    if (!/^[?:].*\bawait\b/s.test(source.slice(startOffset, endOffset))) found = range
  }
  return found?.count ?? 0
}
