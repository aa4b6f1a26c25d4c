import { Command } from 'commander'
import { ShowrunnerError } from '../../../lib/client/showrunner-error.ts'
import { findBrowser } from '../../local/browser.ts'
import { findTarget, type TargetOptions, withTarget } from '../../operations/target.ts'
import { parseShowId } from '../../parsers.ts'
import { printResult } from '../../print.ts'
import { createShowApi, type ShowApi } from '../../shows/show-api.ts'

interface Options extends TargetOptions {
  readonly name: string
  readonly open?: boolean
  readonly json?: boolean
}

export const joinCommand = () =>
  withTarget(new Command('join').description('print how a participant joins a show; --open opens the page'))
    .argument('<id>', 'id of the show', parseShowId)
    .option('--open', 'open the join page in the browser')
    .option('--name <name>', 'name of the participant in an invitation', 'Guest')
    .option(
      '--json',
      'print only { showId, url } (local) or { showId, url, invitation, expiresAt, apiKey, sessionId, token } (AWS), as JSON',
    )
    .addHelpText(
      'after',
      `
Locally it prints a link to the join page. On AWS it creates an invitation: a link to your app's own page, if the setting
joinUrl names it, or the invitation alone. Both can be sent before the show has started, and the page waits. While the show
has a session, the token is printed as well, with which a client of the video platform connects and publishes.

Example:
  showrunner join launch-webinar-20261122 --open`,
    )
    .action(runJoin)

async function runJoin(showId: string, { name, open, json, ...where }: Options): Promise<void> {
  const target = await findTarget(where)
  const api = createShowApi(target.access)
  const browser = open ? await findBrowser() : undefined
  if (target.kind === 'deployment') {
    const { printed, lines, url } = await inviteTo(api, showId, name)
    if (open && url === undefined)
      throw new Error('The deployment has no join page. Leave --open out, or set joinUrl in its settings.')
    printResult(json, printed, lines)
    if (url !== undefined) browser?.open(url)
    return
  }
  const { status, sessionId } = await api.shows.get(showId)
  if (!['scheduled', 'starting', 'waiting', 'live'].includes(status))
    throw new Error(`The show ${showId} is ${status}, so it admits no participants.`)
  const anyShow = new URL(target.local.joinUrl)
  anyShow.searchParams.set('show', showId)
  const { url = anyShow.href } = sessionId === undefined ? await api.shows.invite(showId, { role: 'publisher' }) : {}
  printResult(json, { showId, url }, [url])
  browser?.open(url)
}

/** Invites a participant, and exchanges the invitation at once if the show is open. */
async function inviteTo({ shows, tokens }: ShowApi, showId: string, name: string) {
  const { invitation, url, expiresAt } = await shows.invite(showId, { role: 'publisher', data: name })
  const admission = await tokens.exchange({ invitation }).catch((error: unknown) => {
    if (error instanceof ShowrunnerError && error.type === 'show-not-open') return undefined
    throw error
  })
  const { apiKey, sessionId, token } = admission ?? {}
  const lines = [
    url === undefined ? `Invitation  ${invitation}` : `Link        ${url}`,
    `Valid until ${expiresAt}`,
    ...(admission ? [`API key     ${apiKey}`, `Session     ${sessionId}`, `Token       ${token}`] : []),
  ]
  return { url, lines, printed: { showId, url, invitation, expiresAt, apiKey, sessionId, token } }
}
