import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { findRunningLocal, localFileOf, type RunningLocal } from '../local/local-file.ts'
import { stateDirectory } from '../local/root.ts'
import type { Access } from '../shows/show-api.ts'
import { type Outputs, readOutputs } from './outputs.ts'

/** Whose shows a command is about: the laptop's that runs, or those of a deployment. */
export type Target =
  | { readonly kind: 'laptop'; readonly access: Access; readonly laptop: RunningLocal; readonly directory: string }
  | {
      readonly kind: 'deployment'
      readonly access: Access
      /** Undefined where only an address is known. */
      readonly stage: string | undefined
      /** Empty where only an address is known. */
      readonly outputs: Outputs
    }

export interface TargetOptions {
  readonly url?: string
  readonly stage?: string
  readonly directory: string
}

/** Gives a command the options by which it finds its target. */
export const withTarget = (command: Command): Command =>
  command
    .addOption(new Option('--stage <name>', 'a deployment made from this checkout (its token in SHOWRUNNER_TOKEN)'))
    .addOption(
      new Option('--url <url>', 'any deployment, by the ApiUrl of its stack (or SHOWRUNNER_URL; SHOWRUNNER_TOKEN)'),
    )
    .option('--directory <dir>', 'without either: the running laptop, by what was given to `npm start`', stateDirectory)

/**
 * The deployment that an option names, else the one of SHOWRUNNER_URL, else the running laptop. The laptop's token is never
 * sent anywhere else, and no other token is ever sent in the clear.
 * @throws Error in one sentence when something is missing
 */
export async function findTarget(
  { url, stage, directory: given }: TargetOptions,
  environment: NodeJS.ProcessEnv = process.env,
  deployments?: string,
): Promise<Target> {
  if (url || stage || environment.SHOWRUNNER_URL) {
    const outputs = stage && !url ? await readOutputs(stage, deployments) : {}
    const apiUrl = addressOf(url ?? outputs.ApiUrl ?? environment.SHOWRUNNER_URL ?? '')
    const token = environment.SHOWRUNNER_TOKEN
    if (!token)
      throw new Error(
        'Set SHOWRUNNER_TOKEN to a token of the issuer that the deployment’s settings name (docs/deploy.md).',
      )
    return { kind: 'deployment', access: { apiUrl, token }, stage, outputs }
  }
  const directory = resolve(given)
  const laptop = await findRunningLocal(localFileOf(directory)).catch((cause: Error) => {
    throw new Error(`${cause.message.replace(/\.$/, '')}, or name a deployment by --stage or --url.`, { cause })
  })
  return { kind: 'laptop', access: laptop, laptop, directory }
}

function addressOf(text: string): string {
  const url = URL.parse(text)
  const isLoopback = ['127.0.0.1', 'localhost', '[::1]'].includes(url?.hostname ?? '')
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback)) return text
  throw new Error(`${text} cannot be the API: its address begins with https://, as the stack’s output ApiUrl does.`)
}
