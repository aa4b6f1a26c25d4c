import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { directoryHelp, findRunningLocal, localFileOf, type RunningLocal } from '../local/local-file.ts'
import { directoryOption } from '../parsers.ts'
import type { Access } from '../shows/show-api.ts'
import { type Outputs, readOutputs } from './outputs.ts'

/** The API that a command calls: that of the running `npm start`, or of a deployment. */
export type Target =
  | LocalTarget
  | {
      readonly kind: 'deployment'
      readonly access: Access
      /** Undefined if only an address is known. */
      readonly stage: string | undefined
      /** Empty if only an address is known. */
      readonly outputs: Outputs
    }

interface LocalTarget {
  readonly kind: 'local'
  readonly access: Access
  readonly local: RunningLocal
  readonly directory: string
}

/** Returns the options with which another command finds the same deployment: `` ` --stage prod` ``. Empty for `npm start`. */
export function optionsOf(target: Target): string {
  if (target.kind === 'local') return ''
  return target.stage === undefined ? ` --url ${target.access.apiUrl}` : ` --stage ${target.stage}`
}

export interface TargetOptions {
  readonly url?: string
  readonly stage?: string
  readonly directory: string
}

/** Adds the options that choose the target of a command. */
export const withTarget = (command: Command): Command =>
  command
    .addOption(new Option('--stage <name>', 'deployment from this checkout (with a token in SHOWRUNNER_TOKEN)'))
    .addOption(
      new Option(
        '--url <url>',
        'any deployment, by the ApiUrl of its stack (or set SHOWRUNNER_URL; with a token in SHOWRUNNER_TOKEN)',
      ),
    )
    .addOption(directoryOption(`without --stage and --url: ${directoryHelp}`))

/**
 * Finds the deployment of the options, else that of SHOWRUNNER_URL unless it is the address of the running `npm start`, else that. The local token is never sent
 * elsewhere, and no other token is sent unencrypted.
 * @throws Error when a token or the running system is missing, or the address is not https
 */
export async function findTarget(
  { url, stage, directory: given }: TargetOptions,
  environment: NodeJS.ProcessEnv = process.env,
  deployments?: string,
): Promise<Target> {
  if (!url && !stage && environment.SHOWRUNNER_URL) {
    const local = await findNamedLocal(given, environment.SHOWRUNNER_URL)
    if (local) return withToken(local, environment.SHOWRUNNER_TOKEN)
  }
  if (url || stage || environment.SHOWRUNNER_URL) {
    const outputs = stage && !url ? await readOutputs(stage, deployments) : {}
    const apiUrl = addressOf(url ?? outputs.ApiUrl ?? environment.SHOWRUNNER_URL ?? '')
    const token = environment.SHOWRUNNER_TOKEN
    if (!token)
      throw new Error('A deployment needs a token. Set SHOWRUNNER_TOKEN to a token of its issuer (docs/deploy.md).')
    return { kind: 'deployment', access: { apiUrl, token }, stage, outputs }
  }
  const directory = resolve(given)
  const local = await findRunningLocal(localFileOf(directory)).catch((cause: Error) => {
    throw new Error(`${cause.message.replace(/\.$/, '')}, or name a deployment with --stage or --url.`, { cause })
  })
  return { kind: 'local', access: local, local, directory }
}

/** Returns the running `npm start` if the address is its own, as in the `.env` that `env` prints. */
async function findNamedLocal(given: string, url: string): Promise<LocalTarget | undefined> {
  const directory = resolve(given)
  const local = await findRunningLocal(localFileOf(directory)).catch(() => undefined)
  if (local?.apiUrl !== url.replace(/\/$/, '')) return undefined
  return { kind: 'local', access: local, local, directory }
}

const withToken = (target: LocalTarget, token = target.access.token): LocalTarget => ({
  ...target,
  access: { ...target.access, token },
})

function addressOf(text: string): string {
  const url = URL.parse(text)
  const isLoopback = ['127.0.0.1', 'localhost', '[::1]'].includes(url?.hostname ?? '')
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback)) return text
  throw new Error(
    `${text} is not an address of the API. Use the output ApiUrl of the stack, which starts with https://.`,
  )
}
