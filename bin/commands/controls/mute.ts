import { Command } from 'commander'
import { controlLines } from '../../controls/control-lines.ts'
import { findTarget, type TargetOptions, withTarget } from '../../operations/target.ts'
import { collect, parseShowId } from '../../parsers.ts'
import { printResult } from '../../print.ts'
import { createShowApi } from '../../shows/show-api.ts'

interface Options extends TargetOptions {
  readonly stream?: string
  readonly except?: readonly string[]
  readonly off?: boolean
  readonly json?: boolean
}

export const muteCommand = () =>
  withTarget(new Command('mute').description('mute every stream of a show, or one'))
    .argument('<id>', 'id of the show', parseShowId)
    .option('--stream <id>', 'mute only this stream')
    .option('--except <id>', 'stream that is not muted; repeatable', collect)
    .option('--off', 'stop muting later streams; streams that are muted stay so until their participants unmute')
    .option('--json', 'print only the answer of the API, as JSON')
    .addHelpText(
      'after',
      `
Examples:
  showrunner mute launch-webinar-20261122              mutes every stream, and streams that are published later
  showrunner mute launch-webinar-20261122 --off        lets later streams be heard again`,
    )
    .action(runMute)

async function runMute(showId: string, { stream, except, off, json, ...where }: Options): Promise<void> {
  if ([stream, except, off].filter((one) => one !== undefined).length > 1)
    throw new Error('--stream, --except and --off exclude each other. Pass one of them.')
  const { controls } = createShowApi((await findTarget(where)).access)
  const answer = await controls.mute(
    showId,
    stream !== undefined
      ? { streamId: stream }
      : { active: off !== true, ...(except && { excludedStreamIds: [...except] }) },
  )
  const done = stream ? `The stream ${stream} is muted.` : off ? 'Later streams are not muted.' : 'Streams are muted.'
  printResult(json, answer, controlLines(answer, done))
}
