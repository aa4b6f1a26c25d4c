import { Command } from 'commander'
import { controlLines } from '../../controls/control-lines.ts'
import { findStream } from '../../controls/find-stream.ts'
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
    .option('--stream <name>', 'mute only the stream of this participant, or with this id')
    .option('--except <name>', 'participant who is not muted, or the id of a stream; repeatable', collect)
    .option('--off', 'stop muting later streams; streams that are muted stay so until their participants unmute')
    .option('--json', 'print only the answer of the API, as JSON')
    .addHelpText(
      'after',
      `
A name is that of a participant, a scene or a dial-in. \`show ID --streams\` prints names and ids.

Examples:
  showrunner mute launch-webinar-20261122              mutes every stream, and streams that are published later
  showrunner mute launch-webinar-20261122 --off        lets later streams be heard again
  showrunner mute launch-webinar-20261122 --stream Ada  mutes the stream of Ada`,
    )
    .action(runMute)

async function runMute(showId: string, { stream, except, off, json, ...where }: Options): Promise<void> {
  if ([stream, except, off].filter((one) => one !== undefined).length > 1)
    throw new Error('--stream, --except and --off exclude each other. Pass one of them.')
  const { shows, controls } = createShowApi((await findTarget(where)).access)
  const named = stream === undefined ? except : [stream]
  const { items } = named ? await shows.streams(showId) : { items: [] }
  const ids = named?.map((one) => findStream(showId, items, one))
  const answer = await controls.mute(
    showId,
    stream !== undefined ? { streamId: ids?.[0] } : { active: off !== true, ...(ids && { excludedStreamIds: ids }) },
  )
  const done = stream ? `The stream ${stream} is muted.` : off ? 'Later streams are not muted.' : 'Streams are muted.'
  printResult(json, answer, controlLines(answer, done))
}
