import { Command, Option } from 'commander'
import type { Broadcast } from '../../../lib/client/documents.ts'
import { resolutions } from '../../../lib/platform/contract/layouts.ts'
import { controlLines } from '../../controls/control-lines.ts'
import { findTarget, type TargetOptions, withTarget } from '../../operations/target.ts'
import { parseShowId } from '../../parsers.ts'
import { printResult } from '../../print.ts'
import { createShowApi } from '../../shows/show-api.ts'

interface Options extends TargetOptions {
  readonly hls?: boolean
  readonly dvr?: boolean
  readonly lowLatency?: boolean
  readonly rtmp?: string
  readonly key?: string
  readonly resolution?: NonNullable<Broadcast['resolution']>
  readonly json?: boolean
}

type StopOptions = Pick<Options, keyof TargetOptions | 'json'>

const HELP = `
A stream key is never passed on a command line. It is a key of a secret: \`secret set\` stores one on this machine.

Examples:
  showrunner broadcast add launch-webinar-20261122 overflow --hls
  showrunner broadcast add launch-webinar-20261122 youtube --rtmp rtmps://a.rtmps.youtube.com/live2 --key youtube#allhands`

export const broadcastCommand = () =>
  new Command('broadcast')
    .description('add broadcasts to a live show, and stop them')
    .addCommand(
      withTarget(new Command('add').description('put a live show on air in another place'))
        .argument('<id>', 'id of the show', parseShowId)
        .argument('<name>', 'name of the broadcast, unique within the show')
        .option('--hls', 'make a playlist that browsers play (default without --rtmp)')
        .addOption(new Option('--dvr', 'let viewers of HLS seek back to the beginning').conflicts('lowLatency'))
        .option('--low-latency', 'shorten the delay for viewers of HLS')
        .option('--rtmp <url>', 'RTMP server with its application, such as rtmps://a.rtmps.youtube.com/live2')
        .option('--key <secret>', 'stream key for --rtmp, as a reference name#key')
        .addOption(new Option('--resolution <size>', 'size of the picture').choices(resolutions))
        .option('--json', 'print only the answer of the API, as JSON')
        .addHelpText('after', HELP)
        .action(runAdd),
    )
    .addCommand(
      withTarget(new Command('stop').description('take one broadcast of a live show off the air'))
        .argument('<id>', 'id of the show', parseShowId)
        .argument('<name>', 'name of the broadcast in the show')
        .option('--json', 'print only the answer of the API, as JSON')
        .addHelpText('after', '\nThe show continues. A stopped broadcast cannot be resumed: add another one.')
        .action(runStop),
    )

async function runAdd(showId: string, name: string, options: Options): Promise<void> {
  const { hls, dvr, lowLatency, rtmp, key, resolution, json, ...where } = options
  if ((rtmp === undefined) !== (key === undefined)) throw new Error('--rtmp and --key belong together. Pass both.')
  const { controls } = createShowApi((await findTarget(where)).access)
  const wantsHls = hls || dvr || lowLatency || rtmp === undefined
  const answer = await controls.addBroadcast(showId, {
    name,
    ...(wantsHls && { hls: { ...(dvr && { dvr }), ...(lowLatency && { lowLatency }) } }),
    ...(rtmp !== undefined &&
      key !== undefined && { rtmp: [{ id: name, serverUrl: rtmp, streamName: { secret: key } }] }),
    ...(resolution && { resolution }),
  })
  printResult(
    json,
    answer,
    controlLines(answer, `The broadcast ${name} is added. \`show ${showId}\` prints its address.`),
  )
}

async function runStop(showId: string, name: string, { json, ...where }: StopOptions): Promise<void> {
  const { broadcasts } = createShowApi((await findTarget(where)).access)
  const answer = await broadcasts.stop(showId, name)
  printResult(json, answer, controlLines(answer, `The broadcast ${name} is stopped.`))
}
