import { resolve } from 'node:path'
import { Argument, Command } from 'commander'
import { requestTicketAddress } from '../../console/request-ticket-address.ts'
import { findBrowser } from '../../local/browser.ts'
import { directoryHelp, findRunningLocal, localFileOf } from '../../local/local-file.ts'
import { startCall, stateDirectory } from '../../local/root.ts'

export const openCommand = () =>
  new Command('open')
    .description(`open the console of the running \`${startCall}\` in the browser`)
    .addArgument(new Argument('[page]', 'page to open').choices(['console']).default('console'))
    .option('--directory <dir>', directoryHelp, stateDirectory)
    .action((_page: 'console', options: { readonly directory: string }) => runOpen(options))

async function runOpen({ directory }: { readonly directory: string }): Promise<void> {
  const { consoleUrl } = await findRunningLocal(localFileOf(resolve(directory)))
  const browser = await findBrowser(process.env, process.platform, `Open the address that \`${startCall}\` printed.`)
  browser.open(await requestTicketAddress(consoleUrl)) // its argument is visible to other users, so it has no token
}
