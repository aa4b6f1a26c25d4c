import { resolve } from 'node:path'
import { Argument, Command } from 'commander'
import { requestTicketAddress } from '../../console/request-ticket-address.ts'
import { findBrowser } from '../../local/browser.ts'
import { directoryHelp, findRunningLocal, localFileOf } from '../../local/local-file.ts'
import { startCall } from '../../local/root.ts'
import { directoryOption } from '../../parsers.ts'
import { printResult } from '../../print.ts'

export const openCommand = () =>
  new Command('open')
    .description(`open the console of the running \`${startCall}\` in the browser`)
    .addArgument(new Argument('[page]', 'page to open').choices(['console']).default('console'))
    .addOption(directoryOption(directoryHelp))
    .option('--json', 'print only { url } as JSON, and open nothing; the address logs in once, within a minute')
    .action((_page: 'console', options: Options) => runOpen(options))

interface Options {
  readonly directory: string
  readonly json?: boolean
}

async function runOpen({ directory, json }: Options): Promise<void> {
  const { consoleUrl } = await findRunningLocal(localFileOf(resolve(directory)))
  if (json) return printResult(json, { url: await requestTicketAddress(consoleUrl) }, [])
  const browser = await findBrowser(process.env, process.platform, `Open the address that \`${startCall}\` printed.`)
  browser.open(await requestTicketAddress(consoleUrl)) // its argument is visible to other users, so it has no token
}
