import { relative, resolve } from 'node:path'
import { Command } from 'commander'
import { type Answers, completeAnswers, questions } from '../../init/answers.ts'
import { askInTerminal } from '../../init/ask-in-terminal.ts'
import { writeProject } from '../../init/project-files.ts'
import { directoryHelp, findRunningLocal, localFileOf } from '../../local/local-file.ts'
import { directoryOption } from '../../parsers.ts'
import { printResult } from '../../print.ts'
import { envVariablesOf } from './env.ts'

interface Options extends Partial<Answers> {
  readonly yes?: true
  readonly json?: true
  readonly directory: string
}

export const initCommand = () =>
  new Command('init')
    .description('write a first show, an Express app that receives its events, and its .env')
    .argument('[folder]', 'folder of the files', '.')
    .option('--name <text>', 'name of the show', questions.name.parse)
    .option('--duration <seconds>', 'duration of the show', questions.duration.parse)
    .option('--live', 'broadcast it live by HLS')
    .option('--no-live', 'only record it')
    .option('--public', 'let anyone watch the recording')
    .option('--no-public', 'let only those watch who have a link')
    .option('--port <number>', 'port of the app', questions.port.parse)
    .option('-y, --yes', 'take the default for each option that is not given; without a terminal it does so, too')
    .addOption(directoryOption(`${directoryHelp}, whose token the .env gets`))
    .option('--json', 'print only { folder, files, answers } as JSON')
    .action(runInit)

async function runInit(given: string, { yes, json, directory, ...options }: Options): Promise<void> {
  const folder = resolve(given)
  const answers = await ask(options, yes === undefined && !json && process.stdin.isTTY)
  const local = await findRunningLocal(localFileOf(resolve(directory))).catch(() => undefined)
  const files = await writeProject(folder, answers, local && envVariablesOf(local, 'operator'))
  printResult(json, { folder, files, answers }, describe(folder, files))
}

/** Asks in the terminal for what no option gives. */
async function ask(options: Partial<Answers>, isAsked: boolean): Promise<Answers> {
  if (!isAsked) return completeAnswers(options, undefined)
  return askInTerminal((ask) => completeAnswers(options, ask))
}

function describe(folder: string, files: readonly string[]): string[] {
  const place = relative(process.cwd(), folder)
  return [
    `Wrote ${files.join(', ')}${place && ` in ${place}`}. Next:`,
    '',
    ...(place ? [`  cd ${place}`] : []),
    '  npm install express',
    '  npx showrunner start                            runs Showrunner, until Ctrl-C',
    '  node --env-file=.env receiver.mjs               in a second terminal',
    '  npx showrunner run show.json --participants 3   in a third',
  ]
}
