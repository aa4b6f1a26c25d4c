import { readFile } from 'node:fs/promises'
import { Argument, Command, Option } from 'commander'
import type { ShowChange } from '../../../lib/client/documents.ts'
import { controlLines } from '../../controls/control-lines.ts'
import { findTarget, type TargetOptions, withTarget } from '../../operations/target.ts'
import { collect, parseShowId } from '../../parsers.ts'
import { printResult } from '../../print.ts'
import { createShowApi, type ShowAnswer } from '../../shows/show-api.ts'

type Layout = NonNullable<ShowChange['layouts']>[number]['layout']

interface Options extends TargetOptions {
  readonly recording?: readonly string[]
  readonly broadcast?: readonly string[]
  readonly stylesheet?: string
  readonly screenshare?: NonNullable<Layout['screenshareType']>
  readonly json?: boolean
}

const types = ['bestFit', 'pip', 'horizontalPresentation', 'verticalPresentation', 'custom'] as const

export const layoutCommand = () =>
  withTarget(new Command('layout').description('arrange the picture of a live show in another way'))
    .argument('<id>', 'id of the show', parseShowId)
    .addArgument(new Argument('<type>', 'the arrangement').choices(types))
    .option(
      '--recording <name>',
      'recording to change; repeatable (default: all that are composed, and all broadcasts)',
      collect,
    )
    .option('--broadcast <name>', 'broadcast to change; repeatable', collect)
    .option('--stylesheet <file>', 'CSS that arranges the streams, with the type custom')
    .addOption(
      new Option('--screenshare <type>', 'arrangement while a screen is shared, with the type bestFit').choices(
        types.filter((type) => type !== 'custom'),
      ),
    )
    .option('--json', 'print only the answer of the API, as JSON')
    .addHelpText(
      'after',
      `
An individual recording has no layout.

Example:
  showrunner layout launch-webinar-20261122 pip --recording program --broadcast live`,
    )
    .action(runLayout)

async function runLayout(
  showId: string,
  type: Layout['type'],
  { recording, broadcast, stylesheet: file, screenshare, json, ...where }: Options,
): Promise<void> {
  if ((type === 'custom') !== (file !== undefined))
    throw new Error('The type custom needs --stylesheet, and no other type takes it.')
  const { shows, controls } = createShowApi((await findTarget(where)).access)
  const layout: Layout = {
    type,
    ...(file !== undefined && { stylesheet: await readStylesheet(file) }),
    ...(screenshare && { screenshareType: screenshare }),
  }
  const given = { recordings: recording ?? [], broadcasts: broadcast ?? [] }
  const isGiven = recording !== undefined || broadcast !== undefined
  const targets = isGiven ? given : composedIn(await shows.get(showId))
  const layouts = [
    ...targets.recordings.map((name) => ({ recording: name, layout })),
    ...targets.broadcasts.map((name) => ({ broadcast: name, layout })),
  ]
  if (layouts.length === 0) throw new Error(`The show ${showId} has no composed recording and no broadcast.`)
  const answer = await controls.change(showId, { layouts })
  printResult(json, answer, controlLines(answer, `The layout is ${type}.`))
}

/** Returns the names of what has one picture of all streams. An individual recording has a file per stream, and no layout. */
function composedIn({ recordings, broadcasts, document }: ShowAnswer) {
  const isComposed = ({ name }: { readonly name: string }) =>
    document?.recordings.find((one) => one.name === name)?.outputMode !== 'individual'
  const namesOf = (parts: readonly { readonly name: string }[]) => [...new Set(parts.map(({ name }) => name))]
  return { recordings: namesOf(recordings.filter(isComposed)), broadcasts: namesOf(broadcasts) }
}

const readStylesheet = (file: string) =>
  readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new Error(`${file} cannot be read: ${cause.code === 'ENOENT' ? 'it does not exist' : cause.message}.`, {
      cause,
    })
  })
