import { Command } from 'commander'
import { findBrowser } from '../../local/browser.ts'
import { findTarget, type TargetOptions, withTarget } from '../../operations/target.ts'
import { parseShowId } from '../../parsers.ts'
import { printResult } from '../../print.ts'
import { createShowApi } from '../../shows/show-api.ts'

interface Options extends TargetOptions {
  readonly name: string
  readonly open?: boolean
  readonly json?: boolean
}

export const joinCommand = () =>
  withTarget(new Command('join').description('print how a participant joins a show; --open opens the page'))
    .argument('<id>', 'id of the show', parseShowId)
    .option('--open', 'open the join page in the browser, with --stage and --url not available')
    .option('--name <name>', 'name of the participant in the token of a deployment', 'Guest')
    .option('--json', 'print only { showId, url } (local) or { showId, apiKey, sessionId, token } (AWS), as JSON')
    .addHelpText(
      'after',
      `
Locally it prints a link to the join page, which also waits for a show that is scheduled. On AWS it creates a client token,
with which a client of the video platform connects and publishes.

Example:
  showrunner join launch-webinar-20261122 --open`,
    )
    .action(runJoin)

async function runJoin(showId: string, { name, open, json, ...where }: Options): Promise<void> {
  const target = await findTarget(where)
  const { shows, tokens } = createShowApi(target.access)
  if (target.kind === 'deployment') {
    if (open) throw new Error('A deployment has no join page. Leave --open out, and connect with the printed token.')
    const { apiKey, sessionId, token } = await tokens.create(showId, { role: 'publisher', data: name })
    const lines = [`API key  ${apiKey}`, `Session  ${sessionId}`, `Token    ${token}`]
    return printResult(json, { showId, apiKey, sessionId, token }, lines)
  }
  const browser = open ? await findBrowser() : undefined
  const { status } = await shows.get(showId)
  if (!['scheduled', 'starting', 'waiting', 'live'].includes(status))
    throw new Error(`The show ${showId} is ${status}, so it admits no participants.`)
  const url = new URL(target.local.joinUrl)
  url.searchParams.set('show', showId)
  printResult(json, { showId, url: url.href }, [url.href])
  browser?.open(url.href)
}
