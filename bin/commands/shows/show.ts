import { Command } from 'commander'
import { parseShowId } from '../../operations/show-id.ts'
import { toLines, toTimeline } from '../../operations/show-words.ts'
import { findTarget, type TargetOptions, withTarget } from '../../operations/target.ts'
import { createShowApi } from '../../shows/show-api.ts'

export const showCommand = () =>
  withTarget(new Command('show').description('tell how far a show is, what happened in it and how it ended'))
    .argument('<id>', 'of the show', parseShowId)
    .option('--json', 'print what the API says as JSON and nothing else')
    .action(show)

async function show(showId: string, { json, ...where }: TargetOptions & { json?: boolean }): Promise<void> {
  const { access } = await findTarget(where)
  const answer = await createShowApi(access).read(showId)
  const words = () => [...toLines(answer), '', ...toTimeline(answer.timeline)].join('\n')
  process.stdout.write(`${json ? JSON.stringify(answer, null, 2) : words()}\n`)
}
