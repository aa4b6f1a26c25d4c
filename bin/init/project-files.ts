import { existsSync, readFileSync } from 'node:fs'
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defaultPorts } from '../local/preferred-port.ts'
import type { Answers } from './answers.ts'

/** Variables of the API in the generated `.env`. */
export type ApiVariables = Readonly<Record<'SHOWRUNNER_URL' | 'SHOWRUNNER_TOKEN' | 'CALLBACK_KEYS', string>>

const apiUrl = `http://127.0.0.1:${defaultPorts.api}`

/** The variables while Showrunner does not run. `showrunner env` prints the token. */
const unknownApi: ApiVariables = {
  SHOWRUNNER_URL: apiUrl,
  SHOWRUNNER_TOKEN: '',
  CALLBACK_KEYS: `${apiUrl}/.well-known/jwks.json`,
}

/** Files that must not be shared or committed. */
const IGNORED = ['.env', '.showrunner/', 'node_modules/']

const callbackOf = ({ port }: Answers) => `http://127.0.0.1:${port}/showrunner`

/**
 * Writes a show, a receiver of its events, the receiver's variables, and what git ignores. Returns the names of the files.
 * @throws Error when one of them exists
 */
export async function writeProject(folder: string, answers: Answers, api = unknownApi): Promise<readonly string[]> {
  const files: Readonly<Record<string, string>> = {
    'show.json': `${JSON.stringify(showOf(answers), null, 2)}\n`,
    'receiver.mjs': readFileSync(new URL('./receiver.mjs', import.meta.url), 'utf8'),
    '.env': variablesOf(answers, api),
  }
  const present = Object.keys(files).filter((name) => existsSync(join(folder, name)))
  if (present.length > 0)
    throw new Error(
      `${folder} has ${present.join(' and ')} already. Remove what you do not need, or choose another folder.`,
    )
  await mkdir(folder, { recursive: true })
  for (const [name, text] of Object.entries(files))
    await writeFile(join(folder, name), text, { flag: 'wx', mode: modeOf(name) })
  await ignore(join(folder, '.gitignore'))
  return [...Object.keys(files), '.gitignore']
}

/** The `.env` holds a token. */
const modeOf = (name: string) => (name === '.env' ? 0o600 : 0o666)

const showOf = (answers: Answers) => ({
  version: 1.1,
  name: answers.name,
  duration: answers.duration,
  recordings: [{ name: 'program' }],
  ...(answers.live && { broadcasts: [{ name: 'live', hls: {} }] }),
  ...(answers.public && { publish: { access: 'public' } }),
  callback: { url: callbackOf(answers) },
})

function variablesOf(answers: Answers, api: ApiVariables): string {
  const variables = { ...api, CALLBACK_URL: callbackOf(answers), PORT: answers.port }
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}`)
  return `# \`npx showrunner env\` prints the first three while \`npx showrunner start\` runs.\n${lines.join('\n')}\n`
}

/** Adds what is lacking to a `.gitignore`. */
async function ignore(path: string): Promise<void> {
  const text = await readFile(path, 'utf8').catch(() => '')
  const present = new Set(text.split(/\r?\n/))
  const lacking = IGNORED.filter((line) => !present.has(line))
  const separator = text === '' || text.endsWith('\n') ? '' : '\n'
  if (lacking.length > 0) await appendFile(path, `${separator}${lacking.join('\n')}\n`)
}
