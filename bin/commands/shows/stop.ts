import { Command } from 'commander'
import { isTerminal } from '../../../lib/show/state/state.ts'
import { findTarget, type TargetOptions, withTarget } from '../../operations/target.ts'
import { parseShowId } from '../../parsers.ts'
import { printResult } from '../../print.ts'
import { createShowApi, type ShowAnswer } from '../../shows/show-api.ts'

export const stopCommand = () =>
  withTarget(new Command('stop').description('stop a show at once, or unschedule one that has not started'))
    .argument('<id>', 'id of the show', parseShowId)
    .option('--json', 'print only { showId, was, status }, as JSON')
    .addHelpText('after', '\nExample:\n  showrunner stop launch-webinar-20261122')
    .action(runStop)

async function runStop(showId: string, { json, ...where }: TargetOptions & { json?: boolean }): Promise<void> {
  const { shows, controls } = createShowApi((await findTarget(where)).access)
  const before = await shows.get(showId)
  const { status: was } = before
  if (was === 'scheduled') await shows.unschedule(showId)
  else if (!isTerminal(was)) await controls.stop(showId)
  const show = await shows.get(showId)
  printResult(json, { showId, was, status: show.status }, [messageFor(before, show)])
}

function messageFor(
  { status: was, start }: ShowAnswer,
  { showId, status, recordings, broadcasts }: ShowAnswer,
): string {
  if (isTerminal(was)) return `Show ${showId} had already ended with the status ${was}.`
  if (was === 'scheduled')
    return start && 'cron' in start
      ? `Show ${showId} is unscheduled: it starts no more.`
      : `Show ${showId} is unscheduled. It never began, so nothing was recorded.`
  const isRecorded = recordings.some(({ archiveId }) => archiveId !== undefined)
  const outcome = `\`show ${showId}\` prints the outcome.`
  if (isRecorded) return `Show ${showId} is stopped (${status}). Its files are being uploaded; ${outcome}`
  const wasOnAir = broadcasts.some(({ broadcastId }) => broadcastId !== undefined)
  return wasOnAir
    ? `Show ${showId} is stopped (${status}). It was on air and recorded nothing; ${outcome}`
    : `Show ${showId} is stopped (${status}) before it began. No participant had joined, so nothing was recorded.`
}
