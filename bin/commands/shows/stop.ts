import { Command } from 'commander'
import { isTerminal } from '../../../lib/show/state/state.ts'
import { findTarget, type TargetOptions, withTarget } from '../../operations/target.ts'
import { parseShowId } from '../../parsers.ts'
import { printResult } from '../../print.ts'
import { createShowApi } from '../../shows/show-api.ts'

export const stopCommand = () =>
  withTarget(new Command('stop').description('stop a show at once, or unschedule one that has not started'))
    .argument('<id>', 'id of the show', parseShowId)
    .option('--json', 'print only { showId, was, status }, as JSON')
    .action(runStop)

async function runStop(showId: string, { json, ...where }: TargetOptions & { json?: boolean }): Promise<void> {
  const { shows, controls } = createShowApi((await findTarget(where)).access)
  const { status: was } = await shows.get(showId)
  if (was === 'scheduled') await shows.unschedule(showId)
  else if (!isTerminal(was)) await controls.stop(showId)
  const { status } = await shows.get(showId)
  printResult(json, { showId, was, status }, [messageFor(showId, was, status)])
}

function messageFor(showId: string, was: string, status: string): string {
  if (isTerminal(was)) return `Show ${showId} had already ended with the status ${was}.`
  if (was === 'scheduled') return `Show ${showId} is unscheduled.`
  return `Show ${showId} is stopped (${status}). Its files are being uploaded; \`show ${showId}\` prints the outcome.`
}
