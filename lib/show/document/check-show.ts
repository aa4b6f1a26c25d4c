import type { Problem } from './problems.ts'
import { parseShow, type Show } from './show.ts'
import { problemsOfPast } from './starts/start-times.ts'

/**
 * Parses a show document as `POST /shows` takes it at one moment: a well-formed show is refused if its start has passed.
 * @param now milliseconds since the epoch
 * @param check finds more problems of a well-formed show. @default none
 */
export function checkShow(
  document: unknown,
  now: number,
  check: (show: Show) => readonly Problem[] = () => [],
): { show: Show } | { problems: Problem[] } {
  const parsed = parseShow(document)
  if ('problems' in parsed) return parsed
  const problems = [...problemsOfPast(parsed.show.start, now), ...check(parsed.show)]
  return problems.length > 0 ? { problems } : parsed
}
